// Ranks: the median, used wherever a mean would follow an outlier; quantiles by linear
// interpolation (type 7 of Hyndman and Fan, as in R); and a binary search. The lamps of 24 months
// need 28,000 medians of 200 readings, so values are partitioned, not sorted.

/** The median: the middle value, or the mean of the two middle ones; NaN for none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which `share` (0 to 1) of the values lie; NaN for none. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) return Number.NaN;
  const parted = new Float64Array(values);
  const at = share * (parted.length - 1);
  const low = Math.floor(at);
  partAt(parted, low);
  const value = parted[low];
  if (at === low) return value;
  let next = parted[low + 1];
  for (let i = low + 2; i < parted.length; i += 1) if (parted[i] < next) next = parted[i];
  return value + (next - value) * (at - low);
}

/**
 * The first of `count` indices for which `holds`, which then holds for all after it; `count` if
 * none.
 */
export function firstIndex(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Puts the value of rank `rank` in its place, with none greater before it and none smaller after
 * it.
 */
function partAt(values: Float64Array, rank: number): void {
  let from = 0;
  let to = values.length - 1;
  while (from < to) {
    const pivot = values[(from + to) >> 1];
    let left = from;
    let right = to;
    while (left <= right) {
      while (values[left] < pivot) left += 1;
      while (values[right] > pivot) right -= 1;
      if (left > right) break;
      const value = values[left];
      values[left] = values[right];
      values[right] = value;
      left += 1;
      right -= 1;
    }
    if (rank <= right) to = right;
    else if (rank >= left) from = left;
    else return;
  }
}
