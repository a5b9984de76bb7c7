// Sums over forecasts with known outcome. The sums of single lamps add up to the scores of all, so
// that each forecast is read once, however often the track record is requested. Errors are counted
// by tenths of an hour, so that the median needs no list of them.

/** A forecast and the lamp's outcome. Hours are operating hours. */
export interface ScoredForecast {
  readonly age_h: number;
  readonly median_h: number;
  readonly p05_h: number;
  readonly p95_h: number;
  readonly failure_probability: number;
  readonly horizon_h: number;
  /** Hours that the lamp had left, or that it was seen to burn. */
  readonly left_h: number;
  /** True if the lamp ended then; false if it was replaced early, or still burns. */
  readonly ended: boolean;
}

const SUMS = {
  /** Forecasts of lamps that ended; those whose lamp ended before p05, and after p95. */
  ended: 0,
  before_p05: 0,
  after_p95: 0,
  /** Sum of the errors as shares of the hours left, and their number. */
  shares: 0,
  share_sum: 0,
  /** Forecasts for which it is known if the lamp ended within the horizon; those that did. */
  decided: 0,
  happened: 0,
  /** Squared errors of the failure probability, and of rated hours minus run-hours. */
  squares: 0,
  rated_squares: 0,
};

/** Number of forecasts for each error; the key is the error in tenths of an hour. */
type ErrorCounts = Map<number, number>;

export interface ScoreTally {
  readonly sums: typeof SUMS;
  /** Errors of the forecasts of lamps that ended, and errors of rated hours minus run-hours. */
  readonly errors: ErrorCounts;
  readonly rated_errors: ErrorCounts;
}

/** With fewer hours left a relative error means nothing: in the last hour it would be infinite. */
const SHARE_FROM_H = 100;

export function newTally(): ScoreTally {
  return { sums: { ...SUMS }, errors: new Map(), rated_errors: new Map() };
}

/** Adds a forecast of a lamp that is rated for `rated_h`. */
export function addForecast(
  { sums, errors, rated_errors }: ScoreTally,
  scored: ScoredForecast,
  rated_h: number,
): void {
  const { left_h } = scored;
  const rated_left_h = Math.max(0, rated_h - scored.age_h);
  if (scored.ended) {
    const error_h = Math.abs(scored.median_h - left_h);
    sums.ended += 1;
    sums.before_p05 += +(left_h < scored.p05_h);
    sums.after_p95 += +(left_h > scored.p95_h);
    count(errors, Math.round(error_h * 10), 1);
    count(rated_errors, Math.round(Math.abs(rated_left_h - left_h) * 10), 1);
    if (left_h >= SHARE_FROM_H) {
      sums.shares += 1;
      sums.share_sum += error_h / left_h;
    }
  }
  if (!isDecided(scored)) return;
  const happened = outcome(scored);
  sums.decided += 1;
  sums.happened += happened;
  sums.squares += (scored.failure_probability - happened) ** 2;
  sums.rated_squares += (+(rated_left_h <= scored.horizon_h) - happened) ** 2;
}

/** The sum of several tallies. */
export function tallyOfAll(tallies: readonly ScoreTally[]): ScoreTally {
  const all = newTally();
  for (const { sums, errors, rated_errors } of tallies) {
    for (const name of sumNames) all.sums[name] += sums[name];
    for (const [tenths, times] of errors) count(all.errors, tenths, times);
    for (const [tenths, times] of rated_errors) count(all.rated_errors, tenths, times);
  }
  return all;
}

const isSum = (name: string): name is keyof typeof SUMS => name in SUMS;
const sumNames = Object.keys(SUMS).filter(isSum);

/** The median of counted errors in hours, null without one. */
export function medianError(errors: ErrorCounts): number | null {
  const sorted = [...errors].sort(([one], [other]) => one - other);
  const total = sorted.reduce((sum, [, times]) => sum + times, 0);
  const ranked = (rank: number) => {
    let before = 0;
    for (const [tenths, times] of sorted) {
      before += times;
      if (before > rank) return tenths;
    }
    return 0;
  };
  return total === 0 ? null : (ranked((total - 1) >> 1) + ranked(total >> 1)) / 20;
}

/** True if it is known that the lamp ended within the horizon, or that it didn't. */
export function isDecided({ ended, left_h, horizon_h }: ScoredForecast): boolean {
  return ended || left_h > horizon_h;
}

/** 1 if the lamp ended within the horizon. */
export function outcome({ ended, left_h, horizon_h }: ScoredForecast): number {
  return ended && left_h <= horizon_h ? 1 : 0;
}

function count(errors: ErrorCounts, tenths: number, times: number): void {
  errors.set(tenths, (errors.get(tenths) ?? 0) + times);
}
