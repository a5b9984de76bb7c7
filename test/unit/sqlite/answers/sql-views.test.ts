// The indexes and views for people who ask by SQL: segments are found by their times, and hours and
// days agree with the API's own sums wherever all readings are in them.

import { expect, test } from "vitest";
import { BY_SELF } from "../../../../src/bwts/audit.ts";
import { bucketRow } from "../../../../src/bwts/bucket.ts";
import { AGGREGATED, TAGS } from "../../../../src/bwts/tags.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, printTime } from "../../../../src/ground/clock.ts";
import { rangedSums } from "../../../../src/sqlite/answers/ranges.ts";
import { runStatement } from "../../../../src/sqlite/answers/statement.ts";
import { integrityProblem } from "../../../../src/sqlite/care/file-check.ts";
import { putMark } from "../../../../src/sqlite/file/mark.ts";
import { type Connection, databaseFile } from "../../../../src/sqlite/file/open.ts";
import type { Interval } from "../../../../src/sqlite/file/query.ts";
import { SEGMENT_READINGS } from "../../../../src/sqlite/sealed/seal-portion.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";
import { printedRandom } from "../../../rig/random.ts";
import { fill, Model } from "../../../rig/sealing.ts";

const random = printedRandom("sql views");
const openRig = rigsOfTests();
const EVER = { start_ms: 0, end_ms: 253_402_300_799_999 };
const act = { ...BY_SELF, at_ms: RECEIVED_MS };

interface Row {
  readonly start: string;
  readonly start_ms: number;
  readonly readings: number;
  readonly not_sealed: number;
}

function viewRows(db: Connection, interval: Interval): readonly Row[] {
  return db.prepare<[], Row>(`select * from reading_${interval} order by start_ms`).all();
}

function rounded(value: unknown): unknown {
  return typeof value === "number" ? Math.round(value * 1e4) / 1e4 + 0 : value;
}

/** The values of a view's row in the order of the catalogue, means rounded as the API does it. */
function valuesOf(row: Row): readonly unknown[] {
  const cells = new Map<string, unknown>(Object.entries(row));
  return AGGREGATED.map((tag) => rounded(cells.get(TAGS[tag].name)));
}

/** Holds a view against the API's sums; returns its rows. */
function expectAgreement(db: Connection, interval: Interval): readonly Row[] {
  const rows = viewRows(db, interval);
  const sums = [...rangedSums(db, EVER, interval)];
  expect(rows.map(({ start_ms }) => start_ms)).toEqual(sums.map(({ start_ms }) => start_ms));
  for (const [index, row] of rows.entries()) {
    const { start_ms, bucket } = sums[index];
    expect(row.start).toBe(printTime(start_ms));
    // A reading that got further fields after it was sealed is among both.
    expect(row.readings).toBeLessThanOrEqual(bucket.count);
    expect(row.readings + row.not_sealed).toBeGreaterThanOrEqual(bucket.count);
    if (row.not_sealed > 0) continue;
    expect(row.readings).toBe(bucket.count);
    const values = [...bucketRow(bucket)].map((value) => (Number.isNaN(value) ? null : value));
    expect(valuesOf(row), row.start).toEqual(values.map(rounded));
  }
  return rows;
}

test("hours and days agree with the API's, but for what isn't sealed, which is counted", () => {
  const rig = openRig();
  const model = new Model();
  fill(rig, model, { seed: random.between(1, 1e6), count: 3 * SEGMENT_READINGS });
  for (const interval of ["hour", "day"] as const)
    expect(expectAgreement(rig.db, interval).some((row) => row.not_sealed > 0)).toBe(true);
  while (rig.store.sealOld(RECEIVED_MS + 2 * DAY_MS));
  for (const interval of ["hour", "day"] as const)
    expect(expectAgreement(rig.db, interval).every((row) => row.not_sealed === 0)).toBe(true);
});

test("hidden readings are in no row, sealed or not, also while a void is under way", () => {
  const rig = openRig();
  const model = new Model();
  fill(rig, model, { seed: random.between(1, 1e6), count: SEGMENT_READINGS + 500 });
  const times = model.inOrder().map(({ at_ms }) => at_ms);
  const newest_ms = times[times.length - 1];
  const hide = (start_ms: number, end_ms: number) =>
    rig.store.addVoid({ start_ms, end_ms, reason: "test" }, act);
  const whole = viewRows(rig.db, "hour");
  const early = times[times.length - 600];
  const made = hide(early, newest_ms);
  // The readings lie months apart where the data have a gap; a void spans 31 days at most.
  expect(hide(times[200], Math.min(times[300], times[200] + DAY_MS))).toHaveProperty("id");
  for (const interval of ["hour", "day"] as const) expectAgreement(rig.db, interval);
  expect(viewRows(rig.db, "hour")).not.toEqual(whole);
  const spans = rig.db.prepare("select start_ms, end_ms from hidden_span order by start_ms");
  expect(spans.all()).toHaveLength(2);
  const id = "id" in made ? made.id : 0;
  const hides_to_ms = times[times.length - 300];
  putMark(rig.db, "void_under_way", id);
  putMark(rig.db, "void_hides_to_ms", hides_to_ms);
  expect(spans.all()).toContainEqual({ start_ms: early, end_ms: hides_to_ms });
});

test("at the prompt a view's readings are the stored ones, beside the table of all", () => {
  const rig = openRig();
  const at = (minute: number) => ({ timestamp: RECEIVED_MS - minute * MINUTE_MS });
  const readings = [1, 2, 3].map((minute) => messageOf("telemetry", at(minute)));
  rig.store.commit(readings);
  const sql = "select (select sum(not_sealed) from reading_day), (select count(*) from reading)";
  expect([...runStatement(databaseFile(rig.dir), sql).rows]).toEqual([[3n, 3n]]);
});

test("among thousands of segments a range of times is found by an index", () => {
  const { db, store } = openRig();
  const add = db.prepare(
    `insert into segment (id, first_ms, last_ms, count, payload_hash, hash, header, payload)
     values (?, ?, ?, 1, x'', x'', x'', iif(? % 2, x'00', null))`,
  );
  const first_ms = Date.UTC(2026, 0, 1);
  db.transaction(() => {
    for (let id = 1; id <= 5000; id += 1) {
      const start_ms = first_ms + id * HOUR_MS;
      add.run(id, start_ms, start_ms + HOUR_MS - 1, id);
    }
    // A time that nothing should have is printed, or null, and stops no answer.
    add.run(5001, -1, 8_640_000_000_000_000, 5001);
  })();
  store.tidy();
  const range = `first_ms <= ${first_ms + 2 * DAY_MS} and last_ms >= ${first_ms + DAY_MS}`;
  const between = `first_ms between ${first_ms} and ${first_ms + DAY_MS}`;
  for (const where of [range, between, `last_ms > ${first_ms}`])
    for (const table of ["segment", "segment_time"]) {
      const plan = db.prepare(`explain query plan select id from ${table} where ${where}`).all();
      expect(JSON.stringify(plan), where).toMatch(/SEARCH segment USING (COVERING )?INDEX/);
    }
  const one = db.prepare("select first, last, readings, has_values from segment_time where id = ?");
  expect(one.get(3)).toEqual({
    first: "2026-01-01T03:00:00.000Z",
    last: "2026-01-01T03:59:59.999Z",
    readings: 1,
    has_values: 1,
  });
  expect(one.get(4)).toMatchObject({ has_values: 0 });
  expect(one.get(5001)).toMatchObject({ first: "1969-12-31T23:59:59.999Z", last: null });
  const hours = db.prepare("explain query plan select * from reading_hour where start_ms > 5");
  expect(JSON.stringify(hours.all())).toMatch(/SEARCH bucket USING INDEX \S+ .interval=\?/);
  expect(integrityProblem(db)).toBeNull();
});
