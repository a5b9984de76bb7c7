// Voids against a model: what is hidden is in no answer, count or sum, sealed or hot, early or
// late, and after an undo everything is what it was.

import { expect, test } from "vitest";
import { BY_SELF } from "../../../../src/bwts/audit.ts";
import type { Reading } from "../../../../src/bwts/reading.ts";
import { JsonWriter } from "../../../../src/codec/json-writer.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/ground/clock.ts";
import { decodeImported } from "../../../../src/payload/import.ts";
import { answer, type Query } from "../../../../src/sqlite/answers/queries.ts";
import { verifyChains } from "../../../../src/sqlite/care/verify.ts";
import { putMark } from "../../../../src/sqlite/file/mark.ts";
import { prepare } from "../../../../src/sqlite/file/open.ts";
import type { ClosedRange } from "../../../../src/sqlite/file/query.ts";
import { countedPieces, countOf } from "../../../../src/sqlite/sealed/counts.ts";
import { SEGMENT_READINGS } from "../../../../src/sqlite/sealed/seal-portion.ts";
import {
  ALL_STORED,
  newestTime,
  RAW_FROM,
  timeline,
} from "../../../../src/sqlite/sealed/timeline.ts";
import { VOIDS_MAX } from "../../../../src/sqlite/sealed/voids.ts";
import { contentOf, type Rig, recomputed, rigsOfTests } from "../../../rig/database.ts";
import { AT_MS, messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";
import { LAMP_CONFIG } from "../../../rig/fleet.ts";
import { sized } from "../../../rig/scale.ts";
import { fill, Model, randomOf, storedReadings } from "../../../rig/sealing.ts";

const rigOf = rigsOfTests();
const act = { ...BY_SELF, at_ms: RECEIVED_MS };
const seed = Number(process.env.TEST_SEED ?? 1 + Math.floor(Math.random() * 1e6));

const times = (readings: readonly Reading[]) => readings.map(({ at_ms }) => at_ms);

function hide({ store }: Pick<Rig, "store">, range: ClosedRange) {
  const made = store.addVoid({ ...range, reason: "calibration" }, act);
  if (!("readings" in made)) throw new Error(JSON.stringify(made));
  return made;
}

function visible(model: Model, hidden: readonly ClosedRange[]): readonly number[] {
  const isHidden = (at_ms: number) =>
    hidden.some(({ start_ms, end_ms }) => at_ms >= start_ms && at_ms <= end_ms);
  return times(model.inOrder()).filter((at_ms) => !isHidden(at_ms));
}

function expectVisible(rig: Rig, expected: readonly number[]): void {
  expect(times(storedReadings(rig.db))).toEqual(expected);
  expect(newestTime(rig.db)).toBe(expected.at(-1) ?? null);
  const { hours, days } = contentOf(rig.db);
  expect({ hours, days }).toEqual(recomputed(rig.db));
  const ever = { start_ms: 0, end_ms: 253_402_300_799_999 };
  expect(countOf(countedPieces(rig.db, ever))).toBe(expected.length);
}

test(`what is hidden counts nowhere, and undone it is what it was (TEST_SEED=${seed})`, () => {
  const rig = rigOf();
  const model = new Model();
  fill(rig, model, { seed, count: sized(1, 2) * SEGMENT_READINGS + 100 });
  const random = randomOf(seed);
  const all = model.inOrder();
  const some = () => all[Math.floor(random() * all.length)].at_ms;
  const newest_ms = all[all.length - 1].at_ms;
  const spans = [
    { start_ms: newest_ms - 90 * MINUTE_MS, end_ms: newest_ms },
    ...Array.from({ length: 8 }, () => {
      const start_ms = some() - Math.floor(random() * MINUTE_MS);
      return { start_ms, end_ms: start_ms + Math.floor(random() ** 3 * 3 * DAY_MS) };
    }),
  ];
  const hidden: ClosedRange[] = [];
  const ids = spans.map((span) => {
    const before = visible(model, hidden).length;
    const { id, readings: count } = hide(rig, span);
    hidden.push(span);
    expect(count).toBe(before - visible(model, hidden).length);
    return id;
  });
  expectVisible(rig, visible(model, hidden));
  fill(rig, model, { seed: seed + 1, count: sized(2, 3) * SEGMENT_READINGS });
  expectVisible(rig, visible(model, hidden));
  while (rig.store.sealOld(RECEIVED_MS + DAY_MS));
  expectVisible(rig, visible(model, hidden));
  const stored = [
    ...timeline(rig.db, { start_ms: 0, end_ms: Number.MAX_SAFE_INTEGER }, ALL_STORED),
  ];
  expect(stored.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(model.readings.size);
  expect(verifyChains(rig.db, () => {}).problem).toBeNull();

  rig.close();
  const again = rigOf({}, rig.dir);
  expectVisible(again, visible(model, hidden));
  for (const id of ids) expect(again.store.undoVoid(id, act)).toMatchObject({ id });
  expectVisible(again, times(model.inOrder()));
  expect(verifyChains(again.db, () => {}).problem).toBeNull();
});

test("an undo right after a void leaves no trace in readings, sums and counts", () => {
  const rig = rigOf();
  const model = new Model();
  fill(rig, model, { seed, count: SEGMENT_READINGS + 700 });
  while (rig.store.sealOld(RECEIVED_MS + DAY_MS));
  const { hours, days, readings } = contentOf(rig.db);
  const start_ms = model.inOrder()[500].at_ms;
  const { id } = hide(rig, { start_ms, end_ms: start_ms + DAY_MS });
  expect(contentOf(rig.db).hours).not.toEqual(hours);
  rig.store.undoVoid(id, act);
  expect(contentOf(rig.db)).toMatchObject({ hours, days, readings });
});

test("all hidden is as if there were nothing, and nothing can be hidden that isn't there", () => {
  const rig = rigOf();
  const day = (end_ms: number) => ({ start_ms: end_ms - DAY_MS, end_ms });
  expect(rig.store.addVoid({ ...day(RECEIVED_MS + 3 * DAY_MS), reason: "x" }, act)).toEqual({
    problem: expect.stringContaining("after every reading"),
  });
  rig.store.commit([messageOf("telemetry", { timestamp: AT_MS, SYS_PRESSURE: 4 })]);
  const long = { start_ms: AT_MS - 40 * DAY_MS, end_ms: AT_MS };
  expect(rig.store.addVoid({ ...long, reason: "x" }, act)).toEqual({
    problem: expect.stringContaining("31 days"),
  });
  const { id } = hide(rig, day(RECEIVED_MS));
  expectVisible(rig, []);
  while (rig.store.sealOld(RECEIVED_MS + DAY_MS));
  expectVisible(rig, []);
  expect(rig.store.undoVoid(id + 1, act)).toEqual({ problem: expect.stringContaining("none") });
  rig.store.undoVoid(id, act);
  expect(rig.store.undoVoid(id, act)).toEqual({ problem: expect.stringContaining("already") });
  expectVisible(rig, [AT_MS]);
});

test("what is picked from readings and summed up is made anew without it", () => {
  // More than an answer picks, with the span hidden too.
  const count = sized(13_000, 18_000);
  const timeOf = (number: number) => AT_MS - (count - number) * 7 * MINUTE_MS;
  const hidden = { start_ms: timeOf(7000), end_ms: timeOf(7000) + sized(10, 30) * DAY_MS };
  const rigWith = (numbers: readonly number[]) => {
    const rig = rigOf();
    for (let from = 0; from < numbers.length; from += 500)
      rig.store.commit(
        numbers
          .slice(from, from + 500)
          .map((number) =>
            messageOf("telemetry", { timestamp: timeOf(number), LAMP_01_RUNTIME: number }),
          ),
      );
    while (rig.store.sealOld(RECEIVED_MS + DAY_MS));
    while (rig.store.sealFull());
    return rig;
  };
  const all = Array.from({ length: count }, (_, number) => number);
  const outside = all.filter((number) => {
    const at_ms = timeOf(number);
    return at_ms < hidden.start_ms || at_ms > hidden.end_ms;
  });
  const [rig, without] = [rigWith(all), rigWith(outside)];
  const before = answersOf(rig);
  const { id } = hide(rig, hidden);
  for (let round = 0; round < 2; round += 1) {
    expect(answersOf(rig)).toEqual(answersOf(without));
    while (rig.store.sealFull());
  }
  rig.store.undoVoid(id, act);
  expect(answersOf(rig)).toEqual(before);
});

function answersOf({ db }: Rig): readonly string[] {
  const range = { start_ms: null, end_ms: null };
  const queries: readonly Query[] = [
    { name: "runtime", range },
    { name: "aggregated", interval: "hour", range, hours: 1 },
    { name: "aggregated", interval: "day", range, hours: 1 },
    { name: "latest" },
  ];
  return queries.map((query) => {
    const out = new JsonWriter();
    for (const _ of answer(db, query, { out, limits: LAMP_CONFIG }) ?? []);
    return out.written.toString();
  });
}

test("what is imported into a voided span isn't the newest reading", () => {
  const { store } = rigOf();
  store.commit([messageOf("telemetry", { timestamp: AT_MS - 2 * MINUTE_MS, A: 1 })]);
  store.commit([messageOf("telemetry", { timestamp: AT_MS, A: 1 })]);
  hide({ store }, { start_ms: AT_MS - MINUTE_MS, end_ms: AT_MS });
  const json = JSON.stringify({ timestamp: AT_MS - 1000, A: 1 });
  const line = decodeImported({ line: 1, json }, "BWTS-001");
  const { batch, result } = store.importReadings([line], RECEIVED_MS);
  expect({ stored: result.stored, newest_ms: batch.newest_ms }).toEqual({
    stored: 1,
    newest_ms: null,
  });
});

test("voids whose readings have expired make room for new ones", () => {
  const rig = rigOf();
  rig.store.commit([messageOf("telemetry", { timestamp: AT_MS, SYS_PRESSURE: 4 })]);
  const spanAt = (start_ms: number) => ({ start_ms, end_ms: start_ms + MINUTE_MS });
  const add = prepare(rig.db, "void.add_readings");
  rig.db.transaction(() => {
    for (let id = 1; id <= VOIDS_MAX; id += 1)
      add.run({ id, ...spanAt(AT_MS - 900 * DAY_MS + id * HOUR_MS), reason: "x", made_ms: 0 });
  })();
  const next = { ...spanAt(AT_MS - DAY_MS), reason: "x" };
  expect(rig.store.addVoid(next, act)).toHaveProperty("problem");
  putMark(rig.db, RAW_FROM, AT_MS - 800 * DAY_MS);
  expect(rig.store.addVoid(next, act)).toMatchObject({ readings: 0 });
});

test("an end that lies ahead is cut to now, and the outcome tells to when", () => {
  const { store } = rigOf();
  const add = (what: "readings" | "events", end_ms: number) =>
    store.addVoid({ what, start_ms: RECEIVED_MS - 1000, end_ms, reason: "calibration" }, act);
  const cut_to = new Date(RECEIVED_MS).toISOString();
  expect(add("readings", RECEIVED_MS + MINUTE_MS)).toEqual({ id: 1, readings: 0, cut_to });
  expect(add("events", RECEIVED_MS + MINUTE_MS)).toMatchObject({ events: 0, cut_to });
  expect(add("readings", RECEIVED_MS)).not.toHaveProperty("cut_to");
});

test("events of any span are hidden, not deleted, and shown again", () => {
  const { db, store } = rigOf();
  const eventAt = (timestamp: string, event_type: string) =>
    messageOf("events", { timestamp, event_type, data: { operation_type: "BALLAST" } });
  store.commit([
    eventAt("2026-05-01T08:00:00Z", "PROCESS_START"),
    { ...eventAt("2062-01-01T00:00:00Z", "PROCESS_START"), received_ms: 0 },
    { ...eventAt("2099-01-01T00:00:00Z", "ALARM_TRIGGERED"), received_ms: 0 },
    messageOf("telemetry", { timestamp: AT_MS, SYS_PRESSURE: 4 }),
  ]);
  const shown = () => contentOf(db).events.length;
  const before = shown();
  expect(before).toBe(3);
  const range = { start_ms: Date.UTC(2030, 0, 1), end_ms: Date.UTC(2200, 0, 1) };
  const made = store.addVoid({ ...range, what: "events", reason: "clock at 2062" }, act);
  expect(made).toEqual({ id: 1, events: 2, cut_to: "2099-01-01T00:00:00.000Z" });
  expect(shown()).toBe(1);
  expect(storedReadings(db)).toHaveLength(1);
  expect(verifyChains(db, () => {})).toMatchObject({ events: 3, problem: null });
  expect(store.undoVoid(1, act)).toEqual({ id: 1, events: 2 });
  expect(shown()).toBe(3);
});
