// Data derived from readings, and the checksum that proves each row. A start and the nightly proof
// check all of it, which is little beside the readings, so that damage is reported before an answer
// needs the row.

import { DAY_MS } from "../../ground/clock.ts";
import { type Connection, prepare } from "../file/open.ts";
import { isWhole, rowProblem } from "../file/row-checksum.ts";
import { BLOCK_MS, WIDTH_MS } from "../sealed/buckets.ts";
import { hotProblems } from "../sealed/hot.ts";
import { rawFrom } from "../sealed/timeline.ts";

interface Proof {
  /** The statement that returns all rows. */
  readonly rows: string;
  /** The column with the bytes, and the columns that the checksum also covers, in order. */
  readonly bytes: string;
  readonly beside: readonly string[];
}

const SUM = { bytes: "fields", beside: ["start_ms", "last_ms", "count"] } as const;

/** Proof by table. */
const PROOFS: ReadonlyMap<string, Proof> = new Map([
  ["day_count", { rows: "derived.counts", bytes: "hours", beside: ["start_ms", "count"] }],
  ["bucket_hour", { rows: "derived.hours", ...SUM }],
  ["bucket_day", { rows: "derived.days", ...SUM }],
  ["bucket_block", { rows: "derived.blocks", bytes: "buckets", beside: ["interval", "start_ms"] }],
  ["health_day", { rows: "derived.health", bytes: "records", beside: ["day_ms"] }],
  ["forecast", { rows: "derived.forecasts", bytes: "forecasts", beside: ["at_ms"] }],
  ["lamp_state", { rows: "derived.lamps", bytes: "state", beside: ["through_ms", "version"] }],
  ["lamp_score", { rows: "derived.scores", bytes: "score", beside: ["position", "began_ms"] }],
]);

/** Width in ms by table, for tables whose rows start at multiples of it; of blocks by interval. */
const WIDTHS: ReadonlyMap<string, number> = new Map([
  ["day_count", DAY_MS],
  ["bucket_hour", WIDTH_MS.hour],
  ["bucket_day", WIDTH_MS.day],
]);
const BLOCK_WIDTHS: ReadonlyMap<unknown, number> = new Map(Object.entries(BLOCK_MS));

/** A row with all its columns. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** True if a row of any table matches its checksum, or has none. */
export function isWholeRow(table: string, row: StoredRow): boolean {
  const proof = PROOFS.get(table);
  return proof === undefined || isProven(row, proof);
}

/** A row that doesn't match its checksum. */
export interface DamagedRow {
  readonly table: string;
  readonly row: StoredRow;
  /** Names the table and the row. */
  readonly problem: string;
}

/** The damaged rows of derived data. An older schema lacks some tables. */
export function* damagedDerived(db: Connection): Generator<DamagedRow> {
  const tables = prepare<object, { name: string }>(db, "derived.tables").all({});
  const isThere = ([table]: readonly [string, Proof]) => tables.some(({ name }) => name === table);
  for (const [table, proof] of [...PROOFS].filter(isThere))
    for (const row of prepare<object, StoredRow>(db, proof.rows).iterate({}))
      if (!isProven(row, proof))
        yield { table, row, problem: rowProblem(table, besideOf(row, proof)) };
}

/** The first problem in derived data and unsealed readings; null if there is none. */
export function rowsProblem(db: Connection): string | null {
  const wrong = markProblem(db);
  if (wrong !== null) return wrong;
  for (const problem of rowsProblems(db)) return problem;
  return null;
}

/** The damage in unsealed readings and in data derived from readings; none of it stops a start. */
export function* rowsProblems(db: Connection): Generator<string> {
  yield* hotProblems(db);
  for (const { problem } of damagedDerived(db)) yield problem;
}

/**
 * The problem by which sums, counts or raw readings would be left out silently, because a query by
 * place doesn't find a row with a damaged key. Null if there is none.
 */
export function placesProblem(db: Connection): string | null {
  const wrong = markProblem(db);
  if (wrong !== null) return wrong;
  for (const { table, row, problem } of damagedDerived(db))
    if (!isAtAPlace(table, row)) return problem;
  return null;
}

function markProblem(db: Connection): string | null {
  const raw_from_ms = rawFrom(db);
  if (raw_from_ms % DAY_MS === 0) return null;
  return `raw readings can't have expired up to ${raw_from_ms}, which is no whole day`;
}

function isAtAPlace(table: string, { interval, start_ms }: StoredRow): boolean {
  const width_ms = table === "bucket_block" ? BLOCK_WIDTHS.get(interval) : WIDTHS.get(table);
  if (table !== "bucket_block" && width_ms === undefined) return true;
  return typeof start_ms === "number" && width_ms !== undefined && start_ms % width_ms === 0;
}

function isProven(row: StoredRow, proof: Proof): boolean {
  return isWhole(row[proof.bytes], besideOf(row, proof));
}

function besideOf(row: StoredRow, { beside }: Proof): string {
  return beside.map((column) => String(row[column])).join(" ");
}
