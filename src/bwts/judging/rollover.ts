// Joins the parts of a totaliser that reached its end and began at 0 again: at a power of ten, as
// displays do, or where a counter of 16 or 32 bits ends. A fall counts as such if the plant can
// move the volume across the end in that time. Pure.

import { isUpTo } from "../../ground/binary-noise.ts";
import { certifiedVolume } from "../operations/moving-volume.ts";
import { VOLUME_FACTOR } from "../operations/rules.ts";

/** Units in which a counter of 16 or 32 bits counts, in m3. */
const UNITS_M3 = [1, 0.1, 0.01, 0.001];
const ENDS_M3 = [
  ...[1e4, 1e5, 1e6, 1e7, 1e8, 1e9],
  ...UNITS_M3.flatMap((unit_m3) => [2 ** 16 * unit_m3, 2 ** 32 * unit_m3]),
];

/** `values`, with the volume before each rollover added after it; `values` itself without one. */
export function withoutEnds(
  values: Float64Array,
  { told, at_ms }: { readonly told: readonly number[]; readonly at_ms: Float64Array },
  certified_m3_h: number,
): Float64Array {
  let joined: Float64Array | null = null;
  let [added_m3, least_m3] = [0, Number.POSITIVE_INFINITY];
  for (let place = 1; place < told.length; place += 1) {
    const [before, index] = [told[place - 1], told[place]];
    const rise_m3 = values[index] - values[before];
    if (rise_m3 > 0) least_m3 = Math.min(least_m3, rise_m3);
    if (rise_m3 < 0) {
      const possible_m3 =
        VOLUME_FACTOR * certifiedVolume(certified_m3_h, at_ms[index] - at_ms[before]);
      // One of coarse steps rises by a step.
      const most_m3 = Number.isFinite(least_m3) ? Math.max(least_m3, possible_m3) : possible_m3;
      const end_m3 = ENDS_M3.find(
        (end) => values[before] < end && isUpTo(0, rise_m3 + end) && isUpTo(rise_m3 + end, most_m3),
      );
      if (end_m3 !== undefined) added_m3 += end_m3;
    }
    if (added_m3 === 0) continue;
    joined ??= values.slice();
    joined[index] = values[index] + added_m3;
  }
  return joined ?? values;
}
