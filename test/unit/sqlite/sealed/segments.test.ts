// Segments that reach over years, as late readings and clocks that jumped make them: every range
// has its readings, and one in which they have nothing doesn't open them.

import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/ground/clock.ts";
import { countIn, countSealed } from "../../../../src/sqlite/sealed/counts.ts";
import { segmentsOf } from "../../../../src/sqlite/sealed/segments.ts";
import { readingsIn, SEALED } from "../../../../src/sqlite/sealed/timeline.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { AT_MS, messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";
import { sized } from "../../../rig/scale.ts";
import { randomOf } from "../../../rig/sealing.ts";
import { ended } from "../../../rig/whole-store.ts";

const rigOf = rigsOfTests();
const YEARS_MS = 3650 * DAY_MS;
const seed = Number(process.env.TEST_SEED ?? 1 + Math.floor(Math.random() * 1e6));

test("late readings that lie together are sealed together, however far others are", () => {
  const { db, store } = rigOf();
  const commit = (times: readonly number[]) => {
    store.commit(times.map((timestamp) => messageOf("telemetry", { timestamp, SYS_PRESSURE: 4 })));
    while (store.sealFull());
  };
  const spans = () => {
    const segments = segmentsOf(db);
    segments.refresh();
    return segments
      .within({ start_ms: 0, end_ms: AT_MS })
      .map(({ first_ms, last_ms, count }) => ({ days: (last_ms - first_ms) / DAY_MS, count }));
  };
  const minutes = (from_ms: number, count: number) =>
    Array.from({ length: count }, (_, minute) => from_ms + minute * MINUTE_MS);
  const yearsApart = (count: number, offset_ms: number) =>
    Array.from({ length: count }, (_, day) => AT_MS - YEARS_MS + day * 1.5 * DAY_MS + offset_ms);
  commit(minutes(AT_MS - 3 * DAY_MS, 2200));
  commit(yearsApart(1000, 0));
  commit(minutes(AT_MS - 40 * DAY_MS, 2000));
  expect(spans()).toHaveLength(1);
  commit(minutes(AT_MS - 38 * DAY_MS, 300));
  expect(spans().filter(({ days }) => days > 31)).toEqual([]);
  expect(spans()).toHaveLength(2);
  // Among twice a segment's readings, those of some hours are sealed all the same.
  commit(yearsApart(2000, HOUR_MS));
  expect(spans()).toHaveLength(2);
  commit(yearsApart(1100, 2 * HOUR_MS));
  const far = spans().filter(({ days }) => days > 10);
  expect(new Set(far.map(({ count }) => count))).toEqual(new Set([48]));
});

test(`far readings are found, and elsewhere aren't in the way (TEST_SEED=${seed})`, () => {
  const random = randomOf(seed);
  const { db, store } = rigOf();
  const times = new Set<number>();
  const seal = (batch: readonly number[]) => {
    for (const at_ms of batch) times.add(at_ms);
    store.commit(batch.map((timestamp) => messageOf("telemetry", { timestamp, SYS_PRESSURE: 4 })));
    while (store.sealOld(RECEIVED_MS + DAY_MS));
  };
  seal(Array.from({ length: 500 }, (_, minute) => AT_MS - (500 - minute) * MINUTE_MS));
  for (let part = 0; part < 3; part += 1)
    seal(
      Array.from(
        { length: 40 },
        () => Math.floor((AT_MS - random() * YEARS_MS) / HOUR_MS) * HOUR_MS,
      ),
    );
  const inOrder = [...times].sort((one, other) => one - other);
  const found = (start_ms: number, end_ms: number) =>
    [...readingsIn(db, { start_ms, end_ms })].map(({ at_ms }) => at_ms);
  expect(found(0, AT_MS)).toEqual(inOrder);
  for (const at_ms of inOrder) expect(found(at_ms, at_ms)).toEqual([at_ms]);
  const segments = segmentsOf(db);
  for (let trial = 0; trial < sized(100, 300); trial += 1) {
    const start_ms = Math.floor(AT_MS - random() * YEARS_MS);
    const end_ms = Math.floor(start_ms + random() ** 4 * 60 * DAY_MS);
    const expected = inOrder.filter((at_ms) => at_ms >= start_ms && at_ms <= end_ms);
    expect(found(start_ms, end_ms)).toEqual(expected);
    if (expected.length === 0 && end_ms - start_ms < 31 * DAY_MS)
      expect(segments.within({ start_ms, end_ms })).toEqual([]);
  }
});

test(`sealed readings are counted as a walk finds them (TEST_SEED=${seed})`, () => {
  const random = randomOf(seed);
  const { dir, db, store } = rigOf();
  // At least a day before AT_MS, whose segment then overlaps no other and is hidden by no void.
  const at = () => AT_MS - Math.ceil(random() * 1000) * DAY_MS - Math.floor(random() * HOUR_MS);
  const seal = (batch: readonly number[], further = {}) => {
    const values = { SYS_PRESSURE: 4, ...further };
    store.commit(batch.map((timestamp) => messageOf("telemetry", { timestamp, ...values })));
    while (store.sealOld(RECEIVED_MS + DAY_MS));
  };
  const ever = { start_ms: 0, end_ms: Number.MAX_SAFE_INTEGER };
  const walked = (of = db) => {
    const count = countSealed(of);
    expect(count).toBe(countIn(of, ever, SEALED));
    return count;
  };
  for (let part = 0; part < 20; part += 1) {
    const start_ms = at();
    seal(Array.from({ length: 10 }, (_, minute) => start_ms + minute * MINUTE_MS));
  }
  seal([AT_MS]);
  const all = walked();
  expect(all).toBeGreaterThan(150);
  seal(Array.from({ length: 5 }, at));
  const [{ first_ms: hidden_ms }] = segmentsOf(db).within(ever).slice(-4);
  seal([hidden_ms], { UVR_INTENSITY: 600 });
  expect(walked()).toBe(all + 5);
  const act = { at_ms: RECEIVED_MS, actor: "test", address: null };
  const span = { start_ms: hidden_ms, end_ms: hidden_ms + 2 * MINUTE_MS };
  store.addVoid({ what: "readings", ...span, reason: "calibration" }, act);
  const visible = walked();
  expect(visible).toBeLessThan(all + 5);
  ended(store.expire(24));
  expect(walked()).toBeLessThan(visible);
  const kept = walked();
  // A payload that is gone before its time is missing in the count, once no memory holds its block:
  // this connection may have it among those opened last.
  const newest = segmentsOf(db).within(ever).at(-1);
  expect(newest).toMatchObject({ first_ms: AT_MS, count: 1 });
  db.prepare("update segment set payload = null where id = ?").run(newest?.id);
  expect(walked(rigOf({}, dir).db)).toBe(kept - 1);
});
