// The checksums that prove each row of what is derived from readings. A start checks counts and
// sums, the proof soon after it all the rest, so that damage is reported before it is asked for.

import { DAY_MS } from "../../ground/clock.ts";
import { messageOf } from "../../ground/errors.ts";
import { isDamage } from "../file/damage.ts";
import { type Connection, prepare, type StatementName, statementText } from "../file/open.ts";
import { isWhole, isWholeRow, keyOf, rowProblem, type StoredRow } from "../file/row-checksum.ts";
import { BLOCK_MS, WIDTH_MS } from "../sealed/buckets.ts";
import { hotProblems } from "../sealed/hot.ts";
import { rawFrom } from "../sealed/timeline.ts";
import { DERIVATIONS } from "./derivations.ts";

interface Proof {
  /** The statement that returns all rows. */
  readonly rows: StatementName;
  /** The column with the bytes, and the columns that the checksum also covers, in order. */
  readonly bytes: string;
  readonly beside: readonly string[];
}

const SUM = { bytes: "fields", beside: ["start_ms", "last_ms", "count"] } as const;

/** Proof of counts and sums, by table. */
const PROOFS: ReadonlyMap<string, Proof> = new Map([
  ["day_count", { rows: "derived.counts", bytes: "hours", beside: ["start_ms", "count"] }],
  ["bucket_hour", { rows: "derived.hours", ...SUM }],
  ["bucket_day", { rows: "derived.days", ...SUM }],
  ["bucket_block", { rows: "derived.blocks", bytes: "buckets", beside: ["interval", "start_ms"] }],
]);

/** Rows that are read at a time. */
const PAGE = 1000;

/** Width in ms by table, for tables whose rows start at multiples of it; of blocks by interval. */
const WIDTHS: ReadonlyMap<string, number> = new Map([
  ["day_count", DAY_MS],
  ["bucket_hour", WIDTH_MS.hour],
  ["bucket_day", WIDTH_MS.day],
]);
const BLOCK_WIDTHS: ReadonlyMap<unknown, number> = new Map(Object.entries(BLOCK_MS));

/** The tables of the derivations, in which a row's checksum covers all columns; with their keys. */
const TABLES: ReadonlyMap<string, readonly string[]> = new Map(
  DERIVATIONS.flatMap(({ tables }) => Object.entries(tables)),
);

/** True if a row of any table matches its checksum, or has none. */
export function isRowWhole(table: string, row: StoredRow): boolean {
  if (TABLES.has(table)) return isWholeRow(row);
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

/** The damaged rows of counts and sums. An older schema lacks some tables. */
export function* damagedSums(db: Connection): Generator<DamagedRow> {
  const tables = prepare(db, "derived.tables").all({});
  const isThere = ([table]: readonly [string, Proof]) => tables.some(({ name }) => name === table);
  for (const [table, proof] of [...PROOFS].filter(isThere))
    for (const row of prepare(db, proof.rows).iterate({}))
      if (!isProven(row, proof))
        yield { table, row, problem: rowProblem(table, besideOf(row, proof)) };
}

/** The damage in what was computed by derivations, from row number `skip` on, of `limit` rows. */
export function derivedProblems(
  db: Connection,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): { readonly problems: readonly string[]; readonly rows: number } {
  let left = skip;
  for (const [table, key] of TABLES) {
    const { rows, damaged, problem } = pageOf(db, table, { skip: left, limit });
    if (problem !== null) return { problems: [problem], rows: 0 };
    const problems = damaged.map((row) => rowProblem(table, keyOf(row, key)));
    if (rows > 0) return { problems, rows };
    left -= Number(inTable(db, table, "derived.count").get({})?.count);
  }
  return { problems: [], rows: 0 };
}

/** Some rows of a derivation's table: their number, the damaged ones, and why it can't be read. */
export function pageOf(
  db: Connection,
  table: string,
  page: { readonly skip: number; readonly limit: number },
): { readonly rows: number; readonly damaged: readonly StoredRow[]; problem: string | null } {
  try {
    const rows = inTable(db, table, "derived.rows").all(page);
    const damaged = rows.filter((row) => !isWholeRow(row));
    return { rows: rows.length, damaged, problem: null };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { rows: 0, damaged: [], problem: `the table ${table}: ${messageOf(error)}` };
  }
}

function inTable(db: Connection, table: string, name: string) {
  return db.prepare<[object], StoredRow>(statementText(name).replace("TABLE", table));
}

/** The first problem in derived data and unsealed readings; null if there is none. */
export function rowsProblem(db: Connection): string | null {
  const wrong = markProblem(db);
  if (wrong !== null) return wrong;
  for (const problem of sumsProblems(db)) return problem;
  const all = { skip: 0, limit: PAGE };
  for (;;) {
    const { problems, rows } = derivedProblems(db, all);
    if (problems.length > 0 || rows === 0) return problems[0] ?? null;
    all.skip += rows;
  }
}

/** The damage in unsealed readings, counts and sums; none of it stops a start. */
export function* sumsProblems(db: Connection): Generator<string> {
  yield* hotProblems(db);
  for (const { problem } of damagedSums(db)) yield problem;
}

/**
 * The problem by which sums, counts or raw readings would be left out silently, because a query by
 * place doesn't find a row with a damaged key. Null if there is none.
 */
export function placesProblem(db: Connection): string | null {
  const wrong = markProblem(db);
  if (wrong !== null) return wrong;
  for (const { table, row, problem } of damagedSums(db))
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
