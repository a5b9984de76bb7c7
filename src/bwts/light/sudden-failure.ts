// Sudden failure of lamps: a Weibull distribution over operating hours, which starts from the rated
// hours and is updated by the ship's own lamps. It competes with wear, which is judged by a lamp's
// light.

/** A lamp's age when it failed suddenly, or when it was last known alive (right-censored). */
export interface LampAge {
  readonly hours: number;
  readonly failed: boolean;
}

export interface SuddenFailure {
  readonly shape: number;
  /** True if the shape was assumed, not fitted. */
  readonly shape_held: boolean;
  /** log of the share of lamps alive at `hours`, of those alive at `from_h`. */
  logSurvival(range: { readonly from_h: number; readonly hours: number }): number;
}

/** Shape that is usual for lamps, and minimum number of failures from which it is fitted. */
const SHAPE_HELD = 3.5;
const FAILURES_MIN = 8;
/**
 * Priors for the rated hours: their weight in equivalent failures. One ship in five gives them
 * nearly none, so that a bad batch is recognised.
 */
const PRIORS = [
  { share: 0.8, failures: 6 },
  { share: 0.2, failures: 0.5 },
] as const;
const B10 = 0.1;

/** The scale of a Weibull distribution in which 10 % fail before `b10_h`. */
export function scaleOfB10(b10_h: number, shape: number): number {
  return b10_h / (-Math.log(1 - B10)) ** (1 / shape);
}

/**
 * Maximum likelihood over ages of which at least one failed; censored ones count as alive. Solves
 * the profile equation for the shape by bisection (Lawless, Statistical Models and Methods for
 * Lifetime Data, ch. 5).
 */
export function fitWeibull(ages: readonly LampAge[]): {
  readonly shape: number;
  readonly scale_h: number;
  readonly log_likelihood: number;
} {
  const failed = ages.filter((age) => age.failed);
  const top = Math.max(...ages.map((age) => age.hours));
  const logs = failed.map((age) => Math.log(age.hours / top));
  const mean_log = logs.reduce((sum, log) => sum + log, 0) / failed.length;
  const sums = (shape: number) => {
    let power = 0;
    let power_log = 0;
    for (const { hours } of ages) {
      const each = (hours / top) ** shape;
      power += each;
      if (hours > 0) power_log += each * Math.log(hours / top);
    }
    return { power, power_log };
  };
  const excess = (shape: number) => {
    const { power, power_log } = sums(shape);
    return power_log / power - 1 / shape - mean_log;
  };
  let low = 0.05;
  let high = 100;
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2;
    if (excess(middle) > 0) high = middle;
    else low = middle;
  }
  const shape = (low + high) / 2;
  const scale_h = top * (sums(shape).power / failed.length) ** (1 / shape);
  const log_likelihood =
    failed.reduce((sum, { hours }) => sum + (shape - 1) * Math.log(hours / scale_h), 0) +
    failed.length * Math.log(shape / scale_h) -
    ages.reduce((sum, { hours }) => sum + (hours / scale_h) ** shape, 0);
  return { shape, scale_h, log_likelihood };
}

/** The failure distribution of this ship's lamps, given their ages, failed or alive. */
export function suddenFailure(
  ages: readonly LampAge[],
  { rated_h }: { rated_h: number },
): SuddenFailure {
  const burnt = ages.filter(({ hours }) => hours > 0);
  const seen = burnt.filter(({ failed }) => failed).length;
  const shape_held = seen < FAILURES_MIN;
  const shape = shape_held ? SHAPE_HELD : heldBack(fitWeibull(burnt).shape);
  const scale = scaleOfB10(rated_h, shape);
  const hazard = (hours: number) => (hours / scale) ** shape;
  const expected = burnt.reduce((sum, { hours }) => sum + hazard(hours), 0);
  const mixture = weighed(seen, expected);
  return {
    shape,
    shape_held,
    // The lamp's own age is among the observed ones, so only later hours count.
    logSurvival: ({ from_h, hours }) =>
      logSum(mixture, hazard(hours) - hazard(from_h)) - logSum(mixture, 0),
  };
}

/** A gamma distribution of the failure rate relative to the rated one, with its weight (log). */
interface Belief {
  readonly log_share: number;
  readonly failures: number;
  readonly expected: number;
}

/** The priors after `seen` failures where the rated hours predict `expected`. */
function weighed(seen: number, expected: number): readonly Belief[] {
  return PRIORS.map(({ share, failures }) => {
    let log_share = Math.log(share) + failures * Math.log(failures);
    for (let i = 0; i < seen; i++) log_share += Math.log(failures + i);
    log_share -= (failures + seen) * Math.log(failures + expected);
    return { log_share, failures: failures + seen, expected: failures + expected };
  });
}

/** Log of the share of lamps that survive `hazard` (as at the rated hours), up to a constant. */
function logSum(mixture: readonly Belief[], hazard: number): number {
  const logs = mixture.map(
    ({ log_share, failures, expected }) => log_share - failures * Math.log1p(hazard / expected),
  );
  const most = Math.max(...logs);
  return most + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - most), 0));
}

/** A fitted shape, limited to a plausible range: a dozen failures alone may give 15. */
function heldBack(shape: number): number {
  return Math.min(6, Math.max(1.5, shape));
}
