// Counts forecast errors by their size: the median of many needs no list of them, and the counts of
// single lamps add up to those of all.

/** Number of forecasts for each error; the key is the error in tenths of an hour. */
export type ErrorCounts = Map<number, number>;

/** Counts an error, in tenths of an hour. */
export function countError(errors: ErrorCounts, tenths: number, times: number): void {
  errors.set(tenths, (errors.get(tenths) ?? 0) + times);
}

/** The median of the counted errors in hours; null without errors. */
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
