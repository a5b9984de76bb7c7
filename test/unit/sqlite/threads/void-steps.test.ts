// A void over many days takes effect, and is undone, step by step: after each of them counts and
// sums are those of the readings that are visible then, and after a kill it goes on.

import { expect, test } from "vitest";
import { BY_SELF } from "../../../../src/bwts/audit.ts";
import { DAY_MS, MINUTE_MS } from "../../../../src/ground/clock.ts";
import { countedPieces, countOf } from "../../../../src/sqlite/sealed/counts.ts";
import { listVoids, voidedSpans } from "../../../../src/sqlite/sealed/voids.ts";
import type { Store } from "../../../../src/sqlite/threads/store.ts";
import { contentOf, type Rig, recomputed, rigsOfTests } from "../../../rig/database.ts";
import { messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";
import { sized } from "../../../rig/scale.ts";

const rigOf = rigsOfTests();
const act = { ...BY_SELF, at_ms: RECEIVED_MS };
const DAYS = 31;
/** Far less than it takes on any machine. */
const STEP_MS = sized(3, 8);
const PITCH_MS = sized(60, 6) * MINUTE_MS;
const SPAN = { start_ms: RECEIVED_MS - DAYS * DAY_MS, end_ms: RECEIVED_MS - 90 * MINUTE_MS };
const COUNT = (DAYS * DAY_MS) / PITCH_MS;
const EVER = { start_ms: 0, end_ms: 253_402_300_799_999 };

function reading(at_ms: number) {
  return messageOf("telemetry", { timestamp: at_ms, UVR_INTENSITY: (at_ms / 1000) % 900 });
}

function filled(): Rig {
  const rig = rigOf();
  const times = Array.from({ length: COUNT }, (_, at) => RECEIVED_MS - (COUNT - at) * PITCH_MS);
  for (let from = 0; from < COUNT; from += 1000)
    rig.store.commit(times.slice(from, from + 1000).map(reading));
  while (rig.store.sealOld(RECEIVED_MS + 2 * DAY_MS));
  rig.store.commit([reading(RECEIVED_MS)]);
  return rig;
}

function expectAgreement({ db }: Rig): void {
  const { hours, days, readings } = contentOf(db);
  expect({ hours, days }).toEqual(recomputed(db));
  expect(countOf(countedPieces(db, EVER))).toBe(readings.length);
}

/** Carries steps out, with a message committed between two of them; how many there were. */
function watched<Result>(rig: Rig, work: Generator<void, Result>, pitch_ms = 7777) {
  for (let steps = 1; ; steps += 1) {
    const { done, value } = work.next();
    expectAgreement(rig);
    if (done) return { steps, value };
    rig.store.commit([
      reading(SPAN.start_ms + steps * pitch_ms),
      reading(SPAN.end_ms - steps * pitch_ms),
    ]);
  }
}

test("a long void and its undo are done by steps, and agree with the readings at each", () => {
  const rig = filled();
  const before = contentOf(rig.db).readings.length;
  const made = watched(
    rig,
    rig.store.voiding.add({ ...SPAN, reason: "calibration" }, act, STEP_MS),
  );
  expect(made.steps).toBeGreaterThan(2);
  expect(voidedSpans(rig.db)).toEqual([SPAN]);
  expect(listVoids(rig.db)).toMatchObject([{ is_under_way: 0 }]);
  const late = 2 * (made.steps - 1);
  const left = contentOf(rig.db).readings.length;
  expect(made.value).toEqual({ id: 1, readings: before - left });
  const undone = watched(rig, rig.store.voiding.undo(1, act, STEP_MS), 5551);
  expect(undone.steps).toBeGreaterThan(2);
  expect(voidedSpans(rig.db)).toEqual([]);
  expect(contentOf(rig.db).readings.length).toBe(before + late + 2 * (undone.steps - 1));
});

test("a void or an undo that a kill cut off goes on where it was", () => {
  const begun = (store: Store, work: Generator<void, unknown>) => {
    for (let steps = 0; steps < 2; steps += 1) expect(work.next().done).toBe(false);
    expect(store.voiding.isUnderWay()).toBe(true);
  };
  const rig = filled();
  const all = contentOf(rig.db);
  begun(rig.store, rig.store.voiding.add({ ...SPAN, reason: "calibration" }, act, STEP_MS));
  rig.db.close();
  const second = rigOf({}, rig.dir);
  expect(listVoids(second.db)).toMatchObject([{ ...SPAN, is_under_way: 1 }]);
  expectAgreement(second);
  watched(second, second.store.voiding.end());
  expect(voidedSpans(second.db)).toEqual([SPAN]);
  begun(second.store, second.store.voiding.undo(1, act, STEP_MS));
  second.db.close();
  const third = rigOf({}, rig.dir);
  expectAgreement(third);
  // The next one ends it first.
  expect(third.store.undoVoid(1, act)).toEqual({ problem: "it was undone already" });
  expect(third.store.voiding.isUnderWay()).toBe(false);
  expectAgreement(third);
  expect(contentOf(third.db).readings.length).toBeGreaterThanOrEqual(all.readings.length);
});
