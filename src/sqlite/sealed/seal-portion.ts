// Chooses the hot readings for one segment: as many as a good segment has, but fewer if they are
// large, have ever new tags or are far apart, so that no step of the writer takes long. A tag is a
// column over all readings of its segment: with names that never repeat, work grows by the square.

import type { Reading } from "../../bwts/reading.ts";
import { TAGS } from "../../bwts/tags.ts";
import { floorTo, HOUR_MS } from "../../ground/clock.ts";
import { isWholeReading, type ReadingRow, readingOf } from "./block.ts";

/**
 * Number of readings of a segment. Larger segments compress hardly better, and take longer to open
 * for one reading.
 */
export const SEGMENT_READINGS = 2048;
/** Maximum number of cells (columns times readings): as many unknown tags as fields, in full. */
const CELLS_MAX = 2 * TAGS.length * SEGMENT_READINGS;
/** Maximum bytes of rows: twice those of a ship's full segment. */
const BYTES_MAX = 1024 * 1024;
/** Maximum number of hours whose sums change: a full segment at a reading in 10 min has 342. */
const HOURS_MAX = 400;
/** Maximum number of hours of late readings, which are summed again from opened segments. */
const LATE_HOURS_MAX = 48;

/** Rows to be sealed together, and their readings. */
export interface Portion {
  readonly rows: readonly ReadingRow[];
  readonly readings: readonly Reading[];
}

/** `isLate`: the rows are late readings. `onDamaged` gets each damaged row, which isn't sealed. */
interface PortionOptions {
  readonly isLate: boolean;
  readonly onDamaged: (row: ReadingRow) => void;
}

/** The first sound rows of `rows`, in order of time, up to a damaged one. */
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
