// The likelihood of a lamp's points, and their noise, for a curve that ends at a given hour. Points
// deviate from a curve together, not independently (fouling, trimmed power, an imperfect family):
// the deviation is an Ornstein-Uhlenbeck process, removed by a Kalman filter. Curves are sums of
// few functions of the hours, so the filter runs once for each function. An outlier gets a larger
// noise of its own, which reduces its weight without dropping it.

import { median } from "../ranks.ts";
import { type CurveShape, fallenShare, type Rise } from "./curve.ts";

/** A steady point of a lamp's life: operating hours, and the log of its efficiency (new is 0). */
export interface LampPoint {
  readonly hours: number;
  readonly log_efficiency: number;
}

/** Size of the deviation as a log, and its duration as a share of the rated hours. */
export interface Straying {
  readonly size: number;
  readonly share: number;
}

/** Sums over a lamp's points that determine the curves of one shape, under one deviation. */
export interface Products {
  readonly data_data: number;
  readonly data_one: number;
  readonly data_power: number;
  readonly one_one: number;
  readonly one_power: number;
  readonly power_power: number;
  /** The filtered deviation after the last point, of each of the three functions. */
  readonly data_stray: number;
  readonly one_stray: number;
  readonly power_stray: number;
}

/** A lamp's points, filtered for one assumed deviation. */
export interface FilteredPoints {
  readonly straying: Straying;
  /** Products of the points with the curves, by shape. */
  readonly products: readonly Products[];
  readonly log_determinant: number;
  /** Variance of the deviation after the last point. */
  readonly variance: number;
}

/** Standard deviation of the log of a new lamp's efficiency, which PLCs scale differently. */
const LEVEL_SD = 0.03;
const LEVEL_PRECISION = 1 / LEVEL_SD ** 2;

/** A lamp's points, and the curves' functions of their hours, for any deviation. */
export interface UnfilteredPoints {
  readonly shares: Float64Array;
  readonly logs: Float64Array;
  readonly ones: Float64Array;
  readonly power: (rise: Rise) => Float64Array;
  /** The early drop at each point, by its duration as a share of the rated hours. */
  readonly fall: (drop_share: number) => Float64Array;
}

/** Points by rising hours, at least one; shares refer to `rated_h`. */
export function unfiltered(
  points: readonly LampPoint[],
  { rated_h }: { rated_h: number },
): UnfilteredPoints {
  const shares = Float64Array.from(points, ({ hours }) => hours / rated_h);
  return {
    shares,
    logs: Float64Array.from(points, ({ log_efficiency }) => log_efficiency),
    ones: new Float64Array(points.length).fill(1),
    power: cached((rise) => shares.map(rise.at)),
    fall: cached((drop_share) => shares.map((share) => fallenShare({ drop_share }, share))),
  };
}

/** A lamp's points under one deviation. `noise`: each point's standard deviation, as a log. */
export function filtered(
  lamp: UnfilteredPoints,
  options: {
    readonly noise: Float64Array;
    readonly straying: Straying;
    readonly shapes: readonly CurveShape[];
  },
): FilteredPoints {
  const { shapes, straying } = options;
  const { whiten, log_determinant, variance } = strayFilter(lamp.shares, options);
  const data = whiten(lamp.logs);
  const one = whiten(lamp.ones);
  const powers = cached((rise: Rise) => {
    const power = whiten(lamp.power(rise));
    return { power, products: productsOf({ data, one, power }) };
  });
  const falls = cached((drop_share: number) => {
    const fall = whiten(lamp.fall(drop_share));
    return { fall, products: productsOf({ data, one, power: fall }) };
  });
  const products = shapes.map((shape) => {
    const undropped = powers(shape.rise);
    if (shape.drop === 0) return undropped.products;
    const { fall, products: fallen } = falls(shape.drop_share);
    const fall_power = dot(fall, undropped.power);
    return withDrop(undropped.products, { drop: shape.drop, fallen, fall_power });
  });
  return { straying, products, log_determinant, variance };
}

/** A function of the hours after the filter: the innovation at each point, by its precision. */
interface Whitened {
  readonly values: Float64Array;
  readonly stray: number;
}

function strayFilter(
  shares: Float64Array,
  { noise, straying }: { noise: Float64Array; straying: Straying },
) {
  const count = shares.length;
  const kept = new Float64Array(count);
  const gain = new Float64Array(count);
  const weight = new Float64Array(count);
  const stationary = straying.size ** 2;
  let log_determinant = 0;
  let variance = stationary;
  for (let i = 0; i < count; i++) {
    kept[i] = i === 0 ? 0 : Math.exp((shares[i - 1] - shares[i]) / straying.share);
    const before = kept[i] ** 2 * variance + stationary * (1 - kept[i] ** 2);
    const total = before + noise[i] ** 2;
    gain[i] = before / total;
    weight[i] = 1 / Math.sqrt(total);
    log_determinant += Math.log(total);
    variance = before * (1 - gain[i]);
  }
  const whiten = (values: Float64Array): Whitened => {
    const out = new Float64Array(count);
    let stray = 0;
    for (let i = 0; i < count; i++) {
      stray *= kept[i];
      const news = values[i] - stray;
      stray += gain[i] * news;
      out[i] = news * weight[i];
    }
    return { values: out, stray };
  };
  return { whiten, log_determinant, variance };
}

function productsOf(from: { data: Whitened; one: Whitened; power: Whitened }): Products {
  const { data, one, power } = from;
  return {
    data_data: dot(data, data),
    data_one: dot(data, one),
    data_power: dot(data, power),
    one_one: dot(one, one),
    one_power: dot(one, power),
    power_power: dot(power, power),
    data_stray: data.stray,
    one_stray: one.stray,
    power_stray: power.stray,
  };
}

/** The products with the early drop added back to the data; `fallen`: those of the drop. */
function withDrop(
  products: Products,
  { drop, fallen, fall_power }: { drop: number; fallen: Products; fall_power: number },
): Products {
  return {
    ...products,
    data_data: products.data_data + drop * (2 * fallen.data_power + drop * fallen.power_power),
    data_one: products.data_one + drop * fallen.one_power,
    data_power: products.data_power + drop * fall_power,
    data_stray: products.data_stray + drop * fallen.power_stray,
  };
}

function dot({ values: one }: Whitened, { values: other }: Whitened): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += one[i] * other[i];
  return sum;
}

function cached<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

/** Curves of one shape by their ends, without their level. */
export interface CurveEnds {
  /** Factor of the rise: 1 / its value at the end. */
  readonly scale: Float64Array;
  /** The fall of each from a level of 0: the log of the end efficiency less the early drop. */
  readonly fall: Float64Array;
  /** Index of the first end that the shape may have, and the index after the last. */
  readonly from: number;
  readonly to: number;
}

/** The curves of `shape` that reach `end` (a log) at each of `end_shares` of the rated hours. */
export function curveEnds(
  shape: CurveShape,
  end: number,
  end_shares: Float64Array,
): Pick<CurveEnds, "scale" | "fall"> {
  return {
    scale: end_shares.map((share) => 1 / shape.rise.at(share)),
    fall: end_shares.map((share) => end + shape.drop * fallenShare(shape, share)),
  };
}

/** Adds to `out`, by end, the log likelihood of each curve, integrated over its level. */
export function addLogLikelihoods(
  out: Float64Array,
  { products: p, log_determinant }: { products: Products; log_determinant: number },
  { scale: scales, fall: falls, from, to }: CurveEnds,
): void {
  for (let e = from; e < to; e++) {
    const scale = scales[e];
    const times = scale * falls[e];
    const data = p.data_data - times * (2 * p.data_power - times * p.power_power);
    const weight = p.one_one - scale * (2 * p.one_power - scale * p.power_power) + LEVEL_PRECISION;
    const cross = p.data_one - scale * p.data_power - times * (p.one_power - scale * p.power_power);
    const misfit = Math.max(0, data - (cross * cross) / weight);
    out[e] -= 0.5 * (misfit + Math.log(weight / LEVEL_PRECISION) + log_determinant);
  }
}

/** The best-fitting level of a curve, and the deviation from it at the last point, as logs. */
export function levelAndStray(p: Products, { scale, fall }: { scale: number; fall: number }) {
  const times = scale * fall;
  const weight = p.one_one - scale * (2 * p.one_power - scale * p.power_power) + LEVEL_PRECISION;
  const cross = p.data_one - scale * p.data_power - times * (p.one_power - scale * p.power_power);
  const level = cross / weight;
  const stray =
    p.data_stray - times * p.power_stray - level * (p.one_stray - scale * p.power_stray);
  return { level, stray };
}

/** Maximum number of points; more are merged, since the deviation leaves them little to add. */
const POINTS_MAX = 100;
/** Minimum noise: efficiencies are sent with one decimal, so 0.1 % of 70, evenly rounded. */
const NOISE_MIN = 0.0007;
/** Multiple of the typical noise beyond which a point is an outlier. */
const OUTLIER = 4;
/** Standard deviation of a normal distribution / its median absolute deviation. */
const SD_OF_MEDIAN = 1.4826;

/** The points by rising hours; many are merged to medians of neighbours. */
export function mergedPoints(points: readonly LampPoint[]): readonly LampPoint[] {
  const rising = points.toSorted(
    (one, other) => one.hours - other.hours || one.log_efficiency - other.log_efficiency,
  );
  const each = Math.ceil(rising.length / POINTS_MAX);
  if (each <= 1) return rising;
  return Array.from({ length: Math.ceil(rising.length / each) }, (_, i) => {
    const group = rising.slice(i * each, (i + 1) * each);
    return {
      hours: median(group.map(({ hours }) => hours)),
      log_efficiency: median(group.map(({ log_efficiency }) => log_efficiency)),
    };
  });
}

/** The standard deviation of each point, as a log. Points by rising hours, at least one. */
export function pointNoise(points: readonly LampPoint[]): Float64Array {
  const offs = points.map(({ hours, log_efficiency }, i) => {
    const before = points[Math.max(0, Math.min(i - 1, points.length - 3))];
    const after = points[Math.min(points.length - 1, Math.max(i + 1, 2))];
    const span = after.hours - before.hours;
    const share = span === 0 ? 0.5 : (hours - before.hours) / span;
    const between = before.log_efficiency * (1 - share) + after.log_efficiency * share;
    return Math.abs(log_efficiency - between);
  });
  // A point minus the mean of two others has 1.5 times the variance of a point.
  const typical = Math.max(NOISE_MIN, (SD_OF_MEDIAN * median(offs)) / Math.sqrt(1.5));
  return Float64Array.from(offs, (off) => (off > OUTLIER * typical ? off : typical));
}
