// The probability of each hour for the end of a lamp's life, from the lamp's own points and from
// the ship's other lamps, which share the bend of the curve and the deviation of real lamps from
// any curve. Exact sums over grids instead of sampling: the same points give the same forecast, in
// any order.

import {
  addNormal,
  addPrior,
  areAlike,
  CELL_SD,
  CURVE_SHAPES,
  END_PRIOR,
  END_SHARES,
  type Hours,
  hoursOf,
  type LampPrior,
  noMass,
  SHAPE_PRIOR,
  slopeAtEnd,
} from "./curve.ts";
import {
  addLogLikelihoods,
  type CurveEnds,
  curveEnds,
  type Filtered,
  filtered,
  type LampPoint,
  levelAndStray,
  mergedPoints,
  pointNoise,
  type Straying,
  unfiltered,
} from "./likelihood.ts";

/** Deviations of points from a curve: sizes as logs, durations as shares of the rated hours. */
const SIZES = [0.0015, 0.003, 0.0065, 0.014, 0.03];
const LENGTHS = [0.03, 0.1, 0.4];
const STRAYINGS: readonly Straying[] = SIZES.flatMap((size) =>
  LENGTHS.map((share) => ({ size, share })),
);
/**
 * Power of the likelihood of a lamp's own points: no curve of the families is quite true, so that
 * many points say less than they would of a true one.
 */
const TRUSTED = 0.7;
/** Lamps of a ship see one plant, so each counts as a part of an independent witness. */
const POOLED = 0.6;
/** Prior probability of a ship whose lamps share no curve. */
const APART = 0.5;
/** Prior weights: same curve as the ship, a similar one, any. */
const SHAPE_OWN = 0.5;
const SHAPE_ANY = 0.1;
/** Prior weight of a deviation other than that of the ship's lamps. */
const STRAYING_ANY = 0.2;
/** Share of the deviation that is the lamp's own light; the rest is its view (fouling, drift). */
const STRAYING_REAL = 0.5;
/** Uncertainty of the light at the end of life, as a log: dirt that sleeves keep isn't seen. */
const UNSEEN_SD = 0.012;
/**
 * Beyond this multiple of the observed time the forecast follows the prior; beyond up to twice as
 * much if other lamps of the ship were seen for that long, since their curve is known then.
 */
const CARRIED_BEYOND = 3;
const CARRIED_BEYOND_SEEN = 6;
/** Curves with less of the total mass of 1 don't change the forecast. */
const MASS_MIN = 1e-5;
/** A curve with a smaller slope (5 % in its whole life) says nothing about its end. */
const SLOPE_MIN = 0.05;

const LOG_END_PRIOR = END_PRIOR.map(Math.log);
const LIKENESS = CURVE_SHAPES.map((_, at) => likenessTo(at));

/** The likelihood of one lamp's points for every curve, without the ship's other lamps. */
export interface LampEvidence extends ShapeEvidence {
  /** By deviation. */
  readonly filtered: readonly Filtered[];
  /** By shape. */
  readonly ends: readonly CurveEnds[];
  /** The hours of the last point, as a share of the rated hours. */
  readonly last_share: number;
  /** The log of the end-of-life efficiency. */
  readonly end: number;
}

/** A lamp's contribution to the ship's other lamps: all that is kept of a past life. */
export interface ShapeEvidence {
  /** log(sum over end hours of prior times likelihood), by deviation and shape. */
  readonly byShape: readonly Float64Array[];
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
  const logs = LOG_END_PRIOR.slice();
  const byShape = byStraying.map((lamp) =>
    Float64Array.from(ends, (each, shape) => {
      putLogsOfEnds(logs, lamp.products[shape], { ...lamp, ends: each });
      return logSum(logs);
    }),
  );
  const last_share = merged[merged.length - 1].hours / prior.rated_h;
  return { filtered: byStraying, byShape, ends, last_share, end };
}

/** The curves are the same for all lamps of a prior. */
const endsByPrior = new WeakMap<LampPrior, readonly CurveEnds[]>();

function endsOf(prior: LampPrior, end: number): readonly CurveEnds[] {
  const known = endsByPrior.get(prior);
  const ends = known ?? CURVE_SHAPES.map((shape) => curveEnds(shape, end, END_SHARES));
  if (known === undefined) endsByPrior.set(prior, ends);
  return ends;
}

/** By deviation: probability of each shape that the lamps share, and of sharing none. */
export interface ShipShapes {
  readonly shared: readonly Float64Array[];
  readonly apart: Float64Array;
}

/** The evidence of the ship's lamps together, 1 in total. */
export function shipShapes(lamps: readonly ShapeEvidence[]): ShipShapes {
  const shared = STRAYINGS.map(() => SHAPE_PRIOR.map((each) => Math.log((1 - APART) * each)));
  const apart = Float64Array.from(STRAYINGS, () => Math.log(APART));
  for (const lamp of lamps) {
    const { likeness, alone } = agreement(lamp);
    for (const [straying, row] of likeness.entries()) {
      for (const [shape, each] of row.entries()) shared[straying][shape] += POOLED * Math.log(each);
      apart[straying] += POOLED * Math.log(alone[straying]);
    }
  }
  const most = Math.max(...apart, ...shared.map((row) => Math.max(...row)));
  const massOf = (log: number) => Math.exp(log - most);
  const all = [apart, ...shared].reduce((sum, row) => row.reduce((s, x) => s + massOf(x), sum), 0);
  return {
    shared: shared.map((row) => row.map((x) => massOf(x) / all)),
    apart: apart.map((x) => massOf(x) / all),
  };
}

/**
 * The probability of each hour for the lamp's end, from its own points and the ship's shapes.
 * `seen_share` is the longest observed life aboard as a share of the rated hours.
 */
export function endHours(
  lamp: LampEvidence,
  options: {
    readonly ship: ShipShapes;
    readonly prior: LampPrior;
    readonly seen_share?: number;
  },
): Hours {
  const { ship, prior, seen_share = 0 } = options;
  const out = noMass();
  const { last_share } = lamp;
  const carried_from = Math.max(
    CARRIED_BEYOND * last_share,
    Math.min(CARRIED_BEYOND_SEEN * last_share, seen_share),
  );
  let carried = 0;
  for (const curve of likelyCurves(lamp, ship)) {
    const end_share = END_SHARES[curve.end];
    if (end_share > carried_from) carried += curve.mass;
    else addNormal(out, { mass: curve.mass, ...strayedEnd(lamp, curve) });
  }
  addPrior(out, { mass: carried, from_share: carried_from });
  return hoursOf(out, prior);
}

interface LikelyCurve {
  readonly straying: number;
  readonly shape: number;
  readonly end: number;
  readonly mass: number;
}

/** The possible curves of a lamp, with a total mass of 1 without those left out. */
function likelyCurves(lamp: LampEvidence, ship: ShipShapes): readonly LikelyCurve[] {
  const { likeness, alone, most } = agreement(lamp);
  // Probability of each for the ship, without this lamp's contribution.
  const others = ship.shared.map((row, straying) =>
    row.map((mass, own) => mass / likeness[straying][own] ** POOLED),
  );
  const everywhere = mixed(others);
  const apart = mixed(
    [...ship.apart].map((mass, straying) => Float64Array.of(mass / alone[straying] ** POOLED)),
  );
  const curves: LikelyCurve[] = [];
  const logs = LOG_END_PRIOR.slice();
  for (const [straying, sums] of lamp.byShape.entries())
    for (const [shape, sum] of sums.entries()) {
      let weight = apart[straying][0] * SHAPE_PRIOR[shape];
      for (const [own, near] of LIKENESS.entries())
        weight += everywhere[straying][own] * near[shape];
      if (weight * Math.exp(sum - most) < MASS_MIN) continue;
      const strayed = lamp.filtered[straying];
      putLogsOfEnds(logs, strayed.products[shape], { ...strayed, ends: lamp.ends[shape] });
      for (let end = 0; end < logs.length; end++) {
        const mass = weight * Math.exp(logs[end] - most);
        if (mass > MASS_MIN) curves.push({ straying, shape, end, mass });
      }
    }
  return curves;
}

/** For each deviation and shape of the ship: the lamp's agreement, relative to the greatest. */
function agreement({ byShape }: ShapeEvidence) {
  const most = Math.max(...byShape.map((sums) => Math.max(...sums)));
  const shares = byShape.map((sums) => sums.map((sum) => Math.exp(sum - most)));
  const agreed = shares.map((row) => Float64Array.from(LIKENESS, (near) => product(near, row)));
  const alone = mixed(shares.map((row) => Float64Array.of(product(SHAPE_PRIOR, row))));
  return { likeness: mixed(agreed), alone: alone.map(([each]) => each), most };
}

function product(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += one[i] * other[i];
  return sum;
}

/** Each deviation mixed with its share of any. */
function mixed(byStraying: readonly Float64Array[]): readonly Float64Array[] {
  const mean = byStraying[0].map(
    (_, shape) => byStraying.reduce((sum, row) => sum + row[shape], 0) / byStraying.length,
  );
  return byStraying.map((row) =>
    row.map((each, shape) => (1 - STRAYING_ANY) * each + STRAYING_ANY * mean[shape]),
  );
}

/** Puts log(prior times trusted likelihood) of each end of life into `logs`, which is reused. */
function putLogsOfEnds(
  logs: Float64Array,
  products: Filtered["products"][number],
  { log_determinant, ends }: { log_determinant: number; ends: CurveEnds },
): void {
  logs.fill(0);
  addLogLikelihoods(logs, { products, log_determinant }, ends);
  for (let end = 0; end < logs.length; end++) logs[end] = LOG_END_PRIOR[end] + TRUSTED * logs[end];
}

/**
 * The real end of a lamp whose curve ends at a given hour: mean and standard deviation caused by
 * the deviation, as shares of the rated hours.
 */
function strayedEnd(
  lamp: LampEvidence,
  { straying: at, shape, end: e }: LikelyCurve,
): { readonly mean: number; readonly sd: number } {
  const { products, variance, straying } = lamp.filtered[at];
  const { scale, fall } = lamp.ends[shape];
  const end_share = END_SHARES[e];
  const curve = { scale: scale[e], fall: fall[e] };
  const { level, stray } = levelAndStray(products[shape], curve);
  const kept = Math.exp(-Math.max(0, end_share - lamp.last_share) / straying.share);
  const falling = slopeAtEnd(CURVE_SHAPES[shape], { end_share, level, end: lamp.end });
  const slope = Math.max(falling, SLOPE_MIN / end_share);
  const stationary = straying.size ** 2;
  const now = STRAYING_REAL * variance + (1 - STRAYING_REAL) * stationary;
  const by_then = STRAYING_REAL * (kept ** 2 * now + (1 - kept ** 2) * stationary);
  const later = STRAYING_REAL * stray * kept;
  const sd = Math.sqrt(by_then + UNSEEN_SD ** 2) / slope;
  return { mean: end_share + later / slope, sd: Math.hypot(sd, end_share * CELL_SD) };
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

/** log(sum of exp(logs)); negligible terms are left out. */
function logSum(logs: Float64Array): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < logs.length; i++) if (logs[i] > most) most = logs[i];
  let sum = 0;
  for (let i = 0; i < logs.length; i++) if (logs[i] > most - 30) sum += Math.exp(logs[i] - most);
  return most + Math.log(sum);
}
