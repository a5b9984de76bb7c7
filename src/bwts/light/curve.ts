// A lamp's light over its operating hours: curves with the hour at which they reach the end-of-life
// efficiency as parameter, because forecasts and prior knowledge are about that hour. Families: a
// power of the hours, an early drop or rise followed by a straight fall, an accelerating fall, and
// one that levels off. The plain exponential of TM-21 is a power of bend 1; alone it is too
// confident. Steps and limits are shares of the rated hours, so that forecasts don't depend on the
// unit of hours.

/** The course of a fall over the share of the rated hours: 0 at 0; only its ratios matter. */
export interface Rise {
  at(share: number): number;
  slope(share: number): number;
  readonly family: "power" | "exponential" | "logarithm" | "table";
  /**
   * The one parameter: bend of a power, growth of an exponential, level of a logarithm (how soon it
   * levels off), or stretch of a maker's table.
   */
  readonly parameter: number;
}

/**
 * A curve without its level and its hour of end of life. The log of the efficiency after `hours` is
 * `level - drop * fallen + rise(hours) / rise(end_h) * (end - level + drop * fallen_at_end)`,
 * where `fallen` is `1 - exp(-hours / drop_h)`, `level` the log at 0 h and `end` that of the end.
 */
export interface CurveShape {
  readonly rise: Rise;
  /** The early loss of light, as a log; negative for lamps that gain light at first. */
  readonly drop: number;
  /** The share of the rated hours in which most of the drop happens. */
  readonly drop_share: number;
}

const BENDS = [0.4, 0.5, 0.65, 0.8, 1, 1.2, 1.45, 1.75, 2.1, 2.5];
const DROPS = [-0.08, -0.04, -0.02, 0.02, 0.04, 0.07, 0.11, 0.16];
/** Durations of the early drop, as shares of the rated hours: 250 h and 700 h of 3,000 h. */
const DROP_SHARES = [1 / 12, 7 / 30];
/** Growths of accelerating falls: the rate multiplies by `exp(growth)` in the rated hours. */
const GROWTHS = [0.8, 1.6, 3];
/** Levels of `log(1 + hours / level)`: falls that level off after 30 h to 900 h of 3,000 h. */
const LEVELS = [0.01, 0.03, 0.1, 0.3];

const power = (bend: number): Rise => ({
  at: (share) => share ** bend,
  slope: (share) => bend * share ** (bend - 1),
  family: "power",
  parameter: bend,
});
const exponential = (growth: number): Rise => ({
  at: (share) => Math.expm1(growth * share),
  slope: (share) => growth * Math.exp(growth * share),
  family: "exponential",
  parameter: growth,
});
const logarithm = (levels: number): Rise => ({
  at: (share) => Math.log1p(share / levels),
  slope: (share) => 1 / (levels + share),
  family: "logarithm",
  parameter: levels,
});
const STRAIGHT = power(1);
export const withoutDrop = (rise: Rise): CurveShape => ({
  rise,
  drop: 0,
  drop_share: DROP_SHARES[0],
});

/** Families with their prior probabilities, 1 in total; shapes of a family are equally likely. */
const FAMILIES: readonly { readonly prior: number; readonly shapes: readonly CurveShape[] }[] = [
  { prior: 0.5, shapes: BENDS.map((bend) => withoutDrop(power(bend))) },
  {
    prior: 0.33,
    shapes: DROP_SHARES.flatMap((drop_share) =>
      DROPS.map((drop) => ({ rise: STRAIGHT, drop, drop_share })),
    ),
  },
  { prior: 0.1, shapes: GROWTHS.map((growth) => withoutDrop(exponential(growth))) },
  { prior: 0.07, shapes: LEVELS.map((levels) => withoutDrop(logarithm(levels))) },
];

/** The shapes that are compared. */
export const CURVE_SHAPES: readonly CurveShape[] = FAMILIES.flatMap(({ shapes }) => shapes);

/** Prior weight of each shape, 1 in total. */
export const SHAPE_PRIOR = Float64Array.from(
  FAMILIES.flatMap(({ prior, shapes }) => shapes.map(() => prior / shapes.length)),
);

/** Maximum differences of similar shapes: of the parameters' logs, and of the drops. */
const ALIKE = { power: 0.27, exponential: 0.8, logarithm: 1.3, table: 0 } as const;
const DROPS_ALIKE = 0.055;

/**
 * True for similar shapes: neighbours in their family. A lamp may have one instead of the ship's.
 */
export function areAlike(one: CurveShape, other: CurveShape): boolean {
  if (one.drop !== 0 && other.drop !== 0)
    return one.drop_share === other.drop_share && Math.abs(one.drop - other.drop) < DROPS_ALIKE;
  const { family, parameter } = one.rise;
  return (
    one.drop === other.drop &&
    family === other.rise.family &&
    Math.abs(Math.log(parameter / other.rise.parameter)) < ALIKE[family]
  );
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
  /** The maker's table of this make of lamp. */
  readonly profile?: MakersTable;
}

/** Hours and output in % of new, by rising hours, down to the end-of-life efficiency. */
export type MakersTable = readonly { readonly hours: number; readonly percent: number }[];

/** The distribution over hours: `mass[i]` at `hours[i]`, ascending, evenly spaced, 1 in total. */
export interface Hours {
  readonly hours: Float64Array;
  readonly mass: Float64Array;
}

/** Range and number of the ends of life on the grid, as shares of the rated hours. */
const END_FIRST = 0.2;
const END_LAST = 6;
const END_COUNT = 72;
/**
 * Prior of the log of an end of life: its centre, as a share of the rated hours, and its standard
 * deviations, wider above, since lamps may well outlast what their maker promises.
 */
const PRIOR_CENTRE = 1.05;
const PRIOR_SD_BELOW = 0.3;
const PRIOR_SD_ABOVE = 0.45;
/** Step of the grid of hours, as a share of the rated hours: 15 h of 3,000 h. */
const STEP = 1 / 200;
/** Standard deviations to each side that a normal distribution is spread over. */
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

/** The distribution over hours for a lamp of which only the probabilities `ends` are known. */
export function unseenEndHours(prior: LampPrior, ends: Float64Array = END_PRIOR): Hours {
  const mass = noMass();
  for (const [e, mean] of END_SHARES.entries())
    if (ends[e] > 0) addNormal(mass, { mass: ends[e], mean, sd: mean * CELL_SD * 1.5 });
  return hoursOf(mass, prior);
}

/** An empty grid for `addNormal`. */
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
