// The evidence of a ship's lamps together: the size and length of deviations from any curve, the
// shape of the curve, and the cluster of its ends. Shapes and clusters are learned jointly: old
// lamps show both, and a young lamp's curve must then lead to an end like theirs.

import { CLUSTERS } from "./clusters.ts";
import { areAlike, CURVE_SHAPES, END_SHARES, SHAPE_PRIOR } from "./curve.ts";
import { forLikely, type LampEvidence, STRAYINGS } from "./evidence.ts";

/** Lamps of a ship see one plant, so each counts as a part of an independent witness. */
const POOLED = 0.6;
/**
 * A lamp seen for less than this share of the rated hours counts for less, in proportion: a slow
 * wave in the light of all lamps can't be told from their ageing until it comes back.
 */
const SEEN_WHOLE = 0.4;
/** Prior probability of a ship whose lamps share no curve. */
const APART = 0.5;
/** Prior weights: same curve as the ship, a similar one, any. */
const SHAPE_OWN = 0.7;
const SHAPE_ANY = 0.05;
/** Prior weight of a deviation other than that of the ship's lamps. */
const STRAYING_ANY = 0.2;
/** Relative likelihood that none is below. */
const LEAST = 1e-30;

const LIKENESS = CURVE_SHAPES.map((_, at) => likenessTo(at));

/** By the ship's shape, and by cluster; the last row is that of lamps that share no shape. */
type ByShape = readonly Float64Array[];

/** The agreement of the ship's curves with one lamp. */
interface Agreement {
  /** Probability of each deviation for this lamp, from the others. */
  readonly strayings: Float64Array;
  /** Logs of relative likelihoods. */
  readonly logs: ByShape;
}

/** The ship's lamps together. */
export interface SharedCurves {
  readonly agreements: ReadonlyMap<LampEvidence, Agreement>;
  /** Logs of the probability of each, up to a constant. */
  readonly logs: ByShape;
}

/** The evidence of the ship's lamps together. */
export function sharedCurves(lamps: readonly LampEvidence[]): SharedCurves {
  const strayed = lamps.map(strayingLogs);
  const all = STRAYINGS.map((_, at) => strayed.reduce((sum, each) => sum + each[at], 0));
  const agreements = new Map(
    lamps.map((lamp, i) => {
      const others = shares(Float64Array.from(all, (sum, at) => sum - strayed[i][at]));
      const any = STRAYING_ANY / STRAYINGS.length;
      const strayings = others.map((each) => (1 - STRAYING_ANY) * each + any);
      return [lamp, { strayings, logs: agreementLogs(lamp, strayings) }];
    }),
  );
  const priors = [...SHAPE_PRIOR.map((each) => (1 - APART) * each), APART];
  const logs = priors.map((prior) =>
    Float64Array.from(CLUSTERS, ({ share }) => Math.log(prior * share)),
  );
  for (const agreement of agreements.values())
    for (const [at, row] of logs.entries())
      for (let i = 0; i < row.length; i++) row[i] += agreement.logs[at][i];
  return { agreements, logs };
}

/** The power to which a lamp's likelihood counts for the ship's others. */
function witness({ seen_share }: LampEvidence): number {
  return POOLED * Math.min(1, seen_share / SEEN_WHOLE);
}

/** The log of the likelihood of each deviation, whatever the curve. */
function strayingLogs(lamp: LampEvidence): Float64Array {
  const { byShape, most } = lamp;
  const weight = witness(lamp);
  const each = Float64Array.from(byShape, (sums) =>
    sums.reduce((sum, log, shape) => sum + SHAPE_PRIOR[shape] * Math.exp(log - most), 0),
  );
  const mean = each.reduce((sum, one) => sum + one, 0) / each.length;
  return each.map((one) => weight * Math.log((1 - STRAYING_ANY) * one + STRAYING_ANY * mean));
}

function agreementLogs(lamp: LampEvidence, strayings: Float64Array): ByShape {
  const byEnd = CURVE_SHAPES.map(() => new Float64Array(END_SHARES.length));
  forLikely(lamp, strayings, ({ shape }, likelihoods) => {
    const sum = byEnd[shape];
    for (let end = 0; end < sum.length; end++) sum[end] += likelihoods[end];
  });
  const weight = witness(lamp);
  const own = byEnd.map((row) => Float64Array.from(CLUSTERS, ({ ends }) => product(ends, row)));
  return [...LIKENESS, SHAPE_PRIOR].map((weights) => {
    const sums = new Float64Array(CLUSTERS.length).fill(LEAST);
    for (const [shape, row] of own.entries())
      for (let i = 0; i < row.length; i++) sums[i] += weights[shape] * row[i];
    return sums.map((sum) => weight * Math.log(sum));
  });
}

/**
 * The probability of each shape and end for a lamp from the ship's others, without its own points;
 * of all lamps for a lamp without points.
 */
export function expectedEnds(ship: SharedCurves, lamp: LampEvidence | null): ByShape {
  const own = lamp === null ? undefined : ship.agreements.get(lamp);
  const logs = ship.logs.map((row, at) =>
    own === undefined ? row : row.map((log, i) => log - own.logs[at][i]),
  );
  const most = Math.max(...logs.map((row) => Math.max(...row)));
  const masses = logs.map((row) => row.map((log) => Math.exp(log - most)));
  const all = masses.reduce((sum, row) => row.reduce((s, x) => s + x, sum), 0);
  return CURVE_SHAPES.map((_, shape) => {
    const clusters = new Float64Array(CLUSTERS.length);
    for (const [at, row] of masses.entries()) {
      const near = (LIKENESS[at] ?? SHAPE_PRIOR)[shape] / all;
      for (let i = 0; i < row.length; i++) clusters[i] += near * row[i];
    }
    const out = new Float64Array(END_SHARES.length);
    for (const [i, { ends }] of CLUSTERS.entries())
      for (let end = 0; end < out.length; end++) out[end] += clusters[i] * ends[end];
    return out;
  });
}

/** The probability of each end, whatever the shape. */
export function endsOfAll(byShape: ByShape): Float64Array {
  return END_SHARES.map((_, end) => byShape.reduce((sum, row) => sum + row[end], 0));
}

function product(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += one[i] * other[i];
  return sum;
}

/** Numbers in the ratios of `exp(logs)`, 1 in total. */
function shares(logs: Float64Array): Float64Array {
  const most = Math.max(...logs);
  const each = logs.map((log) => Math.exp(log - most));
  const all = each.reduce((sum, one) => sum + one, 0);
  return each.map((one) => one / all);
}

function likenessTo(own: number): Float64Array {
  const alike = CURVE_SHAPES.map((shape, at) => at !== own && areAlike(CURVE_SHAPES[own], shape));
  const count = alike.filter((is) => is).length;
  return Float64Array.from(
    CURVE_SHAPES,
    (_, at) =>
      SHAPE_ANY / CURVE_SHAPES.length +
      (at === own ? SHAPE_OWN : 0) +
      (alike[at] ? (1 - SHAPE_OWN - SHAPE_ANY) / count : 0),
  );
}
