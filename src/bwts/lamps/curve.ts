// A lamp's light over its operating hours: curves with the hour at which they reach the end-of-life
// efficiency as parameter, because forecasts and prior knowledge are about that hour. Two families:
// a stretched exponential, and an early drop followed by an exponential. The plain exponential of
// TM-21 is a member of both (bend 1, no drop); alone it is too confident.

/**
 * A curve without its level and its hour of end of life. The log of the efficiency after `hours` is
 * `level - drop * fallen + (hours / end_h) ** bend * (end - level + drop * fallen_at_end)`,
 * where `fallen` is `1 - exp(-hours / drop_h)`, `level` the log at 0 h and `end` that of the end.
 */
export interface CurveShape {
  readonly bend: number;
  /** The early loss of light, as a log. */
  readonly drop: number;
  /** The share of the rated hours in which most of the drop happens. */
  readonly drop_share: number;
}

const BENDS = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.4, 1.6, 1.8, 2.1, 2.5];
const DROPS = [0.02, 0.04, 0.06, 0.09, 0.12, 0.16];
/** 250 h and 700 h of 3,000 h. */
const DROP_SHARES = [1 / 12, 7 / 30];

/** The shapes that are compared. */
export const CURVE_SHAPES: readonly CurveShape[] = [
  ...BENDS.map((bend) => ({ bend, drop: 0, drop_share: DROP_SHARES[0] })),
  ...DROP_SHARES.flatMap((drop_share) => DROPS.map((drop) => ({ bend: 1, drop, drop_share }))),
];

/** Prior weight of each shape, 1 in total: both families are equally likely. */
export const SHAPE_PRIOR = Float64Array.from(
  CURVE_SHAPES,
  ({ drop }) => 0.5 / (drop === 0 ? BENDS.length : DROPS.length * DROP_SHARES.length),
);

/**
 * True for similar shapes, one of which a lamp may have instead of the ship's: bends within a
 * quarter, drops within 0.045.
 */
export function areAlike(one: CurveShape, other: CurveShape): boolean {
  if (one.drop === 0 || other.drop === 0)
    return one.drop === other.drop && Math.abs(Math.log(one.bend / other.bend)) < 0.24;
  return one.drop_share === other.drop_share && Math.abs(one.drop - other.drop) < 0.045;
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
  return ((level - end - early) * shape.bend) / end_share + late;
}
