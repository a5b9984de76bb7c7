// A flipped bit in the place of an hour or a day, in the file of a stopped program: in the table's
// page while the index is right, or in the index. A start goes on, answers what it answered before
// or that data is damaged, and puts it right.

import { readFileSync, writeFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../src/ground/clock.ts";
import { openDatabase } from "../../../src/sqlite/care/database.ts";
import { integrityProblem } from "../../../src/sqlite/care/file-check.ts";
import { rowsProblem } from "../../../src/sqlite/derived/derived.ts";
import { damageOf, isDamage } from "../../../src/sqlite/file/damage.ts";
import { type Connection, databaseFile } from "../../../src/sqlite/file/open.ts";
import type { Interval } from "../../../src/sqlite/file/query.ts";
import { bucketRows, storedBuckets } from "../../../src/sqlite/sealed/buckets.ts";
import { openBucketRepair } from "../../../src/sqlite/threads/bucket-repair.ts";
import { type Rig, rigsOfTests } from "../../rig/database.ts";
import { AT_MS, messageOf, RECEIVED_MS } from "../../rig/decoding.ts";

const rigOf = rigsOfTests();
const DAYS = 4;
const FROM_MS = AT_MS - DAYS * DAY_MS;
const EVER = { start_ms: 0, end_ms: Number.MAX_SAFE_INTEGER };
const PAGE = 4096;
/** The first byte of a leaf: of a table, of an index (sqlite.org/fileformat2.html). */
const LEAF = { table: 0x0d, index: 0x0a } as const;

let rig: Rig;
beforeEach(() => {
  rig = rigOf();
  const hours = Array.from({ length: DAYS * 24 }, (_, hour) => ({
    timestamp: FROM_MS + hour * HOUR_MS,
    SYS_PRESSURE: hour / 10,
  }));
  rig.store.commit([messageOf("telemetry", hours)]);
  while (rig.store.sealOld(RECEIVED_MS + 2 * DAY_MS));
});

/** All that can be asked of hours and days, by ranges and one by one. */
function answers(db: Connection, starts: readonly number[]) {
  const ranges = [EVER, ...starts.map((start_ms) => ({ start_ms, end_ms: start_ms }))];
  return (["hour", "day"] as const).flatMap((interval) =>
    ranges.flatMap((range) =>
      [bucketRows, storedBuckets].map((read) => {
        try {
          return read(db, interval, range);
        } catch (error) {
          if (!isDamage(error)) throw error;
          return "damaged";
        }
      }),
    ),
  );
}

/** Flips a bit of a bucket's interval (byte 0 to 3) or start (4 to 9) in a leaf of a kind. */
function flip(leaf: keyof typeof LEAF, of: Interval, byte: number): void {
  const start_ms = rig.db
    .prepare<[string], number>("select start_ms from bucket where interval = ? limit 1 offset 3")
    .pluck()
    .get(of);
  const start = Buffer.alloc(8);
  start.writeBigInt64BE(BigInt(start_ms ?? 0));
  const place = Buffer.concat([Buffer.from(of), start.subarray(2)]);
  const file = databaseFile(rig.dir);
  const bytes = readFileSync(file);
  let flips = 0;
  for (let at = bytes.indexOf(place); at >= 0; at = bytes.indexOf(place, at + 1)) {
    if (bytes[at - (at % PAGE)] !== LEAF[leaf]) continue;
    bytes[at + Math.min(byte, place.length - 1)] ^= 0x10;
    flips += 1;
  }
  expect(flips).toBe(1);
  writeFileSync(file, bytes);
}

const PLACES = [
  ["hour", 0],
  ["hour", 4],
  ["hour", 9],
  ["day", 6],
] as const;
const CASES = (["table", "index"] as const).flatMap((leaf) =>
  PLACES.map(([of, byte]) => [leaf, of, byte] as const),
);

test.each(CASES)("in the %s, %s, byte %i of its place", (leaf, of, byte) => {
  const starts = rig.db.prepare<[], number>("select distinct start_ms from bucket").pluck().all();
  const before = answers(rig.db, starts);
  expect(before).not.toContain("damaged");
  rig.db.pragma("wal_checkpoint(truncate)");
  flip(leaf, of, byte);
  rig.close();
  const { db } = openDatabase(rig.dir, { now_ms: RECEIVED_MS, before() {} });
  const after = answers(db, starts);
  expect(after).toEqual(before.map((right, at) => (after[at] === "damaged" ? "damaged" : right)));
  for (const step = openBucketRepair(db); step(); );
  expect(answers(db, starts)).toEqual(before);
  expect(integrityProblem(db)).toBeNull();
  expect(rowsProblem(db)).toBeNull();
  expect(damageOf(db).take()).toContainEqual(expect.stringMatching(/^bucket: the row of /));
  db.close();
});

test("a damaged place in the table is put right also when its readings have expired", () => {
  rig.db.exec(
    `insert into mark (name, value) values ('raw_from_ms', ${Math.ceil(AT_MS / DAY_MS) * DAY_MS})`,
  );
  const starts = rig.db.prepare<[], number>("select distinct start_ms from bucket").pluck().all();
  const before = answers(rig.db, starts);
  rig.db.pragma("wal_checkpoint(truncate)");
  flip("table", "hour", 7);
  rig.close();
  const { db } = openDatabase(rig.dir, { now_ms: RECEIVED_MS, before() {} });
  for (const step = openBucketRepair(db); step(); );
  expect(answers(db, starts)).toEqual(before);
  expect(integrityProblem(db) ?? rowsProblem(db)).toBeNull();
  db.close();
});
