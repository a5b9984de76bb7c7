// A block: readings in time order that are read one by one or in stretches, either a sealed segment
// or hot rows. Queries use blocks only, without knowing the form on disk.

import { addReading, type Bucket } from "../../bwts/bucket.ts";
import { believed, type Spans } from "../../bwts/plausible.ts";
import type { Reading, Value } from "../../bwts/reading.ts";
import { DamagedError } from "../../codec/bytes.ts";
import { writeAnalysis, writeReading } from "../../codec/json.ts";
import type { JsonWriter } from "../../codec/json-writer.ts";
import { readingLine } from "../../codec/line.ts";
import { isWhole, withoutChecksum } from "../file/row-checksum.ts";
import { besideReading, decodeRow } from "./row.ts";
import { printedTime } from "./segment-proof.ts";

/** Readings in time order, addressed by index. */
export interface Block {
  readonly count: number;
  /** The time of reading `index`. */
  at_ms(index: number): number;
  /** Time of its receipt by the box's clock, and whether that clock was trusted then. */
  received_ms(index: number): number;
  clock_trusted(index: number): boolean;
  reading(index: number): Reading;
  /** Reading `index` for the runtime analysis. Values that this doesn't use may be null. */
  analysed(index: number): Pick<Reading, "at_ms" | "values">;
  /** A function that gives each reading's value of the field `tag`, an index into `TAGS`. */
  values(tag: number): (index: number) => Value;
  /** Writes readings `from` up to `to` as TelemetryReading objects, with commas between them. */
  writeReadings(stretch: BlockStretch, out: JsonWriter): void;
  /** Writes reading `index` as a record of the runtime analysis. */
  writeAnalysis(index: number, out: JsonWriter): void;
  /** Writes reading `index` as its canonical line, without the line's end. */
  writeLine(index: number, out: JsonWriter): void;
  /** Adds readings `from` up to `to` to the bucket, without values that aren't believed. */
  fold(stretch: BlockStretch, bucket: Bucket): void;
  /** The same readings with null for each value that isn't believed (bwts/plausible.ts). */
  believed(): Block;
}

/** Readings from index `from` up to, not including, `to`. */
export interface BlockStretch {
  readonly from: number;
  readonly to: number;
}

/** A row of the hot table. */
export interface ReadingRow {
  readonly at_ms: number;
  readonly received_ms: number;
  readonly clock_trusted: number;
  readonly supersedes: number;
  readonly row: Uint8Array;
}

/** The reading of a row. Throws a DamagedError if its checksum doesn't match. */
export function readingOf(row: ReadingRow): Reading {
  if (!isWholeReading(row)) throw new DamagedError(unsealedProblem(row));
  return {
    at_ms: row.at_ms,
    received_ms: row.received_ms,
    clock_trusted: row.clock_trusted === 1,
    ...decodeRow(withoutChecksum(row.row)),
  };
}

/** The problem of a damaged row, as text. */
export function unsealedProblem({ at_ms }: Pick<ReadingRow, "at_ms">): string {
  return `the unsealed reading of ${printedTime(at_ms)} is damaged`;
}

/** True if the checksum matches a row with its time and receipt. */
export function isWholeReading(row: ReadingRow): boolean {
  return isWhole(row.row, besideReading(row));
}

/** Hot rows in time order as a block; each is decoded on demand. `spans` as of `spansInForce`. */
export function rowsBlock(rows: readonly ReadingRow[], spans: Spans | null = null): Block {
  const decoded: Reading[] = [];
  const reading = (index: number): Reading => {
    decoded[index] ??= readingOf(rows[index]);
    return decoded[index];
  };
  const believedAt = (index: number) =>
    spans === null ? reading(index) : believed(reading(index), spans);
  const block: Block = {
    count: rows.length,
    at_ms: (index) => rows[index].at_ms,
    received_ms: (index) => rows[index].received_ms,
    clock_trusted: (index) => rows[index].clock_trusted === 1,
    reading,
    analysed: reading,
    values: (tag) => (index) => reading(index).values[tag],
    writeReadings({ from, to }, out) {
      for (let index = from; index < to; index += 1) {
        if (index > from) out.text(",", 0);
        writeReading(reading(index), out);
      }
    },
    writeAnalysis(index, out) {
      writeAnalysis(reading(index), out);
    },
    writeLine(index, out) {
      out.text(readingLine(reading(index)), 0);
    },
    fold({ from, to }, bucket) {
      for (let index = from; index < to; index += 1) addReading(bucket, believedAt(index));
    },
    believed: () => ({
      ...block,
      reading: believedAt,
      values: (tag) => (index) => believedAt(index).values[tag],
    }),
  };
  return block;
}
