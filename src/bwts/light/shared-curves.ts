// The evidence of a ship's lamps together: the size and length of deviations from any curve, the
// shape of the curve, and the cluster of its ends. Shapes and clusters are learned jointly: old
// lamps show both, and a young lamp's curve must then lead to an end like theirs.

import { CLUSTERS, type EndCluster } from "./clusters.ts";
import { areAlike, CURVE_SHAPES, END_SHARES, type LampPrior, SHAPE_PRIOR } from "./curve.ts";
import { curvesOf, forLikely, type LampEvidence, STRAYINGS } from "./evidence.ts";
import type { MakeProfile } from "./make-profile.ts";

/** Weight of each lamp as a witness: lamps of a ship see one plant, and aren't independent. */
const POOLED = 0.6;
/**
 * Share of the rated hours for which a lamp must be known to count fully; less counts in
 * proportion. A slow wave in all lamps' light looks like ageing until it comes back.
 */
const SEEN_WHOLE = 0.4;
/** Prior probability of a ship whose lamps share no curve. */
const APART = 0.5;
/** Prior weights of a lamp's shape: the ship's own, and any; the rest is for similar ones. */
const SHAPE_OWN = 0.7;
const SHAPE_ANY = 0.05;
/** Prior weight of a deviation other than that of the ship's lamps. */
const STRAYING_ANY = 0.2;
/** Minimum relative likelihood. */
const LEAST = 1e-30;

/** Prior probability of a ship whose lamps follow the make's profile, where there is one. */
const PROFILED = 0.5;

/** Numbers by row of the ship (see `SharedRow`), and by cluster. */
type ByRow = readonly Float64Array[];

/** Numbers by shape (all of the make's profile are one), and by end. */
type ByShape = readonly Float64Array[];

/** Prior weights of the shapes of a ship with a profile; the profile is the last one. */
const PROFILE_PRIOR = Float64Array.of(
  ...SHAPE_PRIOR.map((each) => (1 - PROFILED) * each),
  PROFILED,
);

/** A hypothesis: shapes and ends that a ship's lamps may share. */
interface SharedRow {
  readonly prior: number;
  /** Weights of the shapes for a lamp, 1 in total; shapes beyond the array have none. */
  readonly weights: Float64Array;
  readonly clusters: readonly EndCluster[];
}

/** The rows without a profile: one for each shape of the ship, and one for no common shape. */
const ROWS: readonly SharedRow[] = [
  ...CURVE_SHAPES.map((_, at) => ({
    prior: (1 - APART) * SHAPE_PRIOR[at],
    weights: likenessTo(at),
    clusters: CLUSTERS,
  })),
  { prior: APART, weights: SHAPE_PRIOR, clusters: CLUSTERS },
];

/** Weights of the shapes if the lamps follow the profile, which is similar to no other shape. */
const PROFILE_WEIGHTS = Float64Array.of(
  ...SHAPE_PRIOR.map((each) => (1 - SHAPE_OWN) * each),
  SHAPE_OWN,
);

/** The rows with the make's profile as the last one, if there is one. */
function rowsOf(profile: MakeProfile | null): readonly SharedRow[] {
  if (profile === null) return ROWS;
  return [
    ...ROWS.map((row) => ({ ...row, prior: (1 - PROFILED) * row.prior })),
    { prior: PROFILED, weights: PROFILE_WEIGHTS, clusters: profile.clusters },
  ];
}

/** The index of a shape's likelihoods: all shapes of the make's profile have one. */
export function rowOf(shape: number): number {
  return Math.min(shape, CURVE_SHAPES.length);
}

/** The agreement of the ship's curves with one lamp. */
interface Agreement {
  /** Probability of each deviation for this lamp, from the others. */
  readonly strayings: Float64Array;
  /** Logs of the lamp's relative likelihoods. */
  readonly logs: ByRow;
  /** The lamp's relative likelihoods. */
  readonly byEnd: ByShape;
}

/** The ship's lamps together. */
export interface SharedCurves {
  readonly agreements: ReadonlyMap<LampEvidence, Agreement>;
  readonly rows: readonly SharedRow[];
  /** Logs of the probability of each row and cluster, up to a constant. */
  readonly logs: ByRow;
  readonly profile: MakeProfile | null;
}

/** The evidence of the ship's lamps together. */
export function sharedCurves(lamps: readonly LampEvidence[], prior: LampPrior): SharedCurves {
  const { profile } = curvesOf(prior);
  const rows = rowsOf(profile);
  const strayed = lamps.map(strayingLogs);
  const all = STRAYINGS.map((_, at) => strayed.reduce((sum, each) => sum + each[at], 0));
  const agreements = new Map(
    lamps.map((lamp, i) => {
      const others = shares(Float64Array.from(all, (sum, at) => sum - strayed[i][at]));
      const any = STRAYING_ANY / STRAYINGS.length;
      const strayings = others.map((each) => (1 - STRAYING_ANY) * each + any);
      return [lamp, { strayings, ...agreementOf(lamp, { strayings, rows }) }];
    }),
  );
  const logs = rows.map(({ prior: row, clusters }) =>
    Float64Array.from(clusters, ({ share }) => Math.log(row * share)),
  );
  for (const agreement of agreements.values())
    for (const [at, row] of logs.entries())
      for (let i = 0; i < row.length; i++) row[i] += agreement.logs[at][i];
  return { agreements, rows, logs, profile };
}

/** The exponent of a lamp's likelihood when it counts for the ship's other lamps. */
function witness({ seen_share }: LampEvidence): number {
  return POOLED * Math.min(1, seen_share / SEEN_WHOLE);
}

/** The log of the likelihood of each deviation, over all curves. */
function strayingLogs(lamp: LampEvidence): Float64Array {
  const { byShape, most, curves } = lamp;
  const weight = witness(lamp);
  const weights = curves.profile === null ? SHAPE_PRIOR : PROFILE_PRIOR;
  const each = Float64Array.from(byShape, (sums) =>
    sums.reduce((sum, log, shape) => sum + weights[rowOf(shape)] * Math.exp(log - most), 0),
  );
  const mean = each.reduce((sum, one) => sum + one, 0) / each.length;
  return each.map((one) => weight * Math.log((1 - STRAYING_ANY) * one + STRAYING_ANY * mean));
}

function agreementOf(
  lamp: LampEvidence,
  { strayings, rows }: { strayings: Float64Array; rows: readonly SharedRow[] },
): Pick<Agreement, "logs" | "byEnd"> {
  const count = rowOf(lamp.curves.shapes.length - 1) + 1;
  const byEnd = Array.from({ length: count }, () => new Float64Array(END_SHARES.length));
  forLikely(lamp, strayings, ({ shape }, likelihoods) => {
    const sum = byEnd[rowOf(shape)];
    for (let end = 0; end < sum.length; end++) sum[end] += likelihoods[end];
  });
  const weight = witness(lamp);
  const byClusters = new Map(
    [...new Set(rows.map(({ clusters }) => clusters))].map((clusters) => [
      clusters,
      byEnd.map((row) => Float64Array.from(clusters, ({ ends }) => product(ends, row))),
    ]),
  );
  const logs = rows.map(({ weights, clusters }) => {
    const own = byClusters.get(clusters) ?? [];
    const sums = new Float64Array(clusters.length).fill(LEAST);
    for (const [shape, each] of weights.entries())
      for (let i = 0; i < sums.length; i++) sums[i] += each * own[shape][i];
    return sums.map((sum) => weight * Math.log(sum));
  });
  return { logs, byEnd };
}

/**
 * The probability of each shape and end for a lamp from the ship's others, without its own points;
 * of all lamps for a lamp without points.
 */
export function expectedEnds(ship: SharedCurves, lamp: LampEvidence | null): ByShape {
  const { rows } = ship;
  const own = lamp === null ? undefined : ship.agreements.get(lamp);
  const logs = ship.logs.map((row, at) =>
    own === undefined ? row : row.map((log, i) => log - own.logs[at][i]),
  );
  const { masses, all } = relative(logs);
  const count = Math.max(...rows.map(({ weights }) => weights.length));
  return Array.from({ length: count }, (_, shape) => {
    const out = new Float64Array(END_SHARES.length);
    for (const clusters of new Set(rows.map((row) => row.clusters))) {
      const near = new Float64Array(clusters.length);
      for (const [at, mass] of masses.entries()) {
        if (rows[at].clusters !== clusters || shape >= rows[at].weights.length) continue;
        const weight = rows[at].weights[shape] / all;
        for (let i = 0; i < near.length; i++) near[i] += weight * mass[i];
      }
      for (const [i, { ends }] of clusters.entries())
        for (let end = 0; end < out.length; end++) out[end] += near[i] * ends[end];
    }
    return out;
  });
}

/** Masses in the ratios of `exp(logs)`, and their total. */
function relative(logs: ByRow): { readonly masses: ByRow; readonly all: number } {
  const most = Math.max(...logs.map((row) => Math.max(...row)));
  const masses = logs.map((row) => row.map((log) => Math.exp(log - most)));
  const all = masses.reduce((sum, row) => row.reduce((s, x) => s + x, sum), 0);
  return { masses, all };
}

/** The fit of the make's profile to the ship's lamps. */
export interface ProfileFit {
  /** Probability that the lamps follow it. */
  readonly weight: number;
  /** Geometric mean of their hours / the table's; null without a lamp whose light is known. */
  readonly stretch: number | null;
}

/** The fit of the make's profile; null without one. */
export function profileFit({ rows, logs, agreements, profile }: SharedCurves): ProfileFit | null {
  if (profile === null) return null;
  const { masses, all } = relative(logs);
  const own = masses.filter((_, at) => rows[at].clusters === profile.clusters);
  const weight = own.reduce((sum, row) => row.reduce((s, x) => s + x, sum), 0) / all;
  let [sum, of] = [0, 0];
  for (const [lamp, { byEnd }] of agreements) {
    const near = byEnd[CURVE_SHAPES.length].map((each, e) => each * profile.clusters[0].ends[e]);
    const total = near.reduce((s, x) => s + x, 0);
    if (total === 0) continue;
    const share = witness(lamp) / total;
    for (const [e, each] of near.entries())
      sum += share * each * Math.log(END_SHARES[e] / profile.end_share);
    of += witness(lamp);
  }
  return { weight, stretch: of === 0 ? null : Math.exp(sum / of) };
}

/** The probability of each end, summed over the shapes. */
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
