// The lamps to change next, the worst first, with the reason and the remedy. Order: failed lamps,
// lamps past their life, without light, near their end.

import { overviewWords as t } from "../lang/words.ts";
import { printLamp, printNumber } from "../parts/numbers.ts";
import type { ShownLamp, ShownLamps } from "../store/overview-shapes.ts";
import { printTenths } from "./uv-tile.tsx";

/** Maximum number of lamps listed, on a high screen; FEW is that of other screens. */
const SHOWN_MAX = 8;
const FEW = 4;
const URGENCY = ["failed", "past_life", "no_light", "near_end"] as const;
type Urgency = (typeof URGENCY)[number];

export function ChangeNext({ shown: { lamps, isSuspended } }: { shown: ShownLamps }) {
  const listed = lampsToChange(lamps);
  return (
    <>
      <div class="tile-head">
        <h3>{t("change_next")}</h3>
        {listed.length > FEW && (
          <a href="#/lamps" class="aside">
            {t("change_all", { n: listed.length })} ›
          </a>
        )}
      </div>
      {isSuspended && <p class="problem">{t("lamps_suspended")}</p>}
      {listed.length === 0 && !isSuspended && <p class="quiet">{t(noneWords(lamps))}</p>}
      <ul class="next-lamps">
        {listed.slice(0, SHOWN_MAX).map(({ lamp, urgency }) => (
          <li key={lamp.lamp}>
            <a href={`#/lamps?lamp=${lamp.lamp}`}>
              <b>{t("lamp_name", { number: printLamp(lamp.lamp) })}</b>{" "}
              <span class="number">
                {lamp.efficiency === null ? "—" : `${printNumber(Math.round(lamp.efficiency))} %`}
              </span>{" "}
              <b class={`why ${urgency}`}>{t(`why_${urgency}`)}</b>{" "}
              <span class="quiet">{toDoWords(lamp, urgency)}</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The text if no lamp is listed. Without forecasts it isn't known whether one is near its end. */
function noneWords(lamps: readonly ShownLamp[]) {
  return lamps.every(({ condition }) => condition === "good") ? "change_none" : "change_unknown";
}

function lampsToChange(lamps: readonly ShownLamp[]) {
  return lamps
    .flatMap((lamp) => {
      const urgency = urgencyOf(lamp);
      return urgency === null ? [] : [{ lamp, urgency }];
    })
    .sort(
      (one, other) =>
        URGENCY.indexOf(one.urgency) - URGENCY.indexOf(other.urgency) ||
        (one.lamp.left_h ?? 0) - (other.lamp.left_h ?? 0) ||
        (one.lamp.efficiency ?? 100) - (other.lamp.efficiency ?? 100),
    );
}

function urgencyOf({ state, condition, no_light_since_ms }: ShownLamp): Urgency | null {
  if (state === "failed") return "failed";
  if (condition === "unknown" && no_light_since_ms !== null) return "no_light";
  return condition === "past_life" || condition === "near_end" ? condition : null;
}

function toDoWords({ p05_h, p95_h }: ShownLamp, urgency: Urgency): string {
  // The page Lamps shows since when.
  if (urgency === "no_light") return "";
  if (urgency !== "near_end") return t("change_now");
  if (p05_h === null || p95_h === null) return t("change_plan");
  return t("change_left", { low: printTenths(p05_h), high: printTenths(p95_h) });
}
