// The parts of the UV intensity's change between two times that are due to lamps, water and power
// by their own readings: each a factor, as the logarithm of now / before, so that they add up. A
// factor that isn't measured at both times has a reason instead of a number. Pure, without zod.

import { median } from "../ranks.ts";
import { LAMP_COUNT } from "../tags.ts";
import { type Look, weakGroups } from "./light-loss.ts";

/** The logarithm of a factor, or the reason why it isn't known. */
export type Factor =
  | { readonly log: number }
  | { readonly log: null; readonly reason: UnknownFactor };
export type UnknownFactor = "not_sent_now" | "not_sent_before" | "contradicted";

/** Looks at the plant now and at the time of comparison; neither is empty. */
export interface TwoTimes {
  readonly now: readonly Look[];
  readonly before: readonly Look[];
}

/** Minimum share of the lamps that must be known at both times to represent all. */
const KNOWN_SHARE = 0.75;

/** Outputs by position, as shares of a new lamp's: 0 for a failed or dark lamp, null: not known. */
export type Outputs = readonly (number | null)[];

/** The median output of each lamp. If no lamp's output is sent, burning lamps count as new. */
export function lampOutputs({ now, before }: TwoTimes): { now: Outputs; before: Outputs } {
  const isReported = [...now, ...before].some(({ lamps }) =>
    lamps.some(({ efficiency_pct }) => efficiency_pct !== null),
  );
  const outputs = (looks: readonly Look[]) =>
    Array.from({ length: LAMP_COUNT }, (_, position) =>
      medianOf(
        looks.map(({ lamps }) => {
          const { burning = null, efficiency_pct = null } = lamps[position] ?? {};
          if (burning === "failed" || burning === "dark") return 0;
          if (efficiency_pct !== null) return efficiency_pct / 100;
          return burning === "lit" && !isReported ? 1 : null;
        }),
      ),
    );
  return { now: outputs(now), before: outputs(before) };
}

/** The change of the lamps' mean output, over lamps known at both times and with full supply. */
export function lampFactor(times: TwoTimes): Factor {
  const outputs = lampOutputs(times);
  const weak = new Set([...weakIn(times.now), ...weakIn(times.before)]);
  const sound = (side: Outputs) => side.map((output, at) => (weak.has(at) ? null : output));
  const [now, before] = [sound(outputs.now), sound(outputs.before)];
  const both = now.flatMap((output, at) => {
    const earlier = before[at];
    return output === null || earlier === null ? [] : [[output, earlier] as const];
  });
  const seen = now.filter((output, at) => output !== null || before[at] !== null).length;
  if (both.length === 0 || both.length < KNOWN_SHARE * seen) {
    const isNow = count(now) < count(before) || count(now) === 0;
    return unknown(isNow ? "not_sent_now" : "not_sent_before");
  }
  return ratio(
    both.reduce((sum, [output]) => sum + output, 0),
    both.reduce((sum, [, output]) => sum + output, 0),
  );
}

const count = (side: Outputs) => side.filter((output) => output !== null).length;

/** The change of the water factor (1 is clear water). */
export function waterFactor(times: TwoTimes): Factor {
  return factorOf(waterOf(times.now), waterOf(times.before));
}

export const waterOf = (looks: readonly Look[]) => medianOf(looks.map(({ water }) => water));

/** Maximum difference, as a logarithm, at which lamps' and reactor's power readings agree. */
const POWERS_AGREE = 0.05;

/**
 * The change of the power of a burning lamp. The lamps' own readings are used if they are sent; the
 * reactor's must agree with them, with or without the share of failed lamps. Without them the
 * reactor's is used, unless the number of burning lamps changed.
 */
export function powerFactor({ now, before }: TwoTimes): Factor {
  const reactor = factorOf(powerOf(now), powerOf(before));
  const lamps = factorOf(lampPowerOf(now), lampPowerOf(before));
  const burning = factorOf(litOf(now), litOf(before));
  if (lamps.log === null)
    return reactor.log !== null && burning.log !== null && Math.abs(burning.log) > 1e-9
      ? unknown("contradicted")
      : reactor;
  if (reactor.log === null || burning.log === null) return lamps;
  const off = reactor.log - lamps.log;
  const agrees = Math.min(Math.abs(off), Math.abs(off - burning.log)) <= POWERS_AGREE;
  return agrees ? lamps : unknown("contradicted");
}

/** The reactor's median power, % of rated. */
export const powerOf = (looks: readonly Look[]) =>
  medianOf(looks.map(({ power_pct }) => power_pct));

/** The mean power of the burning lamps, W; null unless it is known for each of them. */
export const lampPowerOf = (looks: readonly Look[]) =>
  medianOf(
    looks.map(({ lamps }) => {
      const powers = lamps.flatMap(({ burning, power_w }) => (burning === "lit" ? [power_w] : []));
      const known = powers.filter((power): power is number => power !== null && power > 0);
      if (powers.length === 0 || known.length < powers.length) return null;
      return known.reduce((sum, power) => sum + power, 0) / known.length;
    }),
  );

/** The number of burning lamps; null if no lamp's status is known. */
const litOf = (looks: readonly Look[]) =>
  medianOf(
    looks.map(({ lamps }) =>
      lamps.some(({ burning }) => burning !== null)
        ? lamps.filter(({ burning }) => burning === "lit").length
        : null,
    ),
  );

/** The positions whose supply is weak in the newest look. */
export function weakIn(looks: readonly Look[]): readonly number[] {
  const newest = looks.at(-1);
  return newest === undefined ? [] : weakGroups(newest.lamps).flatMap(({ members }) => members);
}

/** The median of the known values; null if fewer than half are known. */
export function medianOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 || known.length < values.length / 2 ? null : median(known);
}

function factorOf(now: number | null, before: number | null): Factor {
  if (now === null) return unknown("not_sent_now");
  if (before === null) return unknown("not_sent_before");
  return ratio(now, before);
}

/** The logarithm of a ratio. A factor of 0 contradicts the light that was measured. */
function ratio(now: number, before: number): Factor {
  return now > 0 && before > 0 ? { log: Math.log(now / before) } : unknown("contradicted");
}

const unknown = (reason: UnknownFactor): Factor => ({ log: null, reason });
