// Cuts of the power in a row, each in the middle of a commit: what one leaves behind must not be
// taken for lost commits after the next, and the database opens each time.

import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { openDatabase } from "../../../../src/sqlite/care/database.ts";
import { walFile } from "../../../../src/sqlite/care/trust.ts";
import { type Connection, databaseFile } from "../../../../src/sqlite/file/open.ts";
import { FRAME_HEADER_BYTES, LOG_HEADER_BYTES } from "../../../../src/sqlite/file/wal-frames.ts";
import { foldersOfTests } from "../../../rig/folders.ts";

const newFolder = foldersOfTests();
const FRAME_BYTES = FRAME_HEADER_BYTES + 4096;
const open: Connection[] = [];
afterEach(() => {
  for (const db of open.splice(0)) db.close();
});

function opened(dir: string): Connection {
  const { db } = openDatabase(dir, { now_ms: 0, before: () => undefined });
  open.push(db);
  return db;
}

/** A commit of some pages that is acknowledged, or that the cut meets. */
function commit(db: Connection, pages: number): void {
  const text = "x".repeat(4000 * pages);
  db.prepare("insert into mark (name, value) values (?, 1)").run(text);
}

const logOf = (dir: string) => readFileSync(walFile(databaseFile(dir)));

/** The folder as the cut leaves it: of the commit that made `before` this log a page is missing. */
function cutOff(dir: string, before: Buffer): string {
  const left = path.join(newFolder(), "data");
  mkdirSync(left);
  cpSync(dir, left, { recursive: true });
  const bytes = logOf(left);
  const differs = bytes.findIndex((byte, at) => at >= LOG_HEADER_BYTES && byte !== before[at]);
  const frame = Math.floor((differs - LOG_HEADER_BYTES) / FRAME_BYTES);
  const page = LOG_HEADER_BYTES + frame * FRAME_BYTES + FRAME_HEADER_BYTES;
  bytes.fill(0, page, page + 512);
  writeFileSync(walFile(databaseFile(left)), bytes);
  return left;
}

test("each cut leaves one commit behind a damaged page, and the next start opens it", () => {
  let dir = path.join(newFolder(), "data");
  mkdirSync(dir);
  // Each commit is smaller than the one before, whose end stands behind it then.
  for (const pages of [40, 20, 8, 3]) {
    const db = opened(dir);
    const before = logOf(dir);
    commit(db, pages);
    dir = cutOff(dir, before);
  }
  expect(opened(dir).prepare("select count(*) from mark").pluck().get()).toBe(0);
});
