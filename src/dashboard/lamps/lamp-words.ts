// A lamp in words, so that the right one is taken out: its number, its place in the reactor, its
// hours, and the time to change it.

import { reactorPlace } from "../../bwts/lamps/reactor.ts";
import { LAMP_NUMBERS } from "../../bwts/tags.ts";
import { partsWords, lampsWords as t } from "../lang/words.ts";
import { printMoment } from "../parts/moments.ts";
import { MISSING, printNumber } from "../parts/numbers.ts";
import type { ShownLamp } from "../store/overview-shapes.ts";
import type { ShownPlanLamp } from "./plan-answer.ts";

/** `07`; `lamp` is 1 to 16. */
export const lampDigits = (lamp: number) => LAMP_NUMBERS[lamp - 1] ?? String(lamp);

/** `Lamp 07` */
export function lampName(lamp: number): string {
  return t("lamp", { number: lampDigits(lamp) });
}

/** The place of a lamp, from the side that is opened. */
export function placeWords(lamp: number): string {
  const { row, column, columns } = reactorPlace(lamp - 1);
  return columns === 1 ? t("place_alone", { row }) : t("place", { row, column, columns });
}

export function printHours(hours: number | null): string {
  return hours === null ? MISSING : partsWords("hours", { n: Math.round(hours) });
}

export function printPercent(percent: number | null): string {
  return percent === null ? MISSING : `${printNumber(percent)}\u00a0%`;
}

/** Text about the time since which a lamp shows no light; empty while it does. */
export function noLightWords(now: ShownLamp | null, now_ms: number): string {
  const since_ms = now?.no_light_since_ms ?? null;
  return since_ms === null ? "" : t("no_light_since", { moment: printMoment(since_ms, now_ms) });
}

/**
 * Time to change a lamp as text: `now`, `next call`, the day if it is within months, else the
 * month.
 */
export function changeBy(plan: ShownPlanLamp | null): string {
  switch (plan?.planned) {
    case "now":
      return t("change_now");
    case "next_call":
      return t("change_next_call");
    case "three_months":
      return plan.by ?? MISSING;
    default:
      return plan?.by?.slice(0, 7) ?? MISSING;
  }
}

/** The reason to change a lamp, as text; null if none is known. */
export function planReason({ reason, planned }: ShownPlanLamp): string | null {
  if (reason === null) return null;
  if (reason === "forecast" && planned === "now") return t("reason_past_life");
  return t(`reason_${reason}`);
}
