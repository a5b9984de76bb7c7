// Moves unsealed readings of a damaged database into a new one. Some rows are old: their readings
// have been sealed since, or have expired. A row that adds nothing to its sealed reading is
// dropped; one that adds fields replaces it, as before.

import type { Reading } from "../../bwts/reading.ts";
import { type Connection, prepare } from "../file/open.ts";
import { withChecksum, withoutChecksum } from "../file/row-checksum.ts";
import { readingOf } from "../sealed/block.ts";
import { countedPieces, countOf } from "../sealed/counts.ts";
import { besideReading } from "../sealed/row.ts";
import { ALL_SEALED, timeline } from "../sealed/timeline.ts";
import type { Gap, Harvest } from "./found-rows.ts";
import { between, type Loss } from "./loss.ts";
import { treeProblem } from "./tables.ts";
import { isDamagedFile } from "./trust.ts";

/** Takes over the rows; returns the number of rows that weren't dropped. */
export function takeHotRows(db: Connection, { readings, raw_from_ms }: Harvest): number {
  const put = prepare(db, "reading.put");
  let taken = 0;
  for (const at_ms of [...readings.keys()].sort((one, other) => one - other)) {
    const row = readings.get(at_ms);
    if (row === undefined || at_ms < raw_from_ms) continue;
    const sealed = sealedAt(db, at_ms);
    if (sealed !== null && saysAll(sealed, readingOf(row))) continue;
    const keyed = { ...row, supersedes: sealed === null ? 0 : 1 };
    put.run({ ...keyed, row: withChecksum(withoutChecksum(row.row), besideReading(keyed)) });
    taken += 1;
  }
  return taken;
}

/**
 * Times at which unsealed readings may be lost: around damaged rows on a page, and where SQLite
 * can't walk the table's tree. Rows found on pages all the same aren't lost.
 */
export function hotLosses(db: Connection, { gaps }: Harvest, from: Connection | null): Loss[] {
  const onPages = gaps
    .filter((gap) => !isFilled(db, gap))
    .map(({ after_ms, before_ms, readings }): Loss => {
      const why = "rows of unsealed readings are damaged, as many at the most";
      return { what: "readings", name: null, readings, ...between(after_ms, before_ms), why };
    });
  const walked = walkedGap(from);
  if (walked === null) return onPages;
  const { after_ms, before_ms, why } = walked;
  const times = between(after_ms, before_ms);
  return [...onPages, { what: "readings", name: null, readings: null, ...times, why }];
}

/**
 * True if the gap holds no lost reading: the damaged page may have been an old state of a sound
 * one.
 */
function isFilled(db: Connection, { after_ms, before_ms, readings }: Gap): boolean {
  if (after_ms === null || before_ms === null || before_ms - after_ms < 2) return false;
  const range = { start_ms: after_ms + 1, end_ms: before_ms - 1 };
  return countOf(countedPieces(db, range)) >= readings;
}

interface Walked extends Pick<Gap, "after_ms" | "before_ms"> {
  readonly why: string;
}

/** The times between which the table can't be walked from either end; null if it can. */
function walkedGap(from: Connection | null): Walked | null {
  const why =
    "the table of unsealed readings can't be walked; the rows on its pages were taken over";
  if (from === null) return { after_ms: null, before_ms: null, why };
  const after = lastOf(from, "salvage.readings");
  if (!after.isWhole) {
    const before = lastOf(from, "salvage.readings_back");
    return { after_ms: after.at_ms, before_ms: before.at_ms, why };
  }
  const problem = treeProblem(from, "reading");
  if (problem === null) return null;
  const hidden = `a page of unsealed readings may hide some, at any time: ${problem}`;
  return { after_ms: null, before_ms: null, why: hidden };
}

function lastOf(from: Connection, statement: "salvage.readings" | "salvage.readings_back") {
  let at_ms: number | null = null;
  try {
    for (const row of prepare(from, statement).iterate({})) ({ at_ms } = row);
    return { at_ms, isWhole: true };
  } catch (error) {
    if (!isDamagedFile(error)) throw error;
    return { at_ms, isWhole: false };
  }
}

function sealedAt(db: Connection, at_ms: number): Reading | null {
  if (at_ms < 0) return null;
  for (const { block, from } of timeline(db, { start_ms: at_ms, end_ms: at_ms }, ALL_SEALED))
    return block.reading(from);
  return null;
}

/** True if `whole` has every value of `part`. */
function saysAll(whole: Reading, part: Reading): boolean {
  const hasValues = part.values.every(
    (value, index) => value === null || Object.is(whole.values[index], value),
  );
  return hasValues && [...part.extra].every(([name, value]) => whole.extra.get(name) === value);
}
