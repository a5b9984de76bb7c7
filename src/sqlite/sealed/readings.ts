// Stores readings, for the writer. Within a batch, parts are merged into readings in memory; at its
// end each changed reading is written once, as a hot row. A sealed reading that changes becomes a
// hot row as a whole, which replaces the sealed one.

import { isContradicted, type MergeResult, mergePart, type PartReceipt } from "../../bwts/merge.ts";
import type { Reading, ReadingPart } from "../../bwts/reading.ts";
import { DamagedError } from "../../codec/bytes.ts";
import { floorTo, HOUR_MS } from "../../ground/clock.ts";
import { type Connection, prepare, register } from "../file/open.ts";
import { withChecksum } from "../file/row-checksum.ts";
import { readingOf } from "./block.ts";
import { sealedInHour } from "./counts.ts";
import { besideReading, encodeRow } from "./row.ts";
import { segmentsOf } from "./segments.ts";
import type { TagNames } from "./tag-names.ts";
import { ALL_SEALED, timeline } from "./timeline.ts";
import { visibleParts, voidedSpans } from "./voids.ts";

/** The readings that a batch changed. */
export interface FlushResult {
  /** Number of readings at instants that had none before. */
  readonly new_count: number;
  /** Readings that weren't hot before. */
  readonly hot: readonly Reading[];
  /** Every reading that changed, in order of time. */
  readonly touched: readonly Reading[];
  /** Bytes of the rows that were written. */
  readonly bytes: number;
}

/** The result of storing a part. */
export interface MergedPart extends MergeResult {
  /** Unknown tags that were left out: too many names are kept already. */
  readonly beyond: readonly string[];
}

/** The readings of the current batch. All methods run in the writer's transaction. */
export interface ReadingStore {
  /** The reading of an instant, from the batch or the database; null without one. */
  at(at_ms: number): Reading | null;
  /** Merges a part into the reading of its instant. */
  merge(part: ReadingPart, receipt: PartReceipt): MergedPart;
  /** Writes the changed readings. */
  flush(): FlushResult;
}

const NO_TAGS: ReadonlyMap<string, unknown> = new Map();

/** The place of a reading before the batch. */
type Origin = "nowhere" | "hot" | "sealed";

interface KnownReading {
  readonly reading: Reading | null;
  readonly origin: Origin;
  /** 1 if the hot row replaces a sealed reading of the same instant. */
  readonly supersedes: number;
}

/** Opens the store; `onChange` gets the instants of changed readings, ascending, before commit. */
export function openReadingStore(
  db: Connection,
  names: TagNames,
  onChange: (instants: readonly number[]) => void,
): ReadingStore {
  const at = prepare(db, "reading.at");
  const put = prepare(db, "reading.put");
  const segments = segmentsOf(db);
  const known = new Map<number, KnownReading>();
  const touched = new Map<number, Reading>();
  const contradicted = new Set<number>();
  const forget = () => {
    known.clear();
    touched.clear();
    contradicted.clear();
  };
  register(db, { keep: forget, forget });

  const knownAt = (at_ms: number): KnownReading => {
    const before = known.get(at_ms) ?? lookUp(at_ms);
    known.set(at_ms, before);
    return before;
  };
  const lookUp = (at_ms: number): KnownReading => {
    const row = at.get({ at_ms });
    if (row !== undefined)
      return { reading: readingOf(row), origin: "hot", supersedes: row.supersedes };
    const reading = at_ms <= (segments.last_ms() ?? -1) ? sealedReading(db, at_ms) : null;
    if (reading === null) return { reading, origin: "nowhere", supersedes: 0 };
    return { reading, origin: "sealed", supersedes: 1 };
  };

  const current = (at_ms: number) => touched.get(at_ms) ?? knownAt(at_ms).reading;

  const inSecond = openSeconds(current);

  return {
    at: current,
    merge(sent, receipt) {
      const given = sent.timed_by_receipt ? inSecond(sent, receipt.received_ms) : sent;
      const { at_ms } = given;
      const stored = current(at_ms);
      const { part, beyond } = names.admit(given, stored?.extra ?? NO_TAGS);
      const merged = mergePart(stored, part, receipt);
      if (merged.reading !== null) touched.set(at_ms, merged.reading);
      if (merged.conflicts.length > 0) contradicted.add(at_ms);
      return { ...merged, beyond };
    },
    flush() {
      const readings = [...touched.values()].sort((one, other) => one.at_ms - other.at_ms);
      let bytes = 0;
      const originOf = ({ at_ms }: Reading) => known.get(at_ms)?.origin;
      for (const reading of readings) {
        const { at_ms, received_ms } = reading;
        const clock_trusted = reading.clock_trusted ? 1 : 0;
        const supersedes = known.get(at_ms)?.supersedes ?? 0;
        const keyed = { at_ms, received_ms, clock_trusted, supersedes };
        const row = withChecksum(encodeRow(reading), besideReading(keyed));
        bytes += row.length;
        put.run({ ...keyed, row });
      }
      const hot = readings.filter((reading) => originOf(reading) !== "hot");
      const new_count = hot.filter((reading) => originOf(reading) === "nowhere").length;
      const changed = new Set([...readings.map(({ at_ms }) => at_ms), ...contradicted]);
      forget();
      onChange([...changed].sort((one, other) => one - other));
      return { new_count, hot, touched: readings, bytes };
    },
  };
}

/**
 * Gives parts without a time their instant. A part gets its second, in which partial messages
 * merge. If it contradicts that reading, it keeps its milliseconds, or the next ones without a
 * contradiction: a change within a second is no fault of the clock, and the last one counts.
 */
function openSeconds(at: (at_ms: number) => Reading | null) {
  /** The newest second with contradicting parts, and their instants, ascending. */
  let split: { second_ms: number; instants: number[] } = { second_ms: -1, instants: [] };
  return (part: ReadingPart, received_ms: number): ReadingPart => {
    const second_ms = part.at_ms;
    if (split.second_ms !== second_ms) split = { second_ms, instants: [] };
    const { instants } = split;
    if (![second_ms, ...instants].some((at_ms) => isContradicted(part, at(at_ms)))) return part;
    let at_ms = Math.max(received_ms, instants.at(-1) ?? second_ms + 1);
    while (isContradicted(part, at(at_ms))) at_ms += 1;
    if (instants.at(-1) !== at_ms) instants.push(at_ms);
    return { ...part, at_ms };
  };
}

/** The sealed reading of an instant. Throws a DamagedError if it may be in a damaged segment. */
function sealedReading(db: Connection, at_ms: number): Reading | null {
  try {
    for (const { block, from } of timeline(db, { start_ms: at_ms, end_ms: at_ms }, ALL_SEALED))
      return block.reading(from);
    return null;
  } catch (error) {
    // A segment of late readings may span years and have none in this hour.
    if (error instanceof DamagedError && hasNoneSealed(db, at_ms)) return null;
    throw error;
  }
}

/** True if, by the counts, no reading of the instant's hour was sealed. */
function hasNoneSealed(db: Connection, at_ms: number): boolean {
  const start_ms = floorTo(at_ms, HOUR_MS);
  const hour = { start_ms, end_ms: start_ms + HOUR_MS - 1 };
  // The counts leave out readings that a void hides.
  return visibleParts(voidedSpans(db), hour).length === 1 && sealedInHour(db, start_ms) === 0;
}
