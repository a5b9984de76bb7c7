// A lamp's forecast in words, and the order of lamps by the forecast end, for the page aboard and
// the office's page.

import { RATED_BASES } from "../../bwts/present/lamp-condition.ts";
import { LAMP_NUMBERS } from "../../bwts/tags.ts";
import { lampsWords as t } from "../lang/words.ts";
import { MISSING, printNumber } from "../parts/numbers.ts";
import type { LampOutlook } from "./lamp-answers.ts";
import { printHours } from "./lamp-words.ts";

interface ForecastLamp {
  readonly lamp: number;
  readonly outlook: LampOutlook | null;
}

/** All sixteen lamps, the nearest end first; those without a forecast last. */
export function byEnd(outlooks: readonly LampOutlook[]): readonly ForecastLamp[] {
  const left = ({ outlook }: ForecastLamp) => outlook?.left_h ?? Number.MAX_VALUE;
  return LAMP_NUMBERS.map((_, position) => ({
    lamp: position + 1,
    outlook: outlooks.find(({ lamp }) => lamp === position + 1) ?? null,
  })).sort((one, other) => left(one) - left(other) || one.lamp - other.lamp);
}

/** The hours left as text; a lamp past its life has none. */
export function leftWords(outlook: LampOutlook | null): string {
  if (outlook?.condition === "past_life") return t("past_life");
  return printHours(outlook?.left_h ?? null);
}

/** True if the forecast follows from the rated life, not from the lamp's own output. */
export function isRated(outlook: LampOutlook | null): boolean {
  return RATED_BASES.includes(outlook?.basis);
}

export function intervalOf(outlook: LampOutlook | null): string {
  if (
    outlook === null ||
    outlook.condition === "past_life" ||
    outlook.p05_h === null ||
    outlook.p95_h === null
  )
    return MISSING;
  return t("between", { low: Math.round(outlook.p05_h), high: Math.round(outlook.p95_h) });
}

export function whole(value: number | null): string {
  return value === null ? MISSING : printNumber(Math.floor(value));
}
