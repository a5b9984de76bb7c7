// The evidence of a lamp's own points: the likelihood of each deviation, shape and end hour of its
// curve. Sums over grids instead of samples: the same points give the same forecast, in any order.

import { CURVE_SHAPES, type CurveShape, END_PRIOR, END_SHARES, type LampPrior } from "./curve.ts";
import {
  addLogLikelihoods,
  type CurveEnds,
  curveEnds,
  type FilteredPoints,
  filtered,
  type LampPoint,
  mergedPoints,
  pointNoise,
  type Straying,
  unfiltered,
} from "./likelihood.ts";
import { type MakeProfile, makeProfile } from "./make-profile.ts";

/** Deviations of points from a curve: sizes as logs, durations as shares of the rated hours. */
const SIZES = [0.0015, 0.003, 0.0065, 0.014, 0.03];
const LENGTHS = [0.03, 0.1, 0.4];
export const STRAYINGS: readonly Straying[] = SIZES.flatMap((size) =>
  LENGTHS.map((share) => ({ size, share })),
);
/**
 * Exponent of the likelihood of a lamp's own points, which reduces their weight: no curve of the
 * families is quite true, so many points prove less than they would for a true one.
 */
const TRUSTED = 0.5;

/** The likelihood of one lamp's points for every curve, without the ship's other lamps. */
export interface LampEvidence {
  /** The filtered points, by deviation. */
  readonly filtered: readonly FilteredPoints[];
  /** log(sum over end hours of prior times likelihood), by deviation and shape. */
  readonly byShape: readonly Float64Array[];
  /** The maximum of `byShape`. */
  readonly most: number;
  readonly curves: ComparedCurves;
  /** The hours of the last point, as a share of the rated hours. */
  readonly last_share: number;
  /** The hours from the first point to the last, as a share of the rated hours. */
  readonly seen_share: number;
  /** The log of the end-of-life efficiency. */
  readonly end: number;
}

/** The curves that are compared: `CURVE_SHAPES`, and those of the make's profile after them. */
export interface ComparedCurves {
  readonly shapes: readonly CurveShape[];
  /** The curves by their ends, for each shape. */
  readonly ends: readonly CurveEnds[];
  readonly profile: MakeProfile | null;
}

/** The evidence of a lamp's points, at least one, in any order. */
export function lampEvidence(given: readonly LampPoint[], prior: LampPrior): LampEvidence {
  const merged = mergedPoints(given);
  const noise = pointNoise(merged);
  const curves = curvesOf(prior);
  const { shapes, ends, profile } = curves;
  const points = unfiltered(merged, prior);
  const byStraying = STRAYINGS.map((straying) => filtered(points, { noise, straying, shapes }));
  const logs = new Float64Array(END_SHARES.length);
  const byShape = byStraying.map((strayed) =>
    Float64Array.from(shapes, (_, shape) => {
      const span = putLogsOfEnds(logs, { strayed, ends: ends[shape], shape });
      const isProfile = profile !== null && shape >= CURVE_SHAPES.length;
      return logMean(logs, span, isProfile ? profile.clusters[0].ends : END_PRIOR);
    }),
  );
  const most = Math.max(...byShape.map((sums) => Math.max(...sums)));
  const last_h = merged[merged.length - 1].hours;
  const last_share = last_h / prior.rated_h;
  const seen_share = (last_h - merged[0].hours) / prior.rated_h;
  const end = Math.log(prior.end_efficiency);
  return { filtered: byStraying, byShape, most, curves, last_share, seen_share, end };
}

/** The curves by prior: they are the same for all lamps of one. */
const curvesByPrior = new WeakMap<LampPrior, ComparedCurves>();

export function curvesOf(prior: LampPrior): ComparedCurves {
  const known = curvesByPrior.get(prior);
  if (known !== undefined) return known;
  const profile = makeProfile(prior);
  const end = Math.log(prior.end_efficiency);
  const ofShape = (shape: CurveShape, from: number, to: number) => ({
    ...curveEnds(shape, end, END_SHARES),
    ...{ from, to },
  });
  const ends = CURVE_SHAPES.map((shape) => ofShape(shape, 0, END_SHARES.length));
  const own = profile?.shapes ?? [];
  const curves: ComparedCurves = {
    shapes: [...CURVE_SHAPES, ...own.map(({ shape }) => shape)],
    ends: [...ends, ...own.map(({ shape, from, to }) => ofShape(shape, from, to))],
    profile,
  };
  curvesByPrior.set(prior, curves);
  return curves;
}

/** Minimum likelihood, relative to the maximum, at which a curve changes the forecast. */
const LIKELIHOOD_MIN = 1e-5;
/** Log of the relative likelihood below which an end counts as impossible; saves its exp(). */
const LOG_MIN = -16;

/**
 * Calls `take` for each likely deviation and shape with the likelihood of each end, relative to the
 * maximum. `strayings`: the probability of each deviation for the lamp. The array is reused.
 */
export function forLikely(
  lamp: LampEvidence,
  strayings: Float64Array,
  take: (at: { straying: number; shape: number }, likelihoods: Float64Array) => void,
): void {
  const { byShape, most, curves } = lamp;
  const logs = new Float64Array(END_SHARES.length);
  for (const [straying, sums] of byShape.entries())
    for (const [shape, sum] of sums.entries()) {
      const weight = strayings[straying];
      if (weight * Math.exp(sum - most) < LIKELIHOOD_MIN) continue;
      const strayed = lamp.filtered[straying];
      const { from, to } = putLogsOfEnds(logs, { strayed, ends: curves.ends[shape], shape });
      logs.fill(0, 0, from);
      logs.fill(0, to);
      for (let end = from; end < to; end++) {
        const log = logs[end] - most;
        logs[end] = log < LOG_MIN ? 0 : weight * Math.exp(log);
      }
      take({ straying, shape }, logs);
    }
}

/** Puts log(trusted likelihood) of each end of life into `logs`, which is reused. */
function putLogsOfEnds(
  logs: Float64Array,
  { strayed, ends, shape }: { strayed: FilteredPoints; ends: CurveEnds; shape: number },
): Pick<CurveEnds, "from" | "to"> {
  const { log_determinant, products } = strayed;
  logs.fill(0);
  addLogLikelihoods(logs, { products: products[shape], log_determinant }, ends);
  for (let end = 0; end < logs.length; end++) logs[end] *= TRUSTED;
  return ends;
}

/** log(sum of exp(logs) weighted by `expected`), without negligible terms. */
function logMean(
  logs: Float64Array,
  { from, to }: Pick<CurveEnds, "from" | "to">,
  expected: Float64Array,
): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = from; i < to; i++) if (logs[i] > most) most = logs[i];
  let sum = Number.MIN_VALUE;
  for (let i = from; i < to; i++)
    if (logs[i] > most - 30) sum += expected[i] * Math.exp(logs[i] - most);
  return most + Math.log(sum);
}
