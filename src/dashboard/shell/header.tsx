// The head of the page: ship, system, the box's clock, and three signs. A reader must not mistake a
// ship, a system or a simulation for another, nor an old page for a live one. Link, messages and
// data are three facts: an idle plant is silent for days while the link is alive.

import { shellWords as t } from "../lang/words.ts";
import { clockName, hasShipTime, printClock, printDay } from "../parts/moments.ts";
import type { Snapshot } from "../store/snapshot.ts";
import { type Sign, signsOf } from "./signs.ts";

export function Header({ snapshot, now_ms }: { snapshot: Snapshot; now_ms: number }) {
  const readiness = snapshot.readiness.known?.value ?? null;
  const imo = readiness?.imo ?? null;
  return (
    <header>
      <div class="ship">
        <h1>{readiness?.vessel ?? t("no_vessel")}</h1>
        <p>
          {t("system_id", { id: readiness?.system_id ?? "—" })}
          {imo === null ? "" : ` · ${t("imo", { number: imo.replace(/^IMO\s*/i, "") })}`}
        </p>
        {readiness?.simulated === true && (
          <strong class="tag simulated">{t("simulated_about")}</strong>
        )}
      </div>
      <ul class="signs">
        {signsOf(snapshot, now_ms).map((sign) => (
          <SignItem key={sign.name} sign={sign} />
        ))}
      </ul>
      <p class="clock">
        <span class="quiet">{printDay(now_ms, "utc")}</span> {printClock(now_ms, "utc")}{" "}
        {clockName("utc")}
        {hasShipTime() && (
          <span class="ship-time">
            {" · "}
            {printClock(now_ms, "ship").slice(0, 5)} {clockName("ship")}
          </span>
        )}
      </p>
    </header>
  );
}

/** Its shape tells the state as well as its colour: a disc, a ring, a triangle. */
function SignItem({ sign }: { sign: Sign }) {
  return (
    <li class={`sign ${sign.state}`}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        {sign.state === "good" && <circle class="solid" cx="12" cy="12" r="8" />}
        {sign.state === "quiet" && <circle cx="12" cy="12" r="8" />}
        {sign.state === "bad" && <path d="M12 4l9 16H3z" />}
      </svg>
      <b>{t(sign.name)}</b> <span data-test={sign.name}>{sign.text}</span>
    </li>
  );
}
