// A database of its own in a temporary folder, and what stands in it, for comparing.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach } from "vitest";
import { addBucket, addReading, type Bucket, emptyBucket } from "../../src/bwts/bucket.ts";
import { RULES_VERSION } from "../../src/bwts/operations/rules.ts";
import { DAY_MS, floorTo, HOUR_MS } from "../../src/ground/clock.ts";
import { newestHealth } from "../../src/sqlite/answers/health.ts";
import { rangedSums } from "../../src/sqlite/answers/ranges.ts";
import { putMark } from "../../src/sqlite/file/mark.ts";
import { migrate } from "../../src/sqlite/file/migrate.ts";
import {
  type Connection,
  databaseFile,
  openWriter,
  prepare,
  write,
} from "../../src/sqlite/file/open.ts";
import type { Interval } from "../../src/sqlite/file/query.ts";
import { listQuarantine } from "../../src/sqlite/records/quarantine.ts";
import { BELIEVED, readingsIn } from "../../src/sqlite/sealed/timeline.ts";
import { openStore, type StoreOptions } from "../../src/sqlite/threads/store.ts";
import { namesOf } from "./readings.ts";
import { type WholeStore, wholeStore } from "./whole-store.ts";

const ALWAYS = { start_ms: 0, end_ms: 253_402_300_799_999, limit: 10_000, offset: 0 };

export interface Rig {
  readonly dir: string;
  readonly db: Connection;
  readonly store: WholeStore;
  close(): void;
}

/** A new database, as the migrations leave it: a copy takes a third of their time. */
let migrated: Buffer | null = null;

function newDatabase(): string {
  const dir = temporaryFolder();
  const file = databaseFile(dir);
  if (migrated !== null) writeFileSync(file, migrated, { mode: 0o600 });
  else {
    const db = openWriter(file);
    migrate(db, 0);
    // As the repair that follows the first start notes it.
    write(db, () => putMark(db, "rules_operations", RULES_VERSION));
    db.close();
    migrated = readFileSync(file);
  }
  return dir;
}

/** Opens the database of `dir`, or a new one. */
export function openRig(options: Partial<StoreOptions> = {}, dir = newDatabase()): Rig {
  const db = openWriter(databaseFile(dir));
  migrate(db, 0);
  const store = openStore(db, {
    prefix: "bwts",
    system_id: "BWTS-001",
    merge_ms: 0,
    quarantine_max_bytes: 1024 * 1024,
    built_ms: 0,
    ...options,
  });
  return { dir, db, store: wholeStore(store), close: () => db.close() };
}

/** A way to open rigs that are closed, and their folders removed, after each test of a file. */
export function rigsOfTests(): (...given: Parameters<typeof openRig>) => Rig {
  const open: Rig[] = [];
  afterEach(() => {
    for (const rig of open.splice(0)) rig.close();
    removeFolders();
  });
  return (...given) => {
    const rig = openRig(...given);
    open.push(rig);
    return rig;
  };
}

const folders: string[] = [];

export function temporaryFolder(): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), "ballastd-store-"));
  folders.push(dir);
  return dir;
}

/** Removes what `temporaryFolder` made. */
export function removeFolders(): void {
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true });
}

/** Readings, buckets and records as they stand, in no order of receipt. */
export function contentOf(db: Connection) {
  const buckets = (interval: Interval) =>
    [...rangedSums(db, ALWAYS, interval)].map(({ start_ms, bucket }) => ({ start_ms, ...bucket }));
  return {
    readings: [...readingsIn(db, ALWAYS)].map((reading) => ({
      at_ms: reading.at_ms,
      derived: reading.derived,
      fields: namesOf(reading),
    })),
    hours: buckets("hour"),
    days: buckets("day"),
    events: prepare(db, "event.newest")
      .all(ALWAYS)
      .map((id) => prepare(db, "event.stored").get(id)),
    health: newestHealth(db, ALWAYS.limit),
    predictions: prepare(db, "prediction.newest")
      .all(ALWAYS)
      .map((key) => ({ ...key, ...prepare(db, "prediction.at").get(key) })),
    hot: prepare(db, "reading.all").all({}).length,
    quarantine: listQuarantine(db, ALWAYS.limit),
  };
}

/** The expected hours and days, recomputed from believed readings, in the form of `contentOf`. */
export function recomputed(db: Connection) {
  const hours = new Map<number, Bucket>();
  for (const reading of readingsIn(db, ALWAYS, BELIEVED)) {
    const start_ms = floorTo(reading.at_ms, HOUR_MS);
    const bucket = hours.get(start_ms) ?? emptyBucket();
    addReading(bucket, reading);
    hours.set(start_ms, bucket);
  }
  const days = new Map<number, Bucket>();
  for (const [start_ms, hour] of hours) {
    const day_ms = floorTo(start_ms, DAY_MS);
    const bucket = days.get(day_ms) ?? emptyBucket();
    addBucket(bucket, hour);
    days.set(day_ms, bucket);
  }
  const rows = (buckets: typeof hours) =>
    [...buckets].map(([start_ms, bucket]) => ({ start_ms, ...bucket }));
  return { hours: rows(hours), days: rows(days) };
}
