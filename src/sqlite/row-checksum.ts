// The end of a hot row: a checksum over the row and over what stands beside it in the table. A
// sealed reading has a hash; a hot one has nothing else that would show a damaged byte, neither in
// its values nor in its time.

import { crc32 } from "node:zlib";
import type { ReadingRow } from "./block.ts";

type Keyed = Pick<ReadingRow, "at_ms" | "received_ms" | "clock_trusted">;

const CHECKSUM_BYTES = 4;

/** The row with its checksum behind it, which those who decode it don't see. */
export function withChecksum(row: Uint8Array, keyed: Keyed): Buffer {
  const whole = Buffer.allocUnsafe(row.length + CHECKSUM_BYTES);
  whole.set(row);
  whole.writeUInt32LE(checksum(row, keyed), row.length);
  return whole;
}

/** Whether the row, its time and its receipt are what was stored. */
export function isWholeRow(stored: ReadingRow): boolean {
  // A damaged row may hold a text or a number in its place.
  if (!ArrayBuffer.isView(stored.row)) return false;
  const end = stored.row.length - CHECKSUM_BYTES;
  if (end < 0) return false;
  const { buffer, byteOffset, byteLength } = stored.row;
  const sum = new DataView(buffer, byteOffset, byteLength).getUint32(end, true);
  return sum === checksum(stored.row.subarray(0, end), stored);
}

function checksum(row: Uint8Array, { at_ms, received_ms, clock_trusted }: Keyed): number {
  return crc32(row, crc32(`${at_ms} ${received_ms} ${clock_trusted}`));
}
