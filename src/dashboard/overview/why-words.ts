// The rows and remedies of the page Why as words of the chosen language: readings now and then,
// lamps by their numbers, gains with their range.

import { whyWords as t } from "../lang/words.ts";
import { printAge } from "../parts/moments.ts";
import { MISSING, printLamps, printNumber, writtenUnit } from "../parts/numbers.ts";
import type { ShownComparison, ShownRemedy, ShownRow } from "./why-answer.ts";

const HOUR_MS = 3_600_000;
const MINUS = "\u2212";

/** Prints a UV intensity, W/m², as a whole number. */
export const printLight = (value: number) => printNumber(Math.round(value));

/**
 * Prints a change with its sign, 0 without one. `steps` 10 gives tenths, for values that must add
 * up.
 */
export function printChange(value: number, steps: 1 | 10 = 1): string {
  const rounded = Math.round(Math.abs(value) * steps) / steps;
  const sign = rounded === 0 ? "" : value > 0 ? "+" : MINUS;
  return `${sign}${printNumber(rounded)}`;
}

/** The text beside the name of a cause. */
export function rowInWords(row: ShownRow, { lamps }: ShownComparison): string {
  const { cause, basis } = row;
  if (row.w_m2 === null) return `${t("cannot_tell")}: ${t(`basis_${basis}`)}`;
  const said =
    cause === "lamps"
      ? [...lampsInWords(lamps), ...readingsInWords(row)]
      : cause === "power" && lamps.weak.length > 0
        ? [t("lamps_weak", { lamps: printLamps(lamps.weak) }), ...readingsInWords(row)]
        : readingsInWords(row);
  return [...said, ...(basis === "measured" ? [] : [t(`basis_${basis}`)])].join("; ");
}

function lampsInWords({ failed, dark, past_life }: ShownComparison["lamps"]): readonly string[] {
  return [
    failed.length > 0 ? t("lamps_failed", { n: failed.length, lamps: printLamps(failed) }) : null,
    dark.length > 0 ? t("lamps_dark", { n: dark.length, lamps: printLamps(dark) }) : null,
    past_life.length > 0
      ? t("lamps_past", { n: past_life.length, lamps: printLamps(past_life) })
      : null,
  ].filter((one) => one !== null);
}

/** The first reading of a row that is known now or then, in words; empty if none is. */
export function readingsInWords({ readings }: Pick<ShownRow, "readings">): readonly string[] {
  const known = readings.find(({ now, before }) => now !== null || before !== null);
  if (known === undefined) return [];
  const { name, unit } = known;
  const [now, before] = [known.now, known.before].map((value) => valueInWords(value, name, unit));
  if (name === "lamp_output") return [t("output", { now, before })];
  if (name === "CIP_HOURS_SINCE_LAST") return [t("cleaning_reading", { now, before })];
  if (name === "WATER_QUALITY_FACTOR") return [t("water_reading", { now, before })];
  return [t("power_reading", { now, before })];
}

function valueInWords(value: number | null, name: string, unit: string): string {
  if (value === null) return MISSING;
  if (name === "CIP_HOURS_SINCE_LAST") return printAge(value * HOUR_MS);
  return unit === "factor" ? printNumber(value) : `${printNumber(value)}\u00a0${writtenUnit(unit)}`;
}

/** Share of the earlier value up to which changes are noise. */
const NOISE = 0.02;

/**
 * True only if the UV intensity is known to be at or above its limit, and not noticeably lower than
 * then.
 */
export function isHighEnough({ now, before, limit }: ShownComparison): boolean {
  if (now === null || before === null || limit === null) return false;
  const isAbove = now.intensity_w_m2 >= limit.w_m2;
  return isAbove && now.intensity_w_m2 >= before.intensity_w_m2 * (1 - NOISE);
}

/** The remedy, its expected gain, and the resulting UV intensity. */
export function remedyInWords(
  remedy: ShownRemedy,
  { now, limit }: ShownComparison,
): { readonly act: string; readonly gain: string; readonly reaches: string | null } {
  const { gain } = remedy;
  const light = now?.intensity_w_m2 ?? null;
  if (gain === null || light === null)
    return { act: actInWords(remedy), gain: t("gain_unknown"), reaches: null };
  const [low_w_m2, high_w_m2] = [gain.low_w_m2, gain.high_w_m2].map(Math.round);
  const [low, high] = [low_w_m2, high_w_m2].map(printLight);
  const range = low === high ? `+${low}` : t("gain_range", { low, high });
  // The sum of the two numbers shown, so that they add up.
  const [from, to] = [low_w_m2, high_w_m2].map((one) => printLight(Math.round(light) + one));
  const reached = from === to ? from : t("light_range", { low: from, high: to });
  const key = remedy.reaches === "above_limit" ? "reaches_above" : "reaches_below";
  return {
    act: actInWords(remedy),
    gain: t("gain", { gain: range }),
    reaches:
      remedy.reaches === null || limit === null || light >= limit.w_m2
        ? null
        : t(key, { light: reached, mode: limit.mode }),
  };
}

function actInWords({ act, lamps }: ShownRemedy): string {
  const named = { n: lamps.length, lamps: printLamps(lamps) };
  if (
    act === "change_failed_lamps" ||
    act === "change_worn_lamps" ||
    act === "light_dark_lamps" ||
    act === "mend_supply"
  )
    return t(`act_${act}`, named);
  return t(`act_${act}`);
}
