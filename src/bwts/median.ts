// The median, which the lamp science uses wherever a mean would follow an outlier. Beside it
// quantiles of samples, by linear interpolation (type 7 of Hyndman and Fan, as R has it).

/** The middle value, or the mean of the two middle ones; NaN of none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which `share` (0 to 1) of the values lie; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) return Number.NaN;
  const rising = values.toSorted((one, other) => one - other);
  const at = share * (rising.length - 1);
  const low = Math.floor(at);
  const high = Math.min(rising.length - 1, low + 1);
  return rising[low] + (rising[high] - rising[low]) * (at - low);
}
