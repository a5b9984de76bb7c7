// The thinned part of a segment, in a column of its own: every 32nd of its readings, coded like a
// segment, and every 512th as a hot row, which opens in a fifth of the time. Both have only the
// fields of the runtime analysis. It only repeats the payload: if it is damaged, the payload is
// read instead.

import type { Reading, Value } from "../../bwts/reading.ts";
import { RUNTIME_ANALYSIS, TAGS } from "../../bwts/tags.ts";
import { ByteReader, ByteWriter, DamagedError } from "../../codec/bytes.ts";
import { compressShort, decompressShort } from "../../codec/frame.ts";
import type { SegmentBytes } from "../../codec/segment.ts";
import { isWhole, withChecksum, withoutChecksum } from "../file/row-checksum.ts";
import { type Block, type ReadingRow, rowsBlock } from "./block.ts";
import { besideReading, encodeRow } from "./row.ts";
import { segmentBlock } from "./segment-block.ts";

/** Distance of the readings of the thinned part: it costs a byte for each of the segment's. */
export const THIN_PITCH = 32;
/** Distance of the readings that it has as hot rows. */
const ROW_PITCH = 512;
/** Distances of the readings that a thinned part has, the largest first. */
export const THIN_PITCHES: readonly number[] = [ROW_PITCH, THIN_PITCH];

/** Placeholder of the receipt, which readings of a thinned part don't have. */
const RECEIPT = { received_ms: 0, clock_trusted: 1, supersedes: 0 } as const;

/** A thinned part, and the hash of the payload from which it was made. */
export interface ThinRow {
  readonly thin: unknown;
  readonly payload_hash: unknown;
}

/** The readings of the thinned part of a segment with `count` readings. */
export function thinned(count: number, readingAt: (index: number) => Reading): readonly Reading[] {
  const length = Math.ceil(count / THIN_PITCH);
  return Array.from({ length }, (_, row) => analysed(readingAt(row * THIN_PITCH)));
}

function analysed({ at_ms, values }: Reading): Reading {
  const cut = new Array<Value>(TAGS.length).fill(null);
  for (const index of RUNTIME_ANALYSIS) cut[index] = values[index];
  return { at_ms, received_ms: 0, clock_trusted: true, values: cut, derived: 0, extra: new Map() };
}

/** The cell of a thinned part, from its readings, the same as a segment, and the payload's hash. */
export function thinCell(
  readings: readonly Reading[],
  { header, payload }: SegmentBytes,
  payload_hash: Uint8Array,
): Buffer {
  const rows = rowBytes(readings.filter((_, row) => (row * THIN_PITCH) % ROW_PITCH === 0));
  const packed = compressShort(rows);
  const bytes = new ByteWriter();
  bytes.varint(rows.length);
  bytes.varint(packed.length);
  bytes.bytes(packed);
  bytes.varint(header.length);
  bytes.bytes(header);
  bytes.bytes(payload);
  return withChecksum(bytes.finish(), besideThin(payload_hash));
}

/** Opens every `pitch`-th reading of a thinned part; null without one, or if it is damaged. */
export function openThinPart({ thin, payload_hash }: ThinRow, pitch: number): Block | null {
  if (!(thin instanceof Uint8Array) || !isWhole(thin, besideThin(payload_hash))) return null;
  try {
    const bytes = new ByteReader(withoutChecksum(thin));
    const length = bytes.varint();
    const packed = bytes.bytes(bytes.varint());
    if (pitch === ROW_PITCH) return rowsBlock(rowsIn(decompressShort(packed, length)));
    const header = bytes.bytes(bytes.varint());
    return segmentBlock(header, bytes.bytes(bytes.left));
  } catch (error) {
    if (error instanceof DamagedError) return null;
    throw error;
  }
}

function rowBytes(readings: readonly Reading[]): Uint8Array {
  const rows = new ByteWriter();
  for (const reading of readings) {
    const { at_ms } = reading;
    const row = withChecksum(encodeRow(reading), besideReading({ at_ms, ...RECEIPT }));
    rows.double(at_ms);
    rows.varint(row.length);
    rows.bytes(row);
  }
  return rows.finish();
}

function rowsIn(stored: Uint8Array): readonly ReadingRow[] {
  const bytes = new ByteReader(stored);
  const rows: ReadingRow[] = [];
  while (bytes.left > 0) {
    const at_ms = bytes.double();
    rows.push({ at_ms, ...RECEIPT, row: bytes.bytes(bytes.varint()) });
  }
  return rows;
}

/** True if there is a thinned part, and it isn't as written. */
export function isDamagedThin({ thin, payload_hash }: ThinRow): boolean {
  return thin !== null && !isWhole(thin, besideThin(payload_hash));
}

/** The payload's hash for the checksum: so a part of another segment is detected. */
function besideThin(payload_hash: unknown): string {
  return payload_hash instanceof Uint8Array ? Buffer.from(payload_hash).toString("hex") : "";
}
