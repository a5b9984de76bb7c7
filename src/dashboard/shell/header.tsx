// The head of the page, one line: ship, system, three signs, and the box's clock. Users must not
// mistake a ship, a system or a simulation for another, nor an old page for a live one. Page, PLC
// and data have separate signs: an idle plant has no data for days while the page is live.

import { shellWords as t } from "../lang/words.ts";
import { clockName, hasShipTime, printClock, printDay, shipOffset } from "../parts/moments.ts";
import type { Snapshot } from "../store/snapshot.ts";
import { type Sign, signsOf } from "./signs.ts";

export function Header({ snapshot, now_ms }: { snapshot: Snapshot; now_ms: number }) {
  const readiness = snapshot.readiness.known?.value ?? null;
  const imo = readiness?.imo ?? null;
  return (
    <header>
      <div class="ship">
        <h1 title={readiness?.vessel ?? undefined}>{readiness?.vessel ?? t("no_vessel")}</h1>
        <p>
          {t("system_id", { id: readiness?.system_id ?? "—" })}{" "}
          {readiness?.simulated === true && (
            <strong class="simulated" title={t("simulated_about")}>
              {t("simulated")}
            </strong>
          )}
          {imo !== null && (
            <span class="imo">{` · ${t("imo", { number: imo.replace(/^IMO\s*/i, "") })}`}</span>
          )}
        </p>
      </div>
      <ul class="signs">
        {signsOf(snapshot, now_ms).map((sign) => (
          <SignItem key={sign.name} sign={sign} />
        ))}
      </ul>
      <Clock now_ms={now_ms} />
    </header>
  );
}

/** The clock: ship's time first if it is known; UTC always. */
function Clock({ now_ms }: { now_ms: number }) {
  const utc = `${printClock(now_ms, "utc")} ${clockName("utc")}`;
  return (
    <p class="clock">
      <span class="hand">
        {hasShipTime() ? (
          <>
            {printClock(now_ms, "ship").slice(0, 5)}{" "}
            <small class="ship-time" title={clockName("ship")}>
              {shipOffset()}
            </small>
          </>
        ) : (
          utc
        )}
      </span>
      <span>
        {hasShipTime() && utc}
        <span class="day">
          {hasShipTime() && " · "}
          {printDay(now_ms, "utc")}
        </span>
      </span>
    </p>
  );
}

/** A sign. Its shape (disc, ring, triangle) shows the state as well as its colour. */
function SignItem({ sign }: { sign: Sign }) {
  return (
    <li class={`sign ${sign.state}`}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        {sign.state === "good" && <circle class="solid" cx="12" cy="12" r="10" />}
        {sign.state === "quiet" && <circle cx="12" cy="12" r="9" />}
        {sign.state === "bad" && <path d="M12 3l10 18H2z" />}
      </svg>
      <b>{t(sign.name)}</b> <span data-test={sign.name}>{sign.text}</span>
    </li>
  );
}
