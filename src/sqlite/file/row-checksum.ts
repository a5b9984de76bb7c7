// A checksum for rows without a hash: hot readings, and all data summed, scored or forecast from
// sealed ones. It covers all columns, so that a damaged byte anywhere in the row is found and never
// answered as a value. It is the last column of a plain row, and the last bytes of a packed one.

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

/** A row with all columns of its table, in the table's order; the last is `checksum`. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** Adds the last column to a plain row. */
export function withRowChecksum<Row extends object>(row: Row): Row & { readonly checksum: number } {
  return { ...row, checksum: checksumsOf(row).computed };
}

/** True if a plain row matches its checksum. */
export function isWholeRow(row: object): boolean {
  const { computed, stored } = checksumsOf(row);
  return Number(stored) === computed;
}

/** Throws a DamagedError if a plain row of `table` doesn't match its checksum. */
export function provenRow(table: string, key: readonly string[], row: object): void {
  if (!isWholeRow(row)) throw new DamagedError(rowProblem(table, keyOf(row, key)));
}

/** The values of a row's key, for messages. */
export function keyOf(row: object, key: readonly string[]): string {
  const columns: StoredRow = { ...row };
  return key.map((name) => String(columns[name])).join(" ");
}

/** Buffer for the numbers of a row; no table of plain rows has more than 64 columns. */
const numbers = new Float64Array(64);
const numberBytes = new Uint8Array(numbers.buffer);

/**
 * The computed and the stored checksum of a row. Numbers are summed as doubles; a text by its
 * length among them, and by its characters after them. The length of an empty text is summed as -0,
 * which no number is: otherwise a flipped bit could turn the number 0 into an empty text unnoticed.
 */
function checksumsOf<Row extends object>(row: Row): { computed: number; stored: unknown } {
  let count = 0;
  let texts = "";
  let sum = 0;
  let stored: unknown;
  for (const name in row) {
    const value: unknown = row[name];
    if (name === "checksum") stored = value;
    else {
      if (typeof value === "string") texts += value;
      else if (value instanceof Uint8Array) sum = crc32(value, sum);
      numbers[count] = numberOf(value);
      count += 1;
    }
  }
  return { computed: crc32(texts, crc32(numberBytes.subarray(0, 8 * count), sum)), stored };
}

function numberOf(value: unknown): number {
  if (value === null) return Number.NaN;
  if (typeof value === "string" || value instanceof Uint8Array) return value.length || -0;
  // SQLite stores -0 as 0.
  return Number(value) + 0;
}
