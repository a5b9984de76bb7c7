// Thinned blocks on disk: every so many sealed readings of a stretch of time, cut down to what the
// runtime analysis needs, coded as segments are. Each carries its reading's rank in the stretch as
// an unknown tag. They only repeat what segments say, so one whose bytes aren't what was written is
// passed over and the segments are read instead.

import type { Reading, Value } from "../bwts/reading.ts";
import { RUNTIME_ANALYSIS, TAGS } from "../bwts/tags.ts";
import { printTime } from "../clock.ts";
import { hashOf } from "./hash-chain.ts";
import { type Connection, prepare } from "./open.ts";
import type { ClosedRange } from "./query.ts";
import { DamagedError } from "./segment/bytes.ts";
import { valueAt } from "./segment/column.ts";
import type { JsonWriter } from "./segment/json-writer.ts";
import { encodeSegment } from "./segment/segment.ts";
import { analysisRenderer, type Render } from "./segment/segment-json.ts";
import { openSegment } from "./segment/segment-reader.ts";
import { analysedOf } from "./segment-block.ts";

/** Readings a row of the lowest level stands for: a byte a reading is what all levels weigh. */
const PITCH_MIN = 32;
/** How much sparser the next level is: an answer then opens eight times the rows that it keeps. */
export const LEVEL_RATIO = 8;
/** The sparsest holds every millionth reading: enough for 10,000 of 10^10. */
export const LEVELS = 6;
/** Rows of a block: fewer cost more to open than to decode, more leave a longer rest unthinned. */
export const BLOCK_ROWS = 512;

/** How many readings a row of a level stands for, at the most. */
export function pitchOf(level: number): number {
  return PITCH_MIN * LEVEL_RATIO ** level;
}

/** A block, without its readings: it stands for `count` of them from `start_ms` to `end_ms`. */
export interface ThinSpan extends ClosedRange {
  readonly level: number;
  readonly count: number;
}

/** A reading of a block; `rank` is how many of the stretch lie before it. */
export interface ThinReading {
  readonly rank: number;
  readonly at_ms: number;
  /** By index into `TAGS`; null where the runtime analysis doesn't ask. */
  readonly values: Reading["values"];
}

/** An opened block. */
export interface ThinBlock extends ThinSpan {
  readonly at_ms: Float64Array;
  /** By row; one more than there are rows: the last is `count`. */
  readonly ranks: Float64Array;
  reading(row: number): ThinReading;
  /** Writes a row as a record of the runtime analysis. */
  writeAnalysis(row: number, out: JsonWriter): void;
}

interface ThinRow extends ThinSpan {
  readonly hash: Uint8Array;
  readonly header: Uint8Array;
  readonly payload: Uint8Array;
}

/** The blocks of a level that a range cuts, ascending; no two of a level overlap. */
export function thinSpans(db: Connection, level: number, range: ClosedRange): readonly ThinSpan[] {
  return prepare<object, ThinSpan>(db, "thin.spans").all({ ...range, level });
}

/** Opens a block; null when it isn't there, or isn't what was written. */
export function openThin(db: Connection, { level, start_ms }: ThinSpan): ThinBlock | null {
  const row = prepare<object, ThinRow>(db, "thin.at").get({ level, start_ms });
  return row === undefined || !isWhole(row) ? null : blockOf(row);
}

/** Stores a block. */
export function putThin(db: Connection, span: ThinSpan, readings: readonly ThinReading[]): void {
  const { header, payload } = encodeSegment(readings.map(sealedOf));
  const { level, start_ms, end_ms, count } = span;
  const row = { level, start_ms, end_ms, count, header, payload };
  prepare(db, "thin.put").run({ ...row, hash: hashOfRow(row) });
}

export function removeThin(db: Connection, { level, start_ms }: ThinSpan): void {
  prepare(db, "thin.remove").run({ level, start_ms });
}

/** Names the first block whose bytes aren't what was written; null when there is none. */
export function thinProblem(db: Connection): string | null {
  for (const row of prepare<object, ThinRow>(db, "thin.all").iterate({}))
    if (!isWhole(row)) {
      const stretch = `${printTime(row.start_ms)} to ${printTime(row.end_ms)}`;
      return `thinned readings of ${stretch}, level ${row.level}: they aren't what was written`;
    }
  return null;
}

function isWhole(row: ThinRow): boolean {
  return Buffer.compare(hashOfRow(row), row.hash) === 0;
}

function hashOfRow(row: Omit<ThinRow, "hash">): Buffer {
  const { level, start_ms, end_ms, count, header, payload } = row;
  return hashOf(`${level}\n${start_ms}\n${end_ms}\n${count}\n${header.length}\n`, header, payload);
}

const RANK = "rank";

function sealedOf({ rank, at_ms, values }: ThinReading): Reading {
  const cut = new Array<Value>(TAGS.length).fill(null);
  for (const index of RUNTIME_ANALYSIS) cut[index] = values[index];
  const extra = new Map([[RANK, rank]]);
  return { at_ms, received_ms: 0, clock_trusted: true, values: cut, derived: 0, extra };
}

function blockOf(row: ThinRow): ThinBlock {
  const { level, start_ms, end_ms, count, header, payload } = row;
  const segment = openSegment({ header, payload });
  const ranks = new Float64Array(segment.count + 1).fill(count);
  const column = segment.extra(segment.extraNames.indexOf(RANK));
  for (let index = 0; index < segment.count; index += 1) {
    const rank = valueAt(column, index);
    if (typeof rank !== "number") throw new DamagedError(`rank ${rank}: expected a number`);
    ranks[index] = rank;
  }
  let render: Render | null = null;
  return {
    ...{ level, start_ms, end_ms, count, ranks },
    at_ms: segment.at_ms,
    reading(index) {
      const values = analysedOf(segment, index);
      return { rank: ranks[index], at_ms: segment.at_ms[index], values };
    },
    writeAnalysis(index, out) {
      render ??= analysisRenderer(segment);
      render({ from: index, to: index + 1, between: "," }, out);
    },
  };
}
