// Tests whether a database file can be trusted as a whole: it is ballastd's, complete, of a known
// schema, its pages are sound, its chains verify, and the number of its readings agrees with the
// counts. Every backup is tested after it is written and before it is restored.

import { closeSync, openSync, readSync, statSync } from "node:fs";
import { codeOf, EXIT, Failure, messageOf } from "../../ground/errors.ts";
import { missingMigrations } from "../file/migrate.ts";
import { type Connection, openReader, prepare } from "../file/open.ts";
import { countSealed, sealedInDays } from "../sealed/counts.ts";
import { type VerifyResult, verifyChains } from "./verify.ts";

/** The application id "blst" in the file's header, set by sql/migrations/001-first.sql. */
const APPLICATION_ID = 1_651_274_612;
const MAGIC = "SQLite format 3\0";
/** Offsets in the header of a file (sqlite.org/fileformat2.html). */
const HEADER = { bytes: 100, page_size: 16, page_count: 28, application_id: 68 } as const;
const ALWAYS = { start_ms: 0, end_ms: Number.MAX_SAFE_INTEGER };

/** Throws a Failure if the file isn't a whole database of ballastd. */
export function refuseForeignFile(file: string): void {
  const { bytes, header } = readHeader(file);
  const refuse = (problem: string) => new Failure(EXIT.failed, `${file}: ${problem}`);
  if (bytes === 0) throw refuse("is empty, expected a backup of ballastd");
  if (header.length < HEADER.bytes || header.toString("latin1", 0, MAGIC.length) !== MAGIC)
    throw refuse("is no database, expected a backup of ballastd");
  if (header.readUInt32BE(HEADER.application_id) !== APPLICATION_ID)
    throw refuse("is another program's database, expected a backup of ballastd");
  // In the header, 1 stands for a page size of 65,536.
  const given = header.readUInt16BE(HEADER.page_size);
  const expected = (given === 1 ? 65_536 : given) * header.readUInt32BE(HEADER.page_count);
  if (bytes < expected)
    throw refuse(`is cut off: it has ${bytes} bytes of ${expected}; copy it again`);
}

function readHeader(file: string): { readonly bytes: number; readonly header: Buffer } {
  try {
    const found = statSync(file);
    if (!found.isFile()) throw new Failure(EXIT.usage, `${file}: is not a file`);
    const header = Buffer.alloc(HEADER.bytes);
    const handle = openSync(file, "r");
    const length = readSync(handle, header, 0, HEADER.bytes, 0);
    closeSync(handle);
    return { bytes: found.size, header: header.subarray(0, length) };
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(EXIT.failed, `${file}: can't be read (${codeOf(error) ?? messageOf(error)})`);
  }
}

/** Throws a Failure if pages or indexes are damaged, or if the schema is newer or foreign. */
export function refuseUnsound(file: string): void {
  reading(file, (db) => {
    missingMigrations(db);
    const problem = integrityProblem(db);
    if (problem !== null) throw new Failure(EXIT.failed, `${file}: is damaged (${problem})`);
  });
}

/** The problem with the file's pages, tables and indexes; null if there is none. */
export function integrityProblem(db: Connection): string | null {
  const found = prepare(db, "schema.integrity").all({});
  const problems = found.map((row) => row.integrity_check).filter((said) => said !== "ok");
  return problems.length === 0 ? null : problems.join("; ").replace(/\s+/g, " ");
}

/** Verifies chains and counts of a database of this program's schema; `problem` names a fault. */
export function verifiedFile(file: string): VerifyResult {
  return reading(file, (db) => {
    const found = verifyChains(db, () => {});
    return { ...found, problem: found.problem ?? countProblem(db) };
  });
}

/**
 * The problem if the number of sealed readings differs from the counts by day; null if it doesn't.
 */
export function countProblem(db: Connection): string | null {
  return db.transaction(() => {
    const readings = countSealed(db);
    const counted = sealedInDays(db, ALWAYS);
    return readings === counted
      ? null
      : `${readings} sealed readings are there, but ${counted} were counted`;
  })();
}

/** Runs `read` on the file; SQLite's errors become a Failure that names the file. */
function reading<Result>(file: string, read: (db: Connection) => Result): Result {
  try {
    const db = openReader(file);
    try {
      return read(db);
    } finally {
      db.close();
    }
  } catch (error) {
    if (codeOf(error)?.startsWith("SQLITE_") !== true) throw error;
    throw new Failure(EXIT.failed, `${file}: can't be read (${messageOf(error)})`);
  }
}
