// Recognises efficiencies that a PLC computes from a lamp's hours instead of measuring them. Such
// numbers say nothing about the lamp, and a forecast from them would be confident and empty. The
// formula needn't be known: with it, lamps of equal hours have equal efficiencies in all lives.
// Real lamps differ.

/** A point of a life. */
export interface CounterPoint {
  readonly hours: number;
  readonly efficiency: number;
}

/** Fewer lives may be alike by chance. */
const LIVES_MIN = 4;
/** Points needed that have points of other lives near by. */
const POINTS_MIN = 60;
/** Near by: within this many hours on either side. */
const NEAR_H = 25;
/** Lamps that were fitted together have equal hours, except for rounding. */
const SAME_H = 0.5;
/** Lamps may differ by a step of rounding, and slightly more for sums of decimals. */
const STEPS_OFF = 1.001;
/** Finer rounding than 0.1 % counts as 0.1 %: no sensor has so little noise. */
const STEP_FINE = 0.1;
const STEP_WHOLE = 1;
/** Lamps must have fallen by this much, in percent and in steps, since new lamps are alike. */
const FALL_MIN = 3;
const FALL_STEPS = 10;
/** The share of compared points that must agree: medians at a step of the formula may not. */
const AGREEING = 0.98;

/** True if the lives' efficiencies are one function, of any form, of their hours. */
export function isCounterDerived(lives: readonly (readonly CounterPoint[])[]): boolean {
  const points = lives
    .flatMap((life, at) => life.map((point) => ({ ...point, life: at })))
    .sort((one, other) => one.hours - other.hours || one.efficiency - other.efficiency);
  const step = roundingStep(points);
  const compared = points.flatMap((point, at) => {
    const range = othersAround(points, at);
    return range === null ? [] : [{ ...point, ...range }];
  });
  if (compared.length < POINTS_MIN) return false;
  const efficiencies = compared.map(({ efficiency }) => efficiency);
  const fall = Math.max(...efficiencies) - Math.min(...efficiencies);
  const agreeing = compared.filter(
    ({ efficiency, low, high }) =>
      efficiency >= low - STEPS_OFF * step && efficiency <= high + STEPS_OFF * step,
  );
  return (
    new Set(compared.map(({ life }) => life)).size >= LIVES_MIN &&
    fall >= Math.max(FALL_MIN, FALL_STEPS * step) &&
    agreeing.length >= AGREEING * compared.length
  );
}

interface LifePoint extends CounterPoint {
  readonly life: number;
}

/**
 * The range of efficiencies in which a formula would put a point, from points of other lives: those
 * at the same hours if there are any, else those at the nearest hours before and after; null
 * without both.
 */
function othersAround(
  points: readonly LifePoint[],
  at: number,
): { readonly low: number; readonly high: number } | null {
  const same = [
    ...othersFrom(points, { at, way: -1, within_h: SAME_H }),
    ...othersFrom(points, { at, way: 1, within_h: SAME_H }),
  ];
  if (same.length > 0) return { low: Math.max(...same), high: Math.min(...same) };
  const before = othersFrom(points, { at, way: -1, within_h: NEAR_H }).next().value;
  const after = othersFrom(points, { at, way: 1, within_h: NEAR_H }).next().value;
  if (before === undefined || after === undefined) return null;
  return { low: Math.min(before, after), high: Math.max(before, after) };
}

/** Efficiencies of other lives, from the point at `at` on, one `way`. */
function* othersFrom(
  points: readonly LifePoint[],
  { at, way, within_h }: { at: number; way: 1 | -1; within_h: number },
): Generator<number, undefined> {
  const { hours, life } = points[at];
  for (let i = at + way; i >= 0 && i < points.length; i += way) {
    const other = points[i];
    if (Math.abs(other.hours - hours) > within_h) return;
    if (other.life !== life) yield other.efficiency;
  }
}

/** The rounding step of the efficiencies: whole percents (or halves for medians), or finer. */
function roundingStep(points: readonly CounterPoint[]): number {
  const isHalf = ({ efficiency }: CounterPoint) =>
    Math.abs(2 * efficiency - Math.round(2 * efficiency)) < 1e-6;
  return points.every(isHalf) ? STEP_WHOLE : STEP_FINE;
}
