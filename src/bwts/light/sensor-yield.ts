// The UV sensor's yield, which shows the state of the sleeves: the log of its light divided by the
// lamps' light and the water factor. Its dependence on set power and water temperature, and its own
// drift, are taken out first: the drift is a straight line through the yields just after cleanings.

import { median } from "../ranks.ts";
import { APART_MAX } from "./common-steps.ts";
import type { Conditions } from "./conditions.ts";
import { type Estimate, type FitRow, robustFit } from "./robust-fit.ts";

/** Minimum number of yields for a drift, and of yields just after cleanings (else all count). */
const YIELDS_MIN = 8;
const CLEAN_YIELDS_MIN = 4;
/** Minimum noise of a step, and of a yield. */
const YIELD_SCALE_MIN = 0.003;
const DRIFT_SCALE_MIN = 0.005;
/** Priors for set power, water, their squares, and hours since cleaning: see `Conditions`. */
const YIELD_PRIORS: readonly Estimate[] = [
  { mean: 0.1, sd: 0.1 },
  { mean: 0, sd: 0.03 },
  { mean: 0, sd: 0.03 },
  { mean: 0, sd: 0.02 },
  { mean: -0.005, sd: 0.03 },
];
/** Priors for the level, and for the drift in 1,000 h. */
const DRIFT_PRIORS: readonly Estimate[] = [
  { mean: 0, sd: 0.3 },
  { mean: 0, sd: 0.1 },
];

function yieldFactors({ power, water, since }: Conditions): readonly number[] {
  return [power, power ** 2, water, water ** 2, since];
}

/** The sensor's yields without the effects of set power, water and its own drift; and the drift. */
export function sensorYields(conditions: readonly Conditions[]): {
  readonly yields: readonly (number | null)[];
  readonly drift: Estimate | null;
} {
  const yields: (number | null)[] = conditions.map(() => null);
  const seen = conditions.flatMap((each, at) =>
    each.sensor_yield === null ? [] : [{ ...each, at, value: each.sensor_yield }],
  );
  if (seen.length < YIELDS_MIN) return { yields, drift: null };
  const rows = seen.slice(1).flatMap((to, i): readonly FitRow[] => {
    const from = seen[i];
    if (to.at - from.at > APART_MAX) return [];
    const before = yieldFactors(from);
    const terms = yieldFactors(to).map((each, at) => [at, each - before[at]] as const);
    return [{ value: to.value - from.value, terms }];
  });
  const found = robustFit(rows, { priors: YIELD_PRIORS, scale_min: YIELD_SCALE_MIN });
  const own = seen.map((each) => {
    const [power, square, water, waterSquare] = yieldFactors(each);
    const by = [power, square, water, waterSquare].map((factor, at) => factor * found[at].mean);
    return { ...each, value: by.reduce((value, each_by) => value - each_by, each.value) };
  });
  const clean = own.filter(({ interval }, i) => i > 0 && own[i - 1].interval !== interval);
  const base = clean.length >= CLEAN_YIELDS_MIN ? clean : own;
  const level = median(base.map(({ value }) => value));
  const points = base.map(
    ({ value, time }): FitRow => ({
      value: value - level,
      terms: [
        [0, 1],
        [1, time / 10],
      ],
    }),
  );
  const [start, drift] = robustFit(points, { priors: DRIFT_PRIORS, scale_min: DRIFT_SCALE_MIN });
  for (const { at, value, time } of own)
    yields[at] = value - level - start.mean - (drift.mean * time) / 10;
  return { yields, drift };
}
