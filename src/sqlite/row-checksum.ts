// A checksum behind bytes that nothing else proves: a hot reading, and whatever is summed up,
// scored or forecast of sealed ones, which have hashes. It covers the numbers beside them in their
// row too, so that a damaged byte shows wherever it stands, and is never answered as a value.

import { crc32 } from "node:zlib";
import { DamagedError } from "./segment/bytes.ts";

const CHECKSUM_BYTES = 4;

/** The bytes with a checksum behind them; `beside` is what stands beside them in the row. */
export function withChecksum(bytes: Uint8Array, beside: string): Buffer {
  const whole = Buffer.allocUnsafe(bytes.length + CHECKSUM_BYTES);
  whole.set(bytes);
  whole.writeUInt32LE(checksum(bytes, beside), bytes.length);
  return whole;
}

/**
 * The bytes of a row of `table` that were stored, without their checksum. Throws a DamagedError if
 * they aren't whole.
 */
export function proven(stored: Uint8Array, table: string, beside: string): Uint8Array {
  if (!isWhole(stored, beside)) throw new DamagedError(rowProblem(table, beside));
  return withoutChecksum(stored);
}

/** The bytes of a row that was found whole. */
export function withoutChecksum(stored: Uint8Array): Uint8Array {
  return stored.subarray(0, stored.length - CHECKSUM_BYTES);
}

/** A damaged row as it is named to people, whoever finds it. */
export function rowProblem(table: string, beside: string): string {
  return `${table}: the row of ${beside} isn't what was stored`;
}

/** Whether a cell holds what was stored; a damaged one may be a text or a number. */
export function isWhole(stored: unknown, beside: string): boolean {
  if (!(stored instanceof Uint8Array)) return false;
  const end = stored.length - CHECKSUM_BYTES;
  if (end < 0) return false;
  const { buffer, byteOffset, byteLength } = stored;
  const sum = new DataView(buffer, byteOffset, byteLength).getUint32(end, true);
  return sum === checksum(stored.subarray(0, end), beside);
}

function checksum(bytes: Uint8Array, beside: string): number {
  return crc32(bytes, crc32(beside));
}
