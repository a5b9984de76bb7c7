// The columns of a segment, and the relations between them. The first 101 have their index in the
// catalogue, with the reading's time in place of the timestamp. Behind them come the other
// properties of a reading, then a column for each unknown tag.

import { indexOfTag, lampTags, TAGS } from "../bwts/tags.ts";
import { type Column, KIND, valueAt } from "./column.ts";
import { type Decimal, FACTORS, SCALED_MAX } from "./decimal.ts";
import type { Integers } from "./integers.ts";
import type { ComputedColumn } from "./table.ts";

export const AT_MS = 0;
export const RECEIVED_MS = TAGS.length;
export const CLOCK_TRUSTED = TAGS.length + 1;
export const DERIVED_BITS = TAGS.length + 2;
/** Order of the unknown tags as column numbers, if it differs from that of their columns. */
export const EXTRA_ORDER = TAGS.length + 3;
export const EXTRAS = TAGS.length + 4;

const EFFICIENCIES = lampTags("EFFICIENCY");

/** The lamps' average, computed: most PLCs don't send it, and it would cost 7 % of a segment. */
export const SEGMENT_COMPUTED: ComputedColumn = {
  column: indexOfTag("AVG_LAMP_EFFICIENCY"),
  from: EFFICIENCIES,
  values: meanEfficiency,
};

// The mean of the lamps' efficiencies, summed in the same order as in bwts/merge.ts, so that a
// derived average leaves zero residuals; 0 if it isn't a number or too large.
function meanEfficiency(
  columns: (column: number) => Column,
  count: number,
  decimal: Decimal,
): Integers {
  const sums = new Float64Array(count);
  const lamps = new Float64Array(count);
  let lampsInAll = 0;
  for (const index of EFFICIENCIES) {
    const column = columns(index);
    if (column.kind === KIND.decimal && !column.decimal.single) {
      const { integers } = column;
      const factor = FACTORS[column.decimal.scale];
      for (let row = 0; row < count; row += 1) sums[row] += integers[row] / factor;
      lampsInAll += 1;
      continue;
    }
    for (let row = 0; row < count; row += 1) {
      const value = valueAt(column, row);
      if (typeof value !== "number") continue;
      sums[row] += value;
      lamps[row] += 1;
    }
  }
  const factor = FACTORS[decimal.scale];
  for (let row = 0; row < count; row += 1) {
    const scaled = Math.round((sums[row] / (lamps[row] + lampsInAll)) * factor);
    sums[row] = Math.abs(scaled) < SCALED_MAX ? scaled : 0;
  }
  return sums;
}
