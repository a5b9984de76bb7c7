// The ageing of simulated lamps: five families of curves, none with the deviations that the
// forecasts assume, and only two of a family that they fit. Each runs from `start` at 0 h to the
// end-of-life efficiency at `end_h` exactly, which is the truth of the evaluation.

/** The efficiency, as a share of new, after `hours`. */
export type Ageing = (hours: number) => number;

export interface Course {
  /** The efficiency at 0 h, as a share: a new lamp reads 100 % and a few. */
  readonly start: number;
  readonly end: number;
  readonly end_h: number;
  /** Below 1 the light falls early, above 1 late. */
  readonly bend: number;
}

/** The share of the whole fall that is over when `share` of the life is; 0 at 0, 1 at 1. */
type Family = (share: number, course: Course) => number;

const FAMILIES: Readonly<Record<string, Family>> = {
  power: (share, { bend }) => share ** bend,
  exponential: (share, { end }) => (1 - end ** share) / (1 - end),
  stretched: (share, { end, bend }) => (1 - end ** (share ** bend)) / (1 - end),
  hyperbolic: (share, { end, bend }) => (1 - 1 / (1 + (1 / end - 1) * share ** bend)) / (1 - end),
  // Two exponentials: the faster is over after a seventh of the life or so.
  double: (share, { bend }) => {
    const early = Math.max(0.1, 0.6 - 0.3 * bend);
    const fast = -Math.expm1(-7 * share) / -Math.expm1(-7);
    const slow = -Math.expm1(-0.35 * share) / -Math.expm1(-0.35);
    return early * fast + (1 - early) * slow;
  },
};

export const FAMILY_NAMES = Object.keys(FAMILIES);

/** The ageing of a lamp of the family `name`, one of `FAMILY_NAMES`. */
export function ageing(name: string, course: Course): Ageing {
  const family = FAMILIES[name];
  const { start, end, end_h } = course;
  return (hours) => start - (start - end) * family(hours / end_h, course);
}
