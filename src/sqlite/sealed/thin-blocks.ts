// Thinned blocks on disk: every so many sealed readings of a stretch of time, reduced to the fields
// of the runtime analysis, in the coding of segments. Each row has its reading's rank in the
// stretch as an unknown tag. Blocks only repeat segments: a damaged one is skipped, and the
// segments are read instead.

import type { Reading, Value } from "../../bwts/reading.ts";
import { RUNTIME_ANALYSIS, TAGS } from "../../bwts/tags.ts";
import { DamagedError } from "../../codec/bytes.ts";
import { valueAt } from "../../codec/column.ts";
import type { JsonWriter } from "../../codec/json-writer.ts";
import { encodeSegment } from "../../codec/segment.ts";
import { analysisRenderer, type Render } from "../../codec/segment-json.ts";
import { openSegment } from "../../codec/segment-reader.ts";
import { printTime } from "../../ground/clock.ts";
import { hashOf } from "../file/hash-chain.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { analysedOf } from "./segment-block.ts";

/**
 * Readings that a row of the lowest level stands for; all levels together take a byte a reading.
 */
const PITCH_MIN = 32;
/**
 * Ratio of the pitches of two levels: an answer opens at most eight times the rows that it keeps.
 */
export const LEVEL_RATIO = 8;
/** The sparsest level holds every millionth reading: enough for 10,000 of 10^10. */
export const LEVELS = 6;
/**
 * Rows of a block. Fewer take longer to open than to decode, more leave a longer rest unthinned.
 */
export const BLOCK_ROWS = 512;

/** Most readings that a row of a level stands for. */
export function pitchOf(level: number): number {
  return PITCH_MIN * LEVEL_RATIO ** level;
}

/** A block without its rows: it stands for `count` readings from `start_ms` to `end_ms`. */
export interface ThinSpan extends ClosedRange {
  readonly level: number;
  readonly count: number;
}

/** A reading of a block; `rank` is the number of readings before it in the stretch. */
export interface ThinReading {
  readonly rank: number;
  readonly at_ms: number;
  /** By index into `TAGS`; null for fields that the runtime analysis doesn't use. */
  readonly values: Reading["values"];
}

/** An opened block. */
export interface ThinBlock extends ThinSpan {
  readonly at_ms: Float64Array;
  /** By row. It has one element more than there are rows: the last is `count`. */
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

/** The blocks of a level that a range cuts, ascending; blocks of a level never overlap. */
export function thinSpans(db: Connection, level: number, range: ClosedRange): readonly ThinSpan[] {
  return prepare(db, "thin.spans").all({ ...range, level });
}

/** Opens a block; null if it is missing or damaged. */
export function openThin(db: Connection, { level, start_ms }: ThinSpan): ThinBlock | null {
  const row = prepare(db, "thin.at").get({ level, start_ms });
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

/** Names the first damaged block; null if there is none. */
export function thinProblem(db: Connection): string | null {
  for (const row of prepare(db, "thin.all").iterate({}))
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
