// Remedies for low UV, each with the expected gain at the same power: by the lamps' outputs, by
// earlier cleanings, by the water and the power at the time of comparison. A remedy has no gain if
// no reading shows one. Pure, without zod.

import { median } from "../ranks.ts";
import type { CleaningGains } from "./cleaning-gains.ts";
import { type Contribution, cleanedHours, inTenths } from "./light-change.ts";
import { lampOutputs, powerFactor, type TwoTimes, waterFactor, weakIn } from "./light-factors.ts";
import { type Look, weakGroups } from "./light-loss.ts";

export const ACTS = [
  "change_failed_lamps",
  "light_dark_lamps",
  "change_worn_lamps",
  "mend_supply",
  "clean_sleeves",
  "raise_power",
  "clearer_water",
  "check_sensor",
] as const;
export type RemedyAct = (typeof ACTS)[number];

export interface Remedy {
  readonly act: RemedyAct;
  /** Numbers of the lamps concerned, 1 to 16. */
  readonly lamps: readonly number[];
  /** Range of the expected gain in W/m², to tenths; null: not known. */
  readonly gain: { readonly low_w_m2: number; readonly high_w_m2: number } | null;
  /** The side of the limit that the UV reaches by it; null: not known. */
  readonly reaches: "above_limit" | "below_limit" | null;
}

/** The lamps that need a remedy, as positions. */
export interface FaultyLamps {
  readonly failed: readonly number[];
  readonly dark: readonly number[];
  readonly past_life: readonly number[];
  readonly weak: readonly number[];
}

/** The lamps that need a remedy; one past its life isn't repeated if failed, dark or weak. */
export function faultyLamps(now: readonly Look[], past: readonly number[]): FaultyLamps {
  const newest = now.at(-1)?.lamps ?? [];
  const burning = (word: string) =>
    newest.flatMap((lamp, position) => (lamp.burning === word ? [position] : []));
  const [failed, dark, weak] = [burning("failed"), burning("dark"), weakIn(now)];
  const others = new Set([...failed, ...dark, ...weak]);
  return { failed, dark, weak, past_life: past.filter((position) => !others.has(position)) };
}

interface RemediesInput {
  readonly now_w_m2: number;
  readonly limit_w_m2: number | null;
  readonly rows: readonly Contribution[];
  readonly seen: FaultyLamps;
  readonly gains: CleaningGains;
}

type Gain = Remedy["gain"];

/** Remedies of worthwhile effect: the surest gain first, those of unknown gain last. */
export function remediesOf(times: TwoTimes, asked: RemediesInput): readonly Remedy[] {
  const { now_w_m2, limit_w_m2, rows, seen, gains } = asked;
  const isLost = (cause: Contribution["cause"]) =>
    rows.some(
      (row) => row.cause === cause && row.w_m2 !== null && row.w_m2 <= -LOST_MIN * now_w_m2,
    );
  const isUnclear = rows.some(({ cause, w_m2 }) => cause === "sleeves" && w_m2 === null);
  const isRest = isLost("unexplained");
  const renewed = (positions: readonly number[]) => lampGain(times, positions, now_w_m2);
  const found: (readonly [RemedyAct, readonly number[], Gain] | null)[] = [
    seen.failed.length > 0 ? ["change_failed_lamps", seen.failed, renewed(seen.failed)] : null,
    seen.dark.length > 0 && isLost("lamps")
      ? ["light_dark_lamps", seen.dark, renewed(seen.dark)]
      : null,
    seen.past_life.length > 0
      ? ["change_worn_lamps", seen.past_life, renewed(seen.past_life)]
      : null,
    seen.weak.length > 0 ? ["mend_supply", seen.weak, supplyGain(times.now, now_w_m2)] : null,
    isLost("sleeves") || (isUnclear && isRest)
      ? ["clean_sleeves", [], sleeveGain(times, gains, now_w_m2)]
      : null,
    isLost("power") && seen.weak.length === 0
      ? ["raise_power", [], backTo(powerFactor(times).log, now_w_m2)]
      : null,
    isLost("water") ? ["clearer_water", [], backTo(waterFactor(times).log, now_w_m2)] : null,
    isLost("sensor") || isRest ? ["check_sensor", [], null] : null,
  ];
  return found
    .flatMap((each) => (each === null ? [] : [each]))
    .map(([act, positions, gain]) => ({
      ...{ act, lamps: positions.map((position) => position + 1), gain },
      reaches: reachedBy(gain, now_w_m2, limit_w_m2),
    }))
    .toSorted((one, other) => sureness(other) - sureness(one));
}

/** Sort key: the sure gain; the water, which nobody aboard can change, comes last. */
function sureness({ act, gain }: Remedy): number {
  return act === "clearer_water" ? -2 : (gain?.low_w_m2 ?? -1);
}

/** Minimum loss, as a share of the light, that is worth a remedy. */
const LOST_MIN = 0.02;

function reachedBy(gain: Gain, now_w_m2: number, limit: number | null): Remedy["reaches"] {
  if (gain === null || limit === null) return null;
  if (now_w_m2 + gain.low_w_m2 >= limit) return "above_limit";
  return now_w_m2 + gain.high_w_m2 < limit ? "below_limit" : null;
}

/** The gain of new lamps: at least as if they gave the others' output, at most a new lamp's. */
function lampGain(times: TwoTimes, positions: readonly number[], now_w_m2: number): Gain {
  const { now } = lampOutputs(times);
  const known = now.filter((output) => output !== null);
  const fitted = times.now.at(-1)?.lamps.length ?? 0;
  const others = now.filter(
    (output, at) => output !== null && output > 0 && !positions.includes(at),
  );
  if (known.length === 0 || others.length === 0) return null;
  const mean = known.reduce((sum, output) => sum + output, 0) / known.length;
  const usual = median(others.map(Number));
  const best = Math.max(1, usual);
  const own = positions.map((position) => now[position] ?? null);
  if (own.some((output) => output === null)) return null;
  const risen = (to: number) =>
    own.reduce<number>((sum, output) => sum + Math.max(0, to - Number(output)), 0);
  return between(...[risen(usual), risen(best)].map((sum) => (now_w_m2 * sum) / (mean * fitted)));
}

function supplyGain(now: readonly Look[], now_w_m2: number): Gain {
  const lamps = now.at(-1)?.lamps ?? [];
  const missing = weakGroups(lamps).reduce(
    (sum, { members, share }) => sum + (members.length / lamps.length) * (1 - share),
    0,
  );
  if (!(missing > 0 && missing < 1)) return null;
  const gain = now_w_m2 * (missing / (1 - missing));
  return between(gain, gain);
}

/** Maximum fouling time, as a multiple of the longest interval seen; beyond it no gain is known. */
const LONGER_MAX = 3;

/** The gain of a cleaning, by the sleeves' loss per hour before earlier cleanings. */
function sleeveGain(times: TwoTimes, { loss_per_h }: CleaningGains, now_w_m2: number): Gain {
  const { now_h } = cleanedHours(times);
  if (loss_per_h === null || now_h === null) return null;
  if (now_h > LONGER_MAX * loss_per_h.longest_h) return null;
  const gain = (rate: number) => now_w_m2 * Math.expm1(rate * Math.max(0, now_h));
  return between(gain(loss_per_h.low), gain(loss_per_h.high));
}

/** The gain if a factor returned to its value at the time of comparison. */
function backTo(log: number | null, now_w_m2: number): Gain {
  if (log === null) return null;
  const gain = now_w_m2 * Math.expm1(-log);
  return between(gain, gain);
}

function between(low = Number.NaN, high = Number.NaN): Gain {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return null;
  return { low_w_m2: inTenths(low), high_w_m2: inTenths(high) };
}
