// The loss of light at the usual set power. Common effects are learned relative to that power. If a
// ship usually runs dimmed, its new lamps show how much light that takes; without new lamps the
// highest usual power counts as full.

import { median, quantile } from "../ranks.ts";
import type { LifeLogs } from "./common-steps.ts";

/** Hours in which a lamp is new: after its burn-in, before it has aged much. */
const NEW_FROM_H = 50;
const NEW_TO_H = 250;
/** The light that a lamp has lost by then, as a natural logarithm: 1 %. */
const NEW_LOST = 0.01;
/** Minimum number of new lamps: fewer may be dim by themselves. */
const LAMPS_MIN = 3;
/** Quantile of the stretches' set powers that counts as full power without new lamps. */
const USUAL_MOST = 0.95;

/** The log by which all lamps are brighter at full power than at the usual one. */
export function dimmedBy(
  lives: readonly LifeLogs[],
  given: {
    /** Set power in each stretch where it is known, in %. */
    readonly powers: readonly number[];
    /** Effect of 10 points of set power on the lamps, as a log. */
    readonly power: number;
    readonly off: readonly number[];
  },
): number {
  const { powers, power, off } = given;
  if (powers.length === 0 || !(power > 0)) return 0;
  const usual = median(powers);
  const by = (full: number) => (power * (full - usual)) / 10;
  const lights = lives.flatMap((life) => newLight(life, off) ?? []);
  if (lights.length < LAMPS_MIN) return by(quantile(powers, USUAL_MOST));
  return Math.min(by(Math.max(...powers)), Math.max(0, -median(lights) - NEW_LOST));
}

/** A lamp's light when it was new, as a log; null if that wasn't seen. */
function newLight({ first, values, hours }: LifeLogs, off: readonly number[]): number | null {
  if (hours === undefined) return null;
  const seen = values.flatMap((value, i) => {
    const at_h = hours[i];
    if (value === null || at_h === null || at_h < NEW_FROM_H || at_h > NEW_TO_H) return [];
    return [value - (off[first + i] ?? 0)];
  });
  return seen.length === 0 ? null : median(seen);
}
