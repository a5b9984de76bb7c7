// The checksums that prove each row derived from readings. A start checks the places of hours and
// days, the writer all of these after the start, and the proof everything soon after, so that
// damage is reported before an answer needs the row.

import { DAY_MS } from "../../ground/clock.ts";
import { messageOf } from "../../ground/errors.ts";
import { isDamage } from "../file/damage.ts";
import { type Connection, statementText } from "../file/open.ts";
import { isWholeRow, keyOf, rowProblem, type StoredRow } from "../file/row-checksum.ts";
import { bucketPlacesProblem, damagedBuckets } from "../sealed/bucket-proof.ts";
import { hotProblems } from "../sealed/hot.ts";
import { rawFrom } from "../sealed/timeline.ts";
import type { DerivedTable } from "./derivation.ts";
import { DERIVATIONS } from "./derivations.ts";

/** Number of rows read at a time. */
const PAGE = 1000;

/** The tables of the derivations, in which a row's checksum covers all columns. */
const TABLES: ReadonlyMap<string, DerivedTable> = new Map(
  DERIVATIONS.flatMap(({ tables }) => Object.entries(tables)),
);

/** True if a row of any table matches its checksum, or has none. */
export function isRowWhole(table: string, row: StoredRow): boolean {
  // Settings of an older version have no checksum yet.
  const isSummed = TABLES.has(table) || (table === "setting" && (row.checksum ?? null) !== null);
  return !isSummed || isWholeRow(row);
}

/** The damage in the derivations' tables, from row number `skip` on, in at most `limit` rows. */
export function derivedProblems(
  db: Connection,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): { readonly problems: readonly string[]; readonly rows: number } {
  let left = skip;
  for (const [table, { key }] of TABLES) {
    const { rows, damaged, problem } = pageOf(db, table, { skip: left, limit });
    if (problem !== null) return { problems: [problem], rows: 0 };
    const problems = damaged.map((row) => rowProblem(table, keyOf(row, key)));
    if (rows > 0) return { problems, rows };
    left -= Number(inTable(db, table, "derived.count").get({})?.count);
  }
  return { problems: [], rows: 0 };
}

/**
 * A page of a derivation's table: the number of rows, the damaged ones, and the reason if it can't
 * be read. Whole numbers are BigInts, because a damaged one may exceed a number.
 */
export function pageOf(
  db: Connection,
  table: string,
  page: { readonly skip: number; readonly limit: number },
): { readonly rows: number; readonly damaged: readonly StoredRow[]; problem: string | null } {
  try {
    const rows = inTable(db, table, "derived.rows").safeIntegers().all(page);
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
  for (const problem of hotProblems(db)) return problem;
  for (const { problem } of damagedBuckets(db)) return problem;
  const all = { skip: 0, limit: PAGE };
  for (;;) {
    const { problems, rows } = derivedProblems(db, all);
    if (problems.length > 0 || rows === 0) return problems[0] ?? null;
    all.skip += rows;
  }
}

/**
 * The problem that would make queries by place omit sums, counts or raw readings silently, because
 * they don't find a row with a damaged key. Null if there is none.
 */
export function placesProblem(db: Connection): string | null {
  return markProblem(db) ?? bucketPlacesProblem(db);
}

function markProblem(db: Connection): string | null {
  const raw_from_ms = rawFrom(db);
  if (raw_from_ms % DAY_MS === 0) return null;
  return `raw readings can't have expired up to ${raw_from_ms}, which is no whole day`;
}
