// Splits the change of the UV intensity between two times into five causes and a rest that add up
// to it exactly. Lamps, water and power are measured. The remaining change is due to sleeves or
// sensor only if a reading or an earlier cleaning shows it, else it isn't explained. Shares are
// logarithmic means (Ang 2005, LMDI-I), which don't depend on the order of causes. Pure, without
// zod, for the page.

import type { CleaningGains } from "./cleaning-gains.ts";
import {
  type Factor,
  lampFactor,
  medianOf,
  powerFactor,
  type TwoTimes,
  type UnknownFactor,
  waterFactor,
} from "./light-factors.ts";
import { CLEANED_LATELY_H, CLEANING_DUE_H, type CleaningEffect } from "./light-loss.ts";

const CAUSES = ["lamps", "sleeves", "water", "power", "sensor"] as const;
export const CHANGE_CAUSES = [...CAUSES, "unexplained"] as const;
export type ChangeCause = (typeof CHANGE_CAUSES)[number];

/**
 * Grounds of a known contribution. `measured`: its own readings at both times; `learned`: earlier
 * cleanings, or the sensor's drift over them; `by_exclusion`: no measured value explains it, and
 * the sleeves are due; `cleaned`: they were cleaned since, and the light rose; `cleaning_in_vain`:
 * a cleaning changed nothing; `no_sign`: nothing is left to explain; `rest`: no other row explains
 * it.
 */
export const KNOWN_BASES = [
  "measured",
  "learned",
  "by_exclusion",
  "cleaned",
  "cleaning_in_vain",
  "no_sign",
  "rest",
] as const;
/**
 * Reasons why a contribution isn't known. `others_unknown`: one of lamps, water and power isn't
 * known; `not_separable`: other causes that aren't measured may explain it as well.
 */
export const UNKNOWN_BASES = [
  "not_sent_now",
  "not_sent_before",
  "contradicted",
  "others_unknown",
  "not_separable",
] as const;
export type ChangeBasis = (typeof KNOWN_BASES)[number] | (typeof UNKNOWN_BASES)[number];

export interface Contribution {
  readonly cause: ChangeCause;
  /** Contribution in W/m², to tenths; null if it isn't known, and is in the rest. */
  readonly w_m2: number | null;
  readonly basis: ChangeBasis;
}

/** Facts about sleeves and sensor beside the two times. */
export interface SleeveFacts {
  readonly gains: CleaningGains;
  /** The newest cleaning, and whether it improved the light. */
  readonly cleaning: CleaningEffect | null;
  /** The sensor's drift between the times, as a logarithm; null where it isn't known. */
  readonly drift: { readonly log: number; readonly sd: number } | null;
}

/** Minimum change, as a logarithm, that counts: readings scatter. */
const SIGN_MIN = 0.02;
/** Minimum of the light for its logarithm: less is printed as 0. */
const LIGHT_MIN_W_M2 = 0.1;
/** Maximum standard deviation of a drift that counts. */
const DRIFT_SD_MAX = 0.02;

/** The contributions in the order of `CHANGE_CAUSES`; they add up to the change, in tenths. */
export function lightChange(
  times: TwoTimes,
  light: { readonly now_w_m2: number; readonly before_w_m2: number },
  facts: SleeveFacts,
): { readonly change_w_m2: number; readonly rows: readonly Contribution[] } {
  const [now, before] = [inTenths(light.now_w_m2), inTenths(light.before_w_m2)];
  const ratio = Math.max(LIGHT_MIN_W_M2, now) / Math.max(LIGHT_MIN_W_M2, before);
  const lamps = measured(lampFactor(times));
  const water = measured(waterFactor(times));
  const power = measured(powerFactor(times));
  const known = [lamps, water, power];
  const left = known.reduce((rest, { log }) => rest - (log ?? 0), Math.log(ratio));
  const isClear = known.every(({ log }) => log !== null);
  const { sleeves, sensor } = isClear ? split(left, times, facts) : OTHERS_UNKNOWN;
  const mean =
    ratio === 1 ? now : (Math.max(LIGHT_MIN_W_M2, before) * (ratio - 1)) / Math.log(ratio);
  const parts = { lamps, sleeves, water, power, sensor };
  const change = Math.round(10 * (now - before));
  let rest = change;
  const rows = CAUSES.map((cause) => {
    const { log, basis } = parts[cause];
    const part = log === null ? null : Math.round(10 * mean * log);
    rest -= part ?? 0;
    return { cause, w_m2: part === null ? null : plainTenths(part), basis };
  });
  const unexplained = { cause: "unexplained", w_m2: plainTenths(rest), basis: "rest" } as const;
  return { change_w_m2: plainTenths(change), rows: [...rows, unexplained] };
}

interface LogPart {
  readonly log: number | null;
  readonly basis: ChangeBasis;
}

const unknown = (basis: ChangeBasis): LogPart => ({ log: null, basis });
const OTHERS_UNKNOWN = { sleeves: unknown("others_unknown"), sensor: unknown("others_unknown") };
const NO_SIGN: LogPart = { log: 0, basis: "no_sign" };

const measured = (factor: Factor): LogPart =>
  factor.log === null ? unknown(factor.reason) : { log: factor.log, basis: "measured" };

/** Splits the change that the measured causes leave into the parts of sleeves and sensor. */
function split(
  left: number,
  times: TwoTimes,
  facts: SleeveFacts,
): { readonly sleeves: LogPart; readonly sensor: LogPart } {
  const drift = driftOf(facts);
  const rest = left - (drift?.log ?? 0);
  const { now_h, before_h } = cleanedHours(times);
  const isLately = now_h !== null && now_h <= CLEANED_LATELY_H;
  if (facts.cleaning?.recovered === false && isLately && rest <= -SIGN_MIN)
    return { sleeves: NO_SIGN, sensor: { log: rest, basis: "cleaning_in_vain" } };
  const sleeves = sleevesOf(rest, { now_h, before_h }, facts);
  const remaining = rest - (sleeves.log ?? 0);
  const isExplained = Math.abs(remaining) < SIGN_MIN && sleeves.basis !== "by_exclusion";
  return { sleeves, sensor: drift ?? (isExplained ? NO_SIGN : unknown("not_separable")) };
}

/** The sensor's part; null if its drift isn't known well enough. */
function driftOf({ drift }: SleeveFacts): LogPart | null {
  if (drift === null || drift.sd > DRIFT_SD_MAX) return null;
  const isSeen = Math.abs(drift.log) >= Math.max(2 * drift.sd, SIGN_MIN);
  return isSeen ? { log: drift.log, basis: "learned" } : NO_SIGN;
}

interface CleanedHours {
  readonly now_h: number | null;
  readonly before_h: number | null;
}

/** Hours since the last cleaning at both times. */
export function cleanedHours({ now, before }: TwoTimes): CleanedHours {
  return {
    now_h: medianOf(now.map(({ since_cleaning_h }) => since_cleaning_h)),
    before_h: medianOf(before.map(({ since_cleaning_h }) => since_cleaning_h)),
  };
}

function sleevesOf(rest: number, hours: CleanedHours, { gains, cleaning }: SleeveFacts): LogPart {
  const { now_h, before_h } = hours;
  if (now_h === null || before_h === null) {
    const reason: UnknownFactor = now_h === null ? "not_sent_now" : "not_sent_before";
    return Math.abs(rest) < SIGN_MIN ? NO_SIGN : unknown(reason);
  }
  const longer_h = now_h - before_h;
  if (gains.loss_per_h !== null) {
    // At most the loss, or gain, at the highest rate seen over the difference of hours.
    const most = -gains.loss_per_h.high * longer_h;
    const log = most < 0 ? Math.min(0, Math.max(most, rest)) : Math.max(0, Math.min(most, rest));
    return Math.abs(log) < SIGN_MIN && Math.abs(rest) < SIGN_MIN
      ? NO_SIGN
      : { log, basis: "learned" };
  }
  if (Math.abs(rest) < SIGN_MIN) return NO_SIGN;
  if (rest > 0) return longer_h < 0 ? { log: rest, basis: "cleaned" } : unknown("not_separable");
  const isDue = now_h >= CLEANING_DUE_H;
  const isWorth = cleaning?.recovered === true && now_h > CLEANED_LATELY_H;
  if (longer_h > 0 && (isDue || isWorth)) return { log: rest, basis: "by_exclusion" };
  return unknown("not_separable");
}

export const inTenths = (value: number): number => Math.round(value * 10) / 10;
/** Tenths as a number, without -0. */
const plainTenths = (value: number): number => (value === 0 ? 0 : value / 10);
