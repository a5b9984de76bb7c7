// Chooses the hot readings that are sealed together: as many as make a good segment, and fewer if
// they are large, invent tags or are far apart, so that no step of the writer takes long. A tag is
// a column over all readings of its segment: if names don't repeat, work grows by the square.

import type { Reading } from "../bwts/reading.ts";
import { TAGS } from "../bwts/tags.ts";
import { floorTo, HOUR_MS } from "../clock.ts";
import { isWholeReading, type ReadingRow, readingOf } from "./block.ts";

/** Readings a segment: larger ones compress hardly better and cost more to open for one reading. */
export const SEGMENT_READINGS = 2048;
/** Columns times readings: as many tags of a ship's own as it has fields, at full length. */
const CELLS_MAX = 2 * TAGS.length * SEGMENT_READINGS;
/** Bytes of rows: twice what a full segment of a ship takes. */
const BYTES_MAX = 1024 * 1024;
/** Hours whose sums change: a full segment has 342 at a reading in ten minutes. */
const HOURS_MAX = 400;
/** Late ones are folded anew from segments that have to be opened. */
const LATE_HOURS_MAX = 48;

/** Rows to be sealed together, and what they hold. */
export interface Portion {
  readonly rows: readonly ReadingRow[];
  readonly readings: readonly Reading[];
}

/** `isLate`: the rows are late readings. `onDamaged` gets each damaged row; it isn't sealed. */
interface PortionOptions {
  readonly isLate: boolean;
  readonly onDamaged: (row: ReadingRow) => void;
}

/** The first whole ones of `rows`, in order of time, with no damaged one between them. */
export function portionOf(
  rows: Iterable<ReadingRow>,
  { isLate, onDamaged }: PortionOptions,
): Portion {
  const taken: ReadingRow[] = [];
  const readings: Reading[] = [];
  const names = new Set<string>();
  let bytes = 0;
  let hours = 0;
  let hour_ms = Number.NaN;
  for (const row of rows) {
    if (!isWholeReading(row)) {
      onDamaged(row);
      if (taken.length > 0) break;
      continue;
    }
    const reading = readingOf(row);
    const here_ms = floorTo(reading.at_ms, HOUR_MS);
    for (const name of reading.extra.keys()) names.add(name);
    bytes += row.row.length;
    if (here_ms !== hour_ms) hours += 1;
    hour_ms = here_ms;
    const cells = (TAGS.length + names.size) * (taken.length + 1);
    const isTooMuch =
      cells > CELLS_MAX || bytes > BYTES_MAX || hours > (isLate ? LATE_HOURS_MAX : HOURS_MAX);
    if (isTooMuch && taken.length > 0) break;
    taken.push(row);
    readings.push(reading);
  }
  return { rows: taken, readings };
}
