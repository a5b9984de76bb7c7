// Hours and days as plain rows: numbers that any SQLite tool shows, bit for bit those that readings
// add up to, and no cell that could change unseen.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addReading, type Bucket, bucketRow, emptyBucket } from "../../../../src/bwts/bucket.ts";
import type { Reading } from "../../../../src/bwts/reading.ts";
import { AGGREGATED, TAGS } from "../../../../src/bwts/tags.ts";
import { DamagedError } from "../../../../src/codec/bytes.ts";
import { rowsProblem } from "../../../../src/sqlite/derived/derived.ts";
import {
  bucketHeads,
  bucketRows,
  putBucket,
  storedBuckets,
} from "../../../../src/sqlite/sealed/buckets.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { AT_MS, messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";
import { readingOf } from "../../../rig/readings.ts";
import { sized } from "../../../rig/scale.ts";
import { anyNumber } from "../../../rig/segment-readings.ts";

const SEED = 20_260_102;
const DAY_MS = 86_400_000;
const ALWAYS = { start_ms: 0, end_ms: Number.MAX_SAFE_INTEGER };

const OTHERS = ["7", "x'00'", "'text'", "null"];

const rigOf = rigsOfTests();

function bucketOf(readings: readonly Reading[]): Bucket {
  const bucket = emptyBucket();
  for (const reading of readings) addReading(bucket, reading);
  return bucket;
}

test("a day stands in the shell as numbers, under the names of the catalogue", () => {
  const { db, store } = rigOf();
  const start_ms = AT_MS - (AT_MS % DAY_MS) - DAY_MS;
  const said = [
    { UVR_INTENSITY: 600.5, LAMP_01_RUNTIME: 41.25 },
    { UVR_INTENSITY: 601.25, FAILED_LAMP_COUNT: 2 },
    { LAMP_01_RUNTIME: 41.5 },
  ];
  store.commit(
    said.map((fields, index) =>
      messageOf("telemetry", { timestamp: start_ms + index * 1000, ...fields }),
    ),
  );
  while (store.sealOld(RECEIVED_MS + 2 * DAY_MS));
  expect(db.prepare("select * from bucket where interval = 'day'").all()).toMatchObject([
    {
      ...{ interval: "day", start_ms, start: new Date(start_ms).toISOString().replace(".000", "") },
      ...{ last_ms: start_ms + 2000, count: 3 },
      ...{ UVR_INTENSITY_n: 2, UVR_INTENSITY_sum: 1201.75 },
      ...{ UVR_INTENSITY_min: 600.5, UVR_INTENSITY_max: 601.25 },
      ...{ LAMP_01_RUNTIME_n: 2, LAMP_01_RUNTIME_last: 41.5 },
      ...{ FAILED_LAMP_COUNT_n: 1, FAILED_LAMP_COUNT_max: 2 },
      ...{ SYS_PRESSURE_n: 0, SYS_PRESSURE_sum: null, SYS_PRESSURE_min: null },
    },
  ]);
  const columns = db.prepare<[], string>("select name from pragma_table_info('bucket')").pluck();
  const named = AGGREGATED.flatMap((tag) => {
    const isCounter = TAGS[tag].aggregate === "last";
    const members = isCounter ? ["n", "last"] : ["n", "sum", "min", "max"];
    return members.map((member) => `${TAGS[tag].name}_${member}`);
  });
  expect(columns.all().filter((name) => /^[A-Z]/.test(name))).toEqual(named);
  const plan = db.prepare<[], { detail: string }>(
    "explain query plan select * from bucket where interval = 'hour' and start_ms > 5",
  );
  expect(plan.get()?.detail).toContain("USING INDEX");
});

const name = fc.constantFrom(...AGGREGATED.map((index) => TAGS[index].name));
const reading = fc.dictionary(name, anyNumber, { maxKeys: 12, noNullPrototype: true });

describe(`any readings (seed ${SEED})`, () => {
  test("add up to a bucket that comes back to the bit, and to its aggregated row", () => {
    const { db } = rigOf();
    fc.assert(
      fc.property(fc.array(reading, { minLength: 1, maxLength: 30 }), (all) => {
        const bucket = bucketOf(all.map((named, at_ms) => readingOf(at_ms, named)));
        const placed = { start_ms: DAY_MS, last_ms: DAY_MS + all.length - 1, bucket };
        putBucket(db, "day", placed);
        expect(storedBuckets(db, "day", ALWAYS)).toStrictEqual([placed]);
        const { bucket: _, ...place } = placed;
        const head = { ...place, count: bucket.count };
        expect(bucketHeads(db, "day", ALWAYS)).toStrictEqual([head]);
        expect(bucketRows(db, "day", ALWAYS)).toStrictEqual([{ ...head, row: bucketRow(bucket) }]);
      }),
      { seed: SEED, numRuns: sized(60, 200) },
    );
  });
});

test("sums that overflow, both ways too, come back", () => {
  const { db } = rigOf();
  const huge = [1e308, 1e308, -1e308, -1e308, -1e308].map((SYS_FLOW_RATE, at_ms) =>
    readingOf(at_ms, { SYS_FLOW_RATE, SYS_PRESSURE: -0 }),
  );
  const infinite = bucketOf(huge.slice(0, 2));
  const nowhere = bucketOf(huge);
  nowhere.fields[AGGREGATED.indexOf(TAGS.findIndex((tag) => tag.name === "SYS_FLOW_RATE"))].sum =
    Number.NaN;
  for (const [index, bucket] of [infinite, nowhere].entries())
    putBucket(db, "hour", { start_ms: index * DAY_MS, last_ms: index * DAY_MS, bucket });
  expect(storedBuckets(db, "hour", ALWAYS).map(({ bucket }) => bucket)).toStrictEqual([
    infinite,
    nowhere,
  ]);
});

test("a bucket without readings has no row", () => {
  const { db } = rigOf();
  const placed = { start_ms: DAY_MS, last_ms: DAY_MS };
  putBucket(db, "day", { ...placed, bucket: bucketOf([readingOf(1, { SYS_PRESSURE: 4 })]) });
  putBucket(db, "day", { ...placed, bucket: emptyBucket() });
  expect(storedBuckets(db, "day", ALWAYS)).toEqual([]);
});

test("no cell can change unseen", () => {
  const { db } = rigOf();
  const sent = { ...Object.fromEntries(AGGREGATED.map((tag) => [TAGS[tag].name, 4.5])) };
  const bucket = bucketOf([readingOf(1, { UVR_INTENSITY: 600 }), readingOf(2, sent)]);
  putBucket(db, "hour", { start_ms: DAY_MS, last_ms: DAY_MS + 2, bucket });
  expect(rowsProblem(db)).toBeNull();
  const columns = db
    .prepare<[], string>("select name from pragma_table_info('bucket') where name <> 'id'")
    .pluck()
    .all();
  expect(columns.length).toBeGreaterThan(3 * AGGREGATED.length);
  for (const [at, column] of columns.entries())
    for (const other of at < 8 ? OTHERS : [OTHERS[at % OTHERS.length]]) {
      db.exec("savepoint whole; pragma ignore_check_constraints = on");
      try {
        db.exec(`update bucket set ${column} = ${other}`);
        expect(rowsProblem(db), `${column} = ${other}`).toMatch(/^bucket: the row of /);
        const range = { start_ms: -DAY_MS, end_ms: 2 * DAY_MS };
        const isPlace = column === "interval" || column === "start_ms";
        if (!isPlace) expect(() => storedBuckets(db, "hour", range), column).toThrow(DamagedError);
      } catch (error) {
        // Some columns are never null.
        if (!String(error).includes("NOT NULL")) throw error;
      }
      db.exec("rollback to whole; release whole");
    }
});
