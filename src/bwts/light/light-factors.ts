// The part of the UV intensity's change between two times that is the lamps', the water's and the
// power's by their own readings: each a factor, as the logarithm of now over then, so that they add
// up. A factor that isn't measured at both times is a reason instead of a number. Pure, without
// zod.

import { median } from "../ranks.ts";
import { LAMP_COUNT } from "../tags.ts";
import { type Look, weakGroups } from "./light-loss.ts";

/** A factor's logarithm, or why it isn't known. */
export type Factor =
  | { readonly log: number }
  | { readonly log: null; readonly reason: UnknownFactor };
export type UnknownFactor = "not_sent_now" | "not_sent_before" | "contradicted";

/** Looks at the plant now and at the time of comparison; neither is empty. */
export interface TwoTimes {
  readonly now: readonly Look[];
  readonly before: readonly Look[];
}

/** Lamps known at both times: fewer of those that are fitted don't stand for all. */
const KNOWN_SHARE = 0.75;

/** Output as a share of a new lamp's, by position: 0 of a failed or dark lamp, null: not known. */
export type Outputs = readonly (number | null)[];

/** The median output of each lamp. A lamp without any known output counts as new while it burns. */
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

/** The lamps' mean output, over those known at both times and with a whole supply. */
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

/** The water factor: 1 is clear water. */
export function waterFactor(times: TwoTimes): Factor {
  return factorOf(waterOf(times.now), waterOf(times.before));
}

export const waterOf = (looks: readonly Look[]) => medianOf(looks.map(({ water }) => water));

/** Both kinds of power readings agree within this, as a logarithm. */
const POWERS_AGREE = 0.05;

/**
 * The power of a lamp that burns. The lamps' own readings count where they are sent; the reactor's
 * must agree with them, with or without what failed lamps don't take. Where lamps' readings are
 * missing the reactor's alone counts, unless other lamps burn: then it isn't that of a lamp.
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

/** The reactor's power, % of rated. */
export const powerOf = (looks: readonly Look[]) =>
  medianOf(looks.map(({ power_pct }) => power_pct));

/** The mean power of the lamps that burn, W; null where it isn't known of each of them. */
export const lampPowerOf = (looks: readonly Look[]) =>
  medianOf(
    looks.map(({ lamps }) => {
      const powers = lamps.flatMap(({ burning, power_w }) => (burning === "lit" ? [power_w] : []));
      const known = powers.filter((power): power is number => power !== null && power > 0);
      if (powers.length === 0 || known.length < powers.length) return null;
      return known.reduce((sum, power) => sum + power, 0) / known.length;
    }),
  );

/** The number of lamps that burn; null where that isn't known of any. */
const litOf = (looks: readonly Look[]) =>
  medianOf(
    looks.map(({ lamps }) =>
      lamps.some(({ burning }) => burning !== null)
        ? lamps.filter(({ burning }) => burning === "lit").length
        : null,
    ),
  );

/** The positions whose supply is weak. */
export function weakIn(looks: readonly Look[]): readonly number[] {
  const newest = looks.at(-1);
  return newest === undefined ? [] : weakGroups(newest.lamps).flatMap(({ members }) => members);
}

/** The median of what is known; null where that is less than half. */
export function medianOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 || known.length < values.length / 2 ? null : median(known);
}

function factorOf(now: number | null, before: number | null): Factor {
  if (now === null) return unknown("not_sent_now");
  if (before === null) return unknown("not_sent_before");
  return ratio(now, before);
}

/** Light came, so nothing that it passes through can be 0. */
function ratio(now: number, before: number): Factor {
  return now > 0 && before > 0 ? { log: Math.log(now / before) } : unknown("contradicted");
}

const unknown = (reason: UnknownFactor): Factor => ({ log: null, reason });
