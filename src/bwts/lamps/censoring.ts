// Counts forecasts whose lamps were replaced while they worked, or still burn: only a minimum of
// their hours left is known. Without them the scores would be biased, because only early ends would
// count. So ends are counted by the product limit (Kaplan and Meier 1958), over cells of the
// forecast's own probability, and weighted by the inverse probability that a lamp was still
// observed (Graf and others 1999), over cells of the horizon.

/** Numbers of forecasts by cell. Those of several lamps add up. */
export interface ScoreCells {
  /**
   * By the probability that the forecast gave to an earlier end: lamps that ended, and lamps last
   * observed (replaced, or still burning), in that range.
   */
  readonly ended: number[];
  readonly left: number[];
  /**
   * By the elapsed share of the horizon: lamps that ended within it, and lamps last observed within
   * it.
   */
  readonly soon_ended: number[];
  readonly soon_left: number[];
  /**
   * Sums of the squared errors of forecasts whose lamps ended within the horizon: of the forecast,
   * and of rated hours minus run-hours.
   */
  readonly soon_squares: number[];
  readonly soon_rated: number[];
}

/** Number of cells of 5 % each. The first holds the ends before p05, the last those after p95. */
const SHARES = 20;
const PARTS = 10;
/** Minimum probability that a lamp is still observed; it limits the weight of a single forecast. */
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

/** Counts a forecast in the cell of the probability that it gave to an end before its lamp's. */
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

/** Counts a forecast whose lamp ended, or was last observed, in the horizon, with its errors. */
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
 * The shares of ends before p05 and after p95; null without an end. `wrong` is the number of
 * forecasts that the lamp had ended while it worked; they count as ends after p95.
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
    // Lamps last observed in a cell count as observed for half of it. Without an observed lamp the
    // forecast's own share is used.
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
    // Ends are taken to lie in the middle of their cell.
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
