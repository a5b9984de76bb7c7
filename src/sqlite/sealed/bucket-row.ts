// An hour or a day as a row of the table `bucket`, of plain numbers: for each aggregated field n,
// sum, min and max, for a counter n and last. Three checksums prove the cells, because answers read
// hardly more than half of them: one of the row's time and count, one of the cells of an aggregated
// row, one of the rest. A field without readings has n = 0 and nulls.

import { crc32 } from "node:zlib";
import {
  aggregateOf,
  type Bucket,
  emptyBucket,
  type FieldSum,
  KEEPS_LAST,
} from "../../bwts/bucket.ts";
import { AGGREGATED, AGGREGATES, type Aggregate, TAGS } from "../../bwts/tags.ts";
import { DamagedError } from "../../codec/bytes.ts";
import type { Interval } from "../file/query.ts";
import { rowProblem } from "../file/row-checksum.ts";
import { printedTime } from "./segment-proof.ts";

/** A bucket with its start and the time of its last reading. */
export interface PlacedBucket {
  readonly start_ms: number;
  readonly last_ms: number;
  readonly bucket: Bucket;
}

/** The time of a stored bucket and the number of its readings. */
export interface BucketHead {
  readonly start_ms: number;
  readonly last_ms: number;
  readonly count: number;
}

/** A stored bucket as `bucketRow` gives it. */
export interface BucketRow extends BucketHead {
  readonly row: Float64Array;
}

/** One column of a field. */
interface FieldColumn {
  readonly name: string;
  /** Index into `AGGREGATED`. */
  readonly position: number;
  readonly member: keyof FieldSum;
}

const ANSWERED: Readonly<Record<Aggregate, keyof FieldSum>> = {
  mean: "sum",
  max: "max",
  last: "last",
};

/** The columns of an aggregated row: for each field `n`, then the members that its value needs. */
const ANSWER_FIELDS: readonly FieldColumn[] = AGGREGATES.flatMap((how, position) => [
  columnOf(position, "n"),
  columnOf(position, ANSWERED[how]),
]);

const REST_FIELDS: readonly FieldColumn[] = AGGREGATED.flatMap((_, position) =>
  fieldColumns(position).filter(
    ({ name }) => !ANSWER_FIELDS.some((answered) => answered.name === name),
  ),
);

/** The columns before those of the fields, in each statement that reads fields. */
export const HEAD_COLUMNS = ["start_ms", "last_ms", "count", "checksum"] as const;
export const ANSWER_COLUMNS: readonly string[] = [
  "answer_checksum",
  ...ANSWER_FIELDS.map(({ name }) => name),
];
export const REST_COLUMNS: readonly string[] = [
  "rest_checksum",
  ...REST_FIELDS.map(({ name }) => name),
];

/** The columns of one field in the table's order. */
function fieldColumns(position: number): readonly FieldColumn[] {
  const members = KEEPS_LAST[position]
    ? (["n", "last"] as const)
    : (["n", "sum", "min", "max"] as const);
  return members.map((member) => columnOf(position, member));
}

function columnOf(position: number, member: keyof FieldSum): FieldColumn {
  return { name: `${TAGS[AGGREGATED[position]].name}_${member}`, position, member };
}

/** The cells of a row as SQLite returns them, by the columns above; others may follow. */
export type Cells = readonly (number | null)[];

const COUNT_AT = HEAD_COLUMNS.indexOf("count");
const CHECKSUM_AT = HEAD_COLUMNS.indexOf("checksum");
const ANSWER_AT = HEAD_COLUMNS.length + 1;
const REST_AT = ANSWER_AT + ANSWER_FIELDS.length + 1;

/** Buffer for the numbers that a checksum covers, filled before each one. */
const numbers = new Float64Array(1 + COUNT_AT + 1 + ANSWER_FIELDS.length + REST_FIELDS.length);
const HEAD_NUMBERS = bytesOf(0, 1 + COUNT_AT + 1);
const ANSWER_NUMBERS = bytesOf(1 + COUNT_AT + 1, ANSWER_FIELDS.length);
const REST_NUMBERS = bytesOf(1 + COUNT_AT + 1 + ANSWER_FIELDS.length, REST_FIELDS.length);

function bytesOf(start: number, count: number): Uint8Array {
  return new Uint8Array(numbers.buffer, 8 * start, 8 * count);
}

const INTERVALS: Readonly<Record<Interval, number>> = { hour: 1, day: 2 };

/** The cells of a bucket, without its interval. */
export function cellsOf(interval: Interval, { start_ms, last_ms, bucket }: PlacedBucket): Cells {
  const cells: (number | null)[] = [start_ms, last_ms, bucket.count];
  const checksum = headChecksum(interval, cells);
  cells.push(checksum, 0);
  for (const column of ANSWER_FIELDS) cells.push(cellOf(bucket, column));
  cells.push(0);
  for (const column of REST_FIELDS) cells.push(cellOf(bucket, column));
  cells[ANSWER_AT - 1] = checksumOf(ANSWER_NUMBERS, { cells, from: ANSWER_AT, checksum });
  cells[REST_AT - 1] = checksumOf(REST_NUMBERS, { cells, from: REST_AT, checksum });
  return cells;
}

function cellOf({ fields }: Bucket, { position, member }: FieldColumn): number | null {
  const field = fields[position];
  if (member === "n") return field.n;
  // SQLite has no NaN: a sum that overflowed both ways is null too.
  return field.n === 0 || Number.isNaN(field[member]) ? null : field[member];
}

/** The head of a row. Throws a DamagedError if it isn't as stored. */
export function provenHead(interval: Interval, cells: Cells): BucketHead {
  const [start_ms, last_ms, count] = cells;
  const checksum = headChecksum(interval, cells);
  if (checksum !== cells[CHECKSUM_AT] || start_ms === null || last_ms === null || count === null)
    throw new DamagedError(bucketProblem(interval, start_ms));
  return { start_ms, last_ms, count };
}

/** The aggregated row from a row with its answer's columns. Throws a DamagedError. */
export function answeredRow(interval: Interval, cells: Cells): BucketRow {
  const head = provenHead(interval, cells);
  proveCells(interval, cells, ANSWER_AT);
  const row = new Float64Array(AGGREGATES.length);
  for (let position = 0; position < row.length; position += 1) {
    const n = cells[ANSWER_AT + 2 * position] ?? 0;
    const value = cells[ANSWER_AT + 2 * position + 1] ?? Number.NaN;
    const field = { n, sum: value, min: value, max: value, last: value };
    row[position] = aggregateOf(field, AGGREGATES[position]);
  }
  return { ...head, row };
}

/** The head of a row with all columns, all of them proven. Throws a DamagedError. */
export function provenWhole(interval: Interval, cells: Cells): BucketHead {
  const head = provenHead(interval, cells);
  proveCells(interval, cells, ANSWER_AT);
  proveCells(interval, cells, REST_AT);
  return head;
}

/** The bucket of a row with all columns. Throws a DamagedError. */
export function provenBucket(interval: Interval, cells: Cells): PlacedBucket {
  const { start_ms, last_ms, count } = provenWhole(interval, cells);
  const bucket = emptyBucket();
  bucket.count = count;
  readFields(bucket, ANSWER_FIELDS, { cells, from: ANSWER_AT });
  readFields(bucket, REST_FIELDS, { cells, from: REST_AT });
  return { start_ms, last_ms, bucket };
}

/** Proves the answer's cells, or the rest, by the checksum before the first of them. */
function proveCells(interval: Interval, cells: Cells, from: number): void {
  const bytes = from === ANSWER_AT ? ANSWER_NUMBERS : REST_NUMBERS;
  const checksum = checksumOf(bytes, { cells, from, checksum: cells[CHECKSUM_AT] });
  if (checksum !== cells[from - 1]) throw new DamagedError(bucketProblem(interval, cells[0]));
}

interface CellStretch {
  readonly cells: Cells;
  readonly from: number;
}

function readFields(
  { fields }: Bucket,
  columns: readonly FieldColumn[],
  { cells, from }: CellStretch,
): void {
  for (let index = 0; index < columns.length; index += 1) {
    const { position, member } = columns[index];
    const field = fields[position];
    const cell = cells[from + index];
    if (cell !== null) field[member] = cell;
    else if (field.n > 0) field[member] = Number.NaN;
  }
}

/** The problem of a damaged row, as text. */
export function bucketProblem(interval: string, start_ms: number | null): string {
  return rowProblem("bucket", `${interval} ${printedTime(start_ms ?? Number.NaN)}`);
}

function headChecksum(interval: Interval, cells: Cells): number {
  numbers[0] = INTERVALS[interval];
  for (let index = 0; index <= COUNT_AT; index += 1) numbers[1 + index] = numberOf(cells[index]);
  return crc32(HEAD_NUMBERS);
}

// The checksum of the cells from `from` on, as many as `bytes` holds numbers.
function checksumOf(
  bytes: Uint8Array,
  { cells, from, checksum }: CellStretch & { readonly checksum: number | null },
): number {
  const first = bytes.byteOffset / 8;
  const count = bytes.length / 8;
  for (let index = 0; index < count; index += 1)
    numbers[first + index] = numberOf(cells[from + index]);
  return crc32(bytes, checksum ?? 0);
}

/** The number of a cell for checksums; null counts as -0, which no cell has. */
function numberOf(cell: number | null): number {
  if (typeof cell === "number") return cell;
  return cell === null ? -0 : Number.NaN;
}
