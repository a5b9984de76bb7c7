// Forecasts of lamps that were taken out while they worked, or still burn: it is known only that
// they lived so long. Left out, they would bend the scores, since these lamps are seen to end only
// if they end early. So ends are counted by the product limit (Kaplan and Meier 1958), over cells
// of the forecast's own probability, and by the inverse of the probability that a lamp was still
// seen (Graf and others 1999), over cells of the horizon.

/** Counts by cell, which add up. */
export interface ScoreCells {
  /** By the probability that the forecast gave an earlier end: of lamps that ended, and left. */
  readonly ended: number[];
  readonly left: number[];
  /** By the share of the horizon, likewise, of those that ended or left within it. */
  readonly soon_ended: number[];
  readonly soon_left: number[];
  /** Squared errors of those that ended within it: of the forecasts, and by the rated hours. */
  readonly soon_squares: number[];
  readonly soon_rated: number[];
}

/** The first and the last are the ends before p05, and after p95. */
const SHARES = 20;
const PARTS = 10;
/** Forecasts of lamps that had a smaller chance to be seen don't count for more than this tells. */
const SEEN_MIN = 0.05;

const none = (count: number): number[] => new Array(count).fill(0);

export function newCells(): ScoreCells {
  return {
    ended: none(SHARES),
    left: none(SHARES),
    soon_ended: none(PARTS),
    soon_left: none(PARTS),
    soon_squares: none(PARTS),
    soon_rated: none(PARTS),
  };
}

const isName = (name: string): name is keyof ScoreCells => name in newCells();
const names = Object.keys(newCells()).filter(isName);

/** Adds the counts of `from` to `to`. */
export function addCells(to: ScoreCells, from: ScoreCells): void {
  for (const name of names) for (const [at, count] of from[name].entries()) to[name][at] += count;
}

interface SeenForecast {
  readonly left_h: number;
  readonly ended: boolean;
  readonly p05_h: number;
  readonly median_h: number;
  readonly p95_h: number;
  readonly horizon_h: number;
}

/** Counts a forecast by its own probability of an end before that of the lamp. */
export function countShare(cells: ScoreCells, told: SeenForecast): void {
  const { left_h, p05_h, median_h, p95_h, ended } = told;
  const counts = ended ? cells.ended : cells.left;
  const inside = (from_h: number, to_h: number) =>
    to_h > from_h ? Math.max(0, (left_h - from_h) / (to_h - from_h)) : 1;
  const share =
    left_h <= median_h
      ? 0.05 + 0.45 * inside(p05_h, median_h)
      : 0.5 + 0.45 * inside(median_h, p95_h);
  const at = Math.min(SHARES - 2, Math.max(1, Math.floor(share * SHARES)));
  counts[left_h < p05_h ? 0 : left_h > p95_h ? SHARES - 1 : at] += 1;
}

/** Counts a forecast whose lamp ended or left within the horizon, with its squared errors. */
export function countSoon(
  cells: ScoreCells,
  { left_h, ended, horizon_h }: SeenForecast,
  squares: { readonly own: number; readonly rated: number },
): void {
  const at = Math.min(PARTS - 1, Math.floor((PARTS * left_h) / horizon_h));
  if (!ended) {
    cells.soon_left[at] += 1;
    return;
  }
  cells.soon_ended[at] += 1;
  cells.soon_squares[at] += squares.own;
  cells.soon_rated[at] += squares.rated;
}

/**
 * The shares of ends before p05 and after p95, with `wrong` forecasts that are known to be too
 * early; null if nothing was seen to end.
 */
export function sharesOutside(
  { ended, left }: ScoreCells,
  wrong: number,
): { readonly before_p05: number; readonly after_p95: number } | null {
  if (sum(ended) + wrong === 0) return null;
  let known = sum(ended) + sum(left);
  const others = known / (known + wrong);
  let lasting = 1;
  const lastings = ended.map((count, at) => {
    // Half of those that left in a cell were there; where nobody was, the forecast is believed.
    const there = known - left[at] / 2;
    lasting *= 1 - (there > 0 ? count / there : 1 / (SHARES - at));
    known -= count + left[at];
    return lasting;
  });
  return {
    before_p05: others * (1 - lastings[0]),
    after_p95: others * lastings[SHARES - 2] + 1 - others,
  };
}

interface Outlived {
  readonly count: number;
  readonly squares: number;
  readonly rated_squares: number;
}

/** The Brier scores, and the share that ends within the horizon; null if nothing is known. */
export function brierOf(
  { soon_ended, soon_left, soon_squares, soon_rated }: ScoreCells,
  outlived: Outlived,
): { readonly own: number; readonly rated: number; readonly rate: number } | null {
  let known = outlived.count + sum(soon_ended) + sum(soon_left);
  let seen = 1;
  const all = { weight: 0, happened: 0, own: 0, rated: 0 };
  const add = (count: number, own: number, rated: number) => {
    const weight = 1 / Math.max(SEEN_MIN, seen);
    all.weight += weight * count;
    all.own += weight * own;
    all.rated += weight * rated;
    return weight * count;
  };
  for (const [at, count] of soon_ended.entries()) {
    const there = known - count / 2;
    const stays = there > 0 ? Math.max(0, 1 - soon_left[at] / there) : 1;
    // An end in this cell was seen through half of it.
    const after = seen * stays;
    seen *= Math.sqrt(stays);
    all.happened += add(count, soon_squares[at], soon_rated[at]);
    seen = after;
    known -= count + soon_left[at];
  }
  add(outlived.count, outlived.squares, outlived.rated_squares);
  const { weight, happened, own, rated } = all;
  return weight === 0
    ? null
    : { own: own / weight, rated: rated / weight, rate: happened / weight };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}
