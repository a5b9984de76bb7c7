// A lamp's light over its operating hours: curves with the hour at which they reach the end-of-life
// efficiency as parameter, because forecasts and prior knowledge are about that hour. Two families:
// a stretched exponential, and an early drop followed by an exponential. The plain exponential of
// TM-21 is a member of both (bend 1, no drop); alone it is too confident. Steps and limits are
// shares of the rated hours, so that forecasts don't depend on the unit of hours.

/** The course of a fall over the share of the rated hours: 0 at 0, of any size after it. */
export interface Rise {
  at(share: number): number;
  slope(share: number): number;
  /** The power of a power law, or null; and how soon a logarithm levels off, or null. */
  readonly bend: number | null;
  readonly levels: number | null;
}

/**
 * A curve without its level and its hour of end of life. The log of the efficiency after `hours` is
 * `level - drop * fallen + rise(hours) / rise(end_h) * (end - level + drop * fallen_at_end)`,
 * where `fallen` is `1 - exp(-hours / drop_h)`, `level` the log at 0 h and `end` that of the end.
 */
export interface CurveShape {
  readonly rise: Rise;
  /** The early loss of light, as a log. */
  readonly drop: number;
  /** The share of the rated hours in which most of the drop happens. */
  readonly drop_share: number;
}

const BENDS = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.4, 1.6, 1.8, 2.1, 2.5];
const DROPS = [0.02, 0.04, 0.06, 0.09, 0.12, 0.16];
/** 250 h and 700 h of 3,000 h. */
const DROP_SHARES = [1 / 12, 7 / 30];
/** Logarithms of `1 + hours / levels`: they level off after 30 h to 900 h of 3,000 h. */
const LEVELS = [0.01, 0.03, 0.1, 0.3];
const LEVELLING_PRIOR = 0.07;

const power = (bend: number): Rise => ({
  at: (share) => share ** bend,
  slope: (share) => bend * share ** (bend - 1),
  bend,
  levels: null,
});
const logarithm = (levels: number): Rise => ({
  at: (share) => Math.log1p(share / levels),
  slope: (share) => 1 / (levels + share),
  bend: null,
  levels,
});
const STRAIGHT = power(1);

/** The shapes that are compared. */
export const CURVE_SHAPES: readonly CurveShape[] = [
  ...BENDS.map((bend) => ({ rise: power(bend), drop: 0, drop_share: DROP_SHARES[0] })),
  ...DROP_SHARES.flatMap((drop_share) =>
    DROPS.map((drop) => ({ rise: STRAIGHT, drop, drop_share })),
  ),
  ...LEVELS.map((levels) => ({ rise: logarithm(levels), drop: 0, drop_share: DROP_SHARES[0] })),
];

/** Prior weight of each shape, 1 in total: the two main families are equally likely. */
export const SHAPE_PRIOR = Float64Array.from(CURVE_SHAPES, ({ drop, rise }) => {
  if (rise.levels !== null) return LEVELLING_PRIOR / LEVELS.length;
  const count = drop === 0 ? BENDS.length : DROPS.length * DROP_SHARES.length;
  return (1 - LEVELLING_PRIOR) / (2 * count);
});

/**
 * True for similar shapes, one of which a lamp may have instead of the ship's: bends within a
 * quarter, drops within 0.045, neighbours of those that level off.
 */
export function areAlike(one: CurveShape, other: CurveShape): boolean {
  if (one.drop > 0 && other.drop > 0)
    return one.drop_share === other.drop_share && Math.abs(one.drop - other.drop) < 0.045;
  if (one.drop !== other.drop) return false;
  const [a, b] = [one.rise, other.rise];
  if (a.bend !== null && b.bend !== null) return Math.abs(Math.log(a.bend / b.bend)) < 0.24;
  return a.levels !== null && b.levels !== null && Math.abs(Math.log(a.levels / b.levels)) < 1.3;
}

/** The share of the early drop that is over after `share` of the rated hours. */
export function fallenShare({ drop_share }: Pick<CurveShape, "drop_share">, share: number): number {
  return -Math.expm1(-share / drop_share);
}

/**
 * The slope of the log of the efficiency at the curve's end, per rated hours; positive for a fall.
 */
export function slopeAtEnd(
  shape: CurveShape,
  { end_share, level, end }: { end_share: number; level: number; end: number },
): number {
  const early = shape.drop * fallenShare(shape, end_share);
  const late = (shape.drop / shape.drop_share) * Math.exp(-end_share / shape.drop_share);
  const { rise } = shape;
  return ((level - end - early) * rise.slope(end_share)) / rise.at(end_share) + late;
}

/** Prior knowledge of lamps. Hours are operating hours. */
export interface LampPrior {
  readonly rated_h: number;
  /** The end-of-life efficiency as a share of new: 0.7. */
  readonly end_efficiency: number;
}

/** The distribution over hours: `mass[i]` at `hours[i]`, ascending, evenly spaced, 1 in total. */
export interface Hours {
  readonly hours: Float64Array;
  readonly mass: Float64Array;
}

/** Range of the hours of end of life, as shares of the rated hours, in even ratios. */
const END_FIRST = 0.2;
const END_LAST = 6;
const END_COUNT = 72;
/**
 * The prior of the log of an end: normal about that of the most likely share of the rated hours,
 * wider above than below, since lamps may well outlast what their maker promises.
 */
const PRIOR_CENTRE = 1.05;
const PRIOR_SD_BELOW = 0.3;
const PRIOR_SD_ABOVE = 0.45;
/** Steps of the answer's hours, as a share of the rated hours: 15 h of 3,000 h. */
const STEP = 1 / 200;
/** Standard deviations to each side over which a normal distribution is spread. */
const SPREAD = 4;

/** Ends of life as shares of the rated hours. */
export const END_SHARES = Float64Array.from(
  { length: END_COUNT },
  (_, i) => END_FIRST * (END_LAST / END_FIRST) ** (i / (END_COUNT - 1)),
);

/** Standard deviation within a cell of `END_SHARES`, as a share of its end. */
export const CELL_SD = (END_SHARES[1] / END_SHARES[0] - 1) / Math.sqrt(12);

/** Prior probability of each of `END_SHARES`, 1 in total. */
export const END_PRIOR = normalised(END_SHARES.map(priorDensity));

/** The prior density of the log of an end, up to a factor. */
export function priorDensity(share: number): number {
  const log = Math.log(share / PRIOR_CENTRE);
  return Math.exp(-0.5 * (log / (log < 0 ? PRIOR_SD_BELOW : PRIOR_SD_ABOVE)) ** 2);
}

/** The distribution over hours of `ends`, those of a lamp about which nothing else is known. */
export function unseenEndHours(prior: LampPrior, ends: Float64Array = END_PRIOR): Hours {
  const mass = noMass();
  addPrior(mass, { mass: 1, from_share: 0, ends });
  return hoursOf(mass, prior);
}

/** A grid without mass: for `addNormal` and `addPrior`. */
export function noMass(): Float64Array {
  return new Float64Array(Math.ceil((END_LAST * 1.1) / STEP));
}

/** The masses, scaled to 1 in total, with their hours. */
export function hoursOf(mass: Float64Array, { rated_h }: LampPrior): Hours {
  return { hours: mass.map((_, i) => (i + 0.5) * STEP * rated_h), mass: normalised(mass) };
}

/** Adds a normal distribution over shares; mass outside the grid goes to its ends. */
export function addNormal(
  out: Float64Array,
  { mass, mean, sd }: { mass: number; mean: number; sd: number },
): void {
  const width = Math.max(sd, STEP / 10);
  const first = cellOf(out, mean - SPREAD * width);
  const last = cellOf(out, mean + SPREAD * width);
  let below = 0;
  for (let i = first; i < last; i++) {
    const up_to = normalShare(((i + 1) * STEP - mean) / width);
    out[i] += mass * (up_to - below);
    below = up_to;
  }
  out[last] += mass * (1 - below);
}

/** Adds `mass`, distributed as `ends` over the ends after `from_share`. */
export function addPrior(
  out: Float64Array,
  { mass, from_share, ends }: { mass: number; from_share: number; ends: Float64Array },
): void {
  const masses = ends.map((each, e) => (END_SHARES[e] > from_share ? each : 0));
  const all = masses.reduce((sum, each) => sum + each, 0);
  if (all === 0 || mass === 0) return;
  for (const [e, mean] of END_SHARES.entries())
    if (masses[e] > 0)
      addNormal(out, { mass: (mass * masses[e]) / all, mean, sd: mean * CELL_SD * 1.5 });
}

function cellOf(out: Float64Array, share: number): number {
  return Math.min(out.length - 1, Math.max(0, Math.floor(share / STEP)));
}

/** Values scaled to 1 in total. */
function normalised(values: Float64Array): Float64Array {
  const all = values.reduce((sum, value) => sum + value, 0);
  return values.map((value) => value / all);
}

/** The standard normal distribution (Abramowitz and Stegun 7.1.26, error below 1e-7). */
function normalShare(x: number): number {
  const t = 1 / (1 + (0.3275911 * Math.abs(x)) / Math.SQRT2);
  const [a, b, c, d, e] = [0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429];
  const tail = 0.5 * t * (a + t * (b + t * (c + t * (d + t * e)))) * Math.exp(-0.5 * x * x);
  return x > 0 ? 1 - tail : tail;
}
