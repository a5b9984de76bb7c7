// A checksum for rows without a hash: hot readings, and all data summed, scored or forecast from
// sealed ones. It also covers the row's numeric columns, so that a damaged byte is found anywhere
// in the row and never answered as a value.

import { crc32 } from "node:zlib";
import { DamagedError } from "../../codec/bytes.ts";

const CHECKSUM_BYTES = 4;

/** The bytes followed by their checksum, which also covers `beside`, the other columns as text. */
export function withChecksum(bytes: Uint8Array, beside: string): Buffer {
  const whole = Buffer.allocUnsafe(bytes.length + CHECKSUM_BYTES);
  whole.set(bytes);
  whole.writeUInt32LE(checksum(bytes, beside), bytes.length);
  return whole;
}

/**
 * The bytes of a row of `table` without their checksum. Throws a DamagedError if it doesn't match.
 */
export function proven(stored: Uint8Array, table: string, beside: string): Uint8Array {
  if (!isWhole(stored, beside)) throw new DamagedError(rowProblem(table, beside));
  return withoutChecksum(stored);
}

/** The bytes of a row whose checksum was verified before. */
export function withoutChecksum(stored: Uint8Array): Uint8Array {
  return stored.subarray(0, stored.length - CHECKSUM_BYTES);
}

/** The name of a damaged row in messages. */
export function rowProblem(table: string, beside: string): string {
  return `${table}: the row of ${beside} isn't what was stored`;
}

/** True if a cell matches its checksum; a damaged cell may be a text or a number. */
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
