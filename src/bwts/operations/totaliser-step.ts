// The step in which a totaliser counts, from the rises between its values. A totaliser of coarse
// steps stands still while water moves, and is ahead by up to a step. Pure.

import { HOUR_MS } from "../../ground/clock.ts";

/** Steps that totalisers count in, m3. */
const STEPS_M3 = [1000, 500, 100, 50, 25, 20, 10, 5, 2, 1];
/** Values have two or three decimals; smaller differences are errors of binary fractions. */
const NOISE = 1e-6;
/**
 * Time before and after a silence whose rises give the totaliser's step across it. With more, the
 * result would depend on where reading began.
 */
export const STEP_NEAR_MS = 6 * HOUR_MS;

const isMultiple = (rise_m3: number, step_m3: number) =>
  Math.abs(rise_m3 / step_m3 - Math.round(rise_m3 / step_m3)) < NOISE;

/** True for a rise that is clearly no whole number of m3, of which all steps are multiples. */
const isMultipleOfNone = (rise_m3: number) =>
  Math.abs(rise_m3 - Math.round(rise_m3)) > NOISE * STEPS_M3[0];

export function totaliserStep() {
  let at = -1;
  return {
    take(rise_m3: number): void {
      if (rise_m3 <= 0 || at === STEPS_M3.length) return;
      at = Math.max(0, at);
      while (at < STEPS_M3.length && !isMultiple(rise_m3, STEPS_M3[at])) at += 1;
    },
    /** The largest of STEPS_M3 that all rises are multiples of, 0 for none; null without a rise. */
    step_m3: (): number | null => (at < 0 ? null : (STEPS_M3[at] ?? 0)),
  };
}

/** The steps that a totaliser may count in, by its rises near a time. */
interface NearSteps {
  readonly until_ms: number;
  steps_m3: readonly number[];
}

/** Follows a totaliser, and decides for times if its step near them can be above `least_m3`. */
export function stepsAbove(least_m3: number) {
  const steps_m3 = STEPS_M3.filter((step_m3) => step_m3 > least_m3);
  /** For each step, the newest time from which on a rise excluded it. */
  const denied_ms = steps_m3.map(() => Number.NEGATIVE_INFINITY);
  let last: { readonly value: number; readonly at_ms: number } | null = null;
  let open: readonly NearSteps[] = [];
  return {
    /** Takes the values, ascending by time. */
    take(at_ms: number, value: number): void {
      const [rise_m3, since_ms] = [value - (last?.value ?? value), last?.at_ms ?? at_ms];
      last = { value, at_ms };
      if (open.length > 0)
        open = open.filter((near) => near.steps_m3.length > 0 && near.until_ms >= at_ms);
      if (rise_m3 <= 0) return;
      if (isMultipleOfNone(rise_m3)) {
        denied_ms.fill(since_ms);
        for (const near of open) near.steps_m3 = [];
        return;
      }
      for (const [place, step_m3] of steps_m3.entries())
        if (!isMultiple(rise_m3, step_m3)) denied_ms[place] = since_ms;
      for (const near of open)
        near.steps_m3 = near.steps_m3.filter((step_m3) => isMultiple(rise_m3, step_m3));
    },
    /**
     * For a time that ends now: returns a function that is true as soon as rises near it exclude
     * all steps.
     */
    near(from_ms: number, to_ms: number): () => boolean {
      const since_ms = from_ms - STEP_NEAR_MS;
      const near: NearSteps = {
        until_ms: to_ms + STEP_NEAR_MS,
        steps_m3: steps_m3.filter((_, place) => denied_ms[place] < since_ms),
      };
      open = [...open, near];
      return () => near.steps_m3.length === 0;
    },
  };
}
