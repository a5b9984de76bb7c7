// Decides whether a folder's database can be trusted, before anything is written to it: on closing,
// a writing connection would merge a damaged log into a sound database. Single damaged rows don't
// stop recording: they are reported and left out.

import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { DamagedError } from "../../codec/bytes.ts";
import { codeOf, messageOf } from "../../ground/errors.ts";
import { placesProblem } from "../derived/derived.ts";
import { isDamage, SALVAGE } from "../file/damage.ts";
import { openBytes } from "../file/file-bytes.ts";
import { type ChainName, chainHead } from "../file/hash-chain.ts";
import { damagedSchema, isOurs } from "../file/migrate.ts";
import { type Connection, databaseFile, openReader, prepare } from "../file/open.ts";
import { walFrames } from "../file/wal-frames.ts";
import { storedHotReadings } from "../sealed/hot.ts";
import { isBytes, isSameSegment } from "../sealed/segment-proof.ts";

/** The reason why a database isn't used, and the command to type. */
export interface DatabaseProblem {
  readonly check: "salvage" | "file" | "log" | "pages" | "schema" | "chains" | "sums";
  readonly problem: string;
  readonly advice: string;
}

/**
 * Paths of a salvage's new database: while it is being made, and when it is complete but not in
 * place.
 */
export const salvagingFile = (dir: string): string => `${databaseFile(dir)}.salvaging`;
export const salvagedFile = (dir: string): string => `${databaseFile(dir)}.salvaged`;
export const walFile = (file: string): string => `${file}-wal`;

/**
 * Maximum file size for checking each page at a start; above, it takes too long and is left to
 * `verify`.
 */
const PAGES_CHECKED_MAX_BYTES = 256 * 1024 * 1024;
/**
 * Maximum number of transactions that a power cut leaves after a broken frame: the one in progress.
 */
export const COMMITS_TORN_MAX = 1;
const MAGIC = "SQLite format 3\0";
const APPLICATION = 0x626c7374;

/** The problem with the database of a folder; null if it is sound or doesn't exist. */
export function databaseProblem(dir: string): DatabaseProblem | null {
  const file = databaseFile(dir);
  if (existsSync(salvagingFile(dir)) || existsSync(salvagedFile(dir)))
    return {
      check: "salvage",
      problem: "a salvage of the database was begun and not finished",
      advice: "type `ballastd salvage` again",
    };
  const problem = fileProblem(file) ?? logProblem(file);
  if (problem !== null || !existsSync(file)) return problem;
  let db: Connection | null = null;
  try {
    db = openReader(file);
    return contentProblem(db, statSync(file).size);
  } catch (error) {
    if (!isDamagedFile(error)) throw error;
    return refused("pages", messageOf(error));
  } finally {
    db?.close();
  }
}

/** The problem with an open database; `bytes` is its size. */
export function contentProblem(db: Connection, bytes: number): DatabaseProblem | null {
  try {
    return db.transaction(() => {
      const problem = pagesProblem(db, bytes) ?? ownerProblem(db) ?? schemaProblem(db);
      // A database of another version is refused for that reason; this program must not salvage it.
      if (problem !== null || !isOurs(db)) return problem;
      return chainsProblem(db) ?? sumsProblem(db);
    })();
  } catch (error) {
    if (!isDamagedFile(error)) throw error;
    return refused("pages", messageOf(error));
  }
}

/**
 * True if the error reports a damaged file, not a fault of the disk or the folder. A schema on
 * which a statement of this program fails counts as damage too.
 */
export function isDamagedFile(error: unknown): boolean {
  return isDamage(error) || /^SQLITE_(ERROR|FORMAT|SCHEMA|MISMATCH)/.test(codeOf(error) ?? "");
}

function fileProblem(file: string): DatabaseProblem | null {
  if (!existsSync(file)) {
    const isLog = existsSync(walFile(file)) && statSync(walFile(file)).size > 0;
    return isLog ? refused("file", `${file} is missing, its write-ahead log is there`) : null;
  }
  const { size } = statSync(file);
  if (size === 0) return refused("file", `${file} is empty`);
  const start = Buffer.alloc(MAGIC.length);
  const opened = openSync(file, "r");
  readSync(opened, start, 0, start.length, 0);
  closeSync(opened);
  return start.toString("latin1") === MAGIC ? null : refused("file", `${file} is not a database`);
}

function logProblem(file: string): DatabaseProblem | null {
  if (!existsSync(walFile(file))) return null;
  const log = openBytes(walFile(file));
  try {
    const { commits_lost } = walFrames(log);
    if (commits_lost <= COMMITS_TORN_MAX) return null;
    return refused("log", `${commits_lost} commits of ${walFile(file)} stand behind a damaged one`);
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error;
    return refused("log", `${walFile(file)}: ${error.message}`);
  } finally {
    log.close();
  }
}

function pagesProblem(db: Connection, bytes: number): DatabaseProblem | null {
  if (bytes > PAGES_CHECKED_MAX_BYTES) return null;
  const found = prepare<"trust.pages", { quick_check: string }>(db, "trust.pages")
    .all({})
    .map(({ quick_check }) => quick_check.replace(/^\*\*\* in database main \*\*\*\s*/, ""));
  return found.join() === "ok" ? null : refused("pages", found.join("; ").replace(/\s+/g, " "));
}

function ownerProblem(db: Connection): DatabaseProblem | null {
  const application = prepare(db, "trust.application").get({});
  if (application?.application_id === APPLICATION) return null;
  return refused("schema", "the file is a database of another program");
}

function schemaProblem(db: Connection): DatabaseProblem | null {
  const damaged = damagedSchema(db);
  return damaged === null ? null : refused("schema", damaged);
}

function sumsProblem(db: Connection): DatabaseProblem | null {
  // Reading these rows finds unreadable pages.
  storedHotReadings(db);
  const problem = placesProblem(db);
  return problem === null ? null : refused("sums", problem);
}

interface End {
  readonly chain: ChainName;
  readonly count: number | null;
  readonly hash: Uint8Array | null;
}

function chainsProblem(db: Connection): DatabaseProblem | null {
  for (const { chain, count, hash } of prepare<"trust.ends", End>(db, "trust.ends").all({})) {
    const head = chainHead(db, chain);
    if (head.count !== (count ?? 0))
      return refused("chains", `${chain}: the head counts ${head.count}, there are ${count ?? 0}`);
    if (hash !== null && !(isBytes(hash) && isBytes(head.hash) && isSameSegment(head.hash, hash)))
      return refused("chains", `${chain} ${head.count}: has another hash than the head`);
  }
  return null;
}

function refused(check: DatabaseProblem["check"], problem: string): DatabaseProblem {
  return { check, problem, advice: SALVAGE };
}
