// The evidence of a lamp's own points: the likelihood of every deviation, shape and hour of the end
// of its curve. Exact sums over grids instead of sampling: the same points give the same forecast,
// in any order.

import { CURVE_SHAPES, END_PRIOR, END_SHARES, type LampPrior } from "./curve.ts";
import {
  addLogLikelihoods,
  type CurveEnds,
  curveEnds,
  type Filtered,
  filtered,
  type LampPoint,
  mergedPoints,
  pointNoise,
  type Straying,
  unfiltered,
} from "./likelihood.ts";

/** Deviations of points from a curve: sizes as logs, durations as shares of the rated hours. */
const SIZES = [0.0015, 0.003, 0.0065, 0.014, 0.03];
const LENGTHS = [0.03, 0.1, 0.4];
export const STRAYINGS: readonly Straying[] = SIZES.flatMap((size) =>
  LENGTHS.map((share) => ({ size, share })),
);
/**
 * Power of the likelihood of a lamp's own points: no curve of the families is quite true, so that
 * many points say less than they would of a true one.
 */
const TRUSTED = 0.5;

/** The likelihood of one lamp's points for every curve, without the ship's other lamps. */
export interface LampEvidence {
  /** By deviation. */
  readonly filtered: readonly Filtered[];
  /** log(sum over end hours of prior times likelihood), by deviation and shape. */
  readonly byShape: readonly Float64Array[];
  /** The greatest of these. */
  readonly most: number;
  /** By shape. */
  readonly ends: readonly CurveEnds[];
  /** The hours of the last point, as a share of the rated hours. */
  readonly last_share: number;
  /** The hours from the first point to the last, as a share of the rated hours. */
  readonly seen_share: number;
  /** The log of the end-of-life efficiency. */
  readonly end: number;
}

/** Evaluates a lamp's points, at least one, in any order. */
export function lampEvidence(given: readonly LampPoint[], prior: LampPrior): LampEvidence {
  const merged = mergedPoints(given);
  const noise = pointNoise(merged);
  const end = Math.log(prior.end_efficiency);
  const ends = endsOf(prior, end);
  const points = unfiltered(merged, prior);
  const byStraying = STRAYINGS.map((straying) =>
    filtered(points, { noise, straying, shapes: CURVE_SHAPES }),
  );
  const logs = new Float64Array(END_SHARES.length);
  const byShape = byStraying.map((strayed) =>
    Float64Array.from(ends, (each, shape) => {
      putLogsOfEnds(logs, { strayed, ends: each, shape });
      return logMean(logs);
    }),
  );
  const most = Math.max(...byShape.map((sums) => Math.max(...sums)));
  const last_h = merged[merged.length - 1].hours;
  const last_share = last_h / prior.rated_h;
  const seen_share = (last_h - merged[0].hours) / prior.rated_h;
  return { filtered: byStraying, byShape, most, ends, last_share, seen_share, end };
}

/** The curves are the same for all lamps of a prior. */
const endsByPrior = new WeakMap<LampPrior, readonly CurveEnds[]>();

function endsOf(prior: LampPrior, end: number): readonly CurveEnds[] {
  const known = endsByPrior.get(prior);
  const ends = known ?? CURVE_SHAPES.map((shape) => curveEnds(shape, end, END_SHARES));
  if (known === undefined) endsByPrior.set(prior, ends);
  return ends;
}

/** Curves with less of the greatest likelihood don't change the forecast. */
const LIKELIHOOD_MIN = 1e-5;
/** An end less likely than exp of this counts as impossible: its exp isn't computed. */
const LOG_MIN = -16;

/**
 * Calls `take` for each likely deviation and shape, given how likely deviations are for the lamp,
 * with the likelihood of each end, relative to the greatest; the array is reused.
 */
export function forLikely(
  lamp: LampEvidence,
  strayings: Float64Array,
  take: (at: { straying: number; shape: number }, likelihoods: Float64Array) => void,
): void {
  const logs = new Float64Array(END_SHARES.length);
  for (const [straying, sums] of lamp.byShape.entries())
    for (const [shape, sum] of sums.entries()) {
      const weight = strayings[straying];
      if (weight * Math.exp(sum - lamp.most) < LIKELIHOOD_MIN) continue;
      putLogsOfEnds(logs, { strayed: lamp.filtered[straying], ends: lamp.ends[shape], shape });
      for (let end = 0; end < logs.length; end++) {
        const log = logs[end] - lamp.most;
        logs[end] = log < LOG_MIN ? 0 : weight * Math.exp(log);
      }
      take({ straying, shape }, logs);
    }
}

/** Puts log(trusted likelihood) of each end of life into `logs`, which is reused. */
function putLogsOfEnds(
  logs: Float64Array,
  { strayed, ends, shape }: { strayed: Filtered; ends: CurveEnds; shape: number },
): void {
  const { log_determinant, products } = strayed;
  logs.fill(0);
  addLogLikelihoods(logs, { products: products[shape], log_determinant }, ends);
  for (let end = 0; end < logs.length; end++) logs[end] *= TRUSTED;
}

/** log(mean of exp(logs), by the prior of ends); negligible terms are left out. */
function logMean(logs: Float64Array): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < logs.length; i++) if (logs[i] > most) most = logs[i];
  let sum = Number.MIN_VALUE;
  for (let i = 0; i < logs.length; i++)
    if (logs[i] > most - 30) sum += END_PRIOR[i] * Math.exp(logs[i] - most);
  return most + Math.log(sum);
}
