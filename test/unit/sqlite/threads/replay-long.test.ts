// A long quarantine entry taken in again, step by step: between two steps messages are committed,
// and what was begun before the process ended is finished by the next replay.

import { expect, test } from "vitest";
import { BY_SELF } from "../../../../src/bwts/audit.ts";
import { DAY_MS, SECOND_MS } from "../../../../src/ground/clock.ts";
import { listQuarantine } from "../../../../src/sqlite/records/quarantine.ts";
import type { Store } from "../../../../src/sqlite/threads/store.ts";
import { contentOf, recomputed, rigsOfTests } from "../../../rig/database.ts";
import { messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";

const rigOf = rigsOfTests();
const act = { ...BY_SELF, at_ms: RECEIVED_MS };
const COUNT = 18_000;
const START_MS = RECEIVED_MS - DAY_MS;
const asked = {
  ids: null,
  reason: null,
  received: { start_ms: 0, end_ms: 253_402_300_799_999 },
  shift_ms: 0,
  after_id: 0,
};

function longEntry(store: Store): void {
  const readings = Array.from({ length: COUNT }, (_, index) => ({
    timestamp: START_MS + index * SECOND_MS,
    UVR_INTENSITY: index % 900,
  }));
  store.setAside(messageOf("telemetry", readings), new Error("a fault"));
}

test("a long entry is taken in by short steps, between which messages are stored", () => {
  const { store, db } = rigOf();
  longEntry(store);
  let step = store.replay(asked, act);
  let steps = 1;
  while (step.progress !== null) {
    expect(step.entries).toEqual([]);
    store.commit([messageOf("telemetry", { timestamp: RECEIVED_MS + steps, UVR_INTENSITY: 1 })]);
    expect(contentOf(db)).toMatchObject(recomputed(db));
    step = store.replay(asked, act, step.progress);
    steps += 1;
  }
  expect(steps).toBeGreaterThan(2);
  expect(step.entries).toMatchObject([{ stored: COUNT, left: null, detail: "" }]);
  expect(contentOf(db).readings).toHaveLength(COUNT + steps - 1);
  expect(store.replay(asked, act)).toMatchObject({ entries: [], progress: null });
});

test("what was begun when the process ended waits as unfinished, and is finished", () => {
  const first = rigOf();
  longEntry(first.store);
  first.store.replay(asked, act, first.store.replay(asked, act).progress);
  const begun = contentOf(first.db).readings.length;
  expect(begun).toBeLessThan(COUNT);
  first.db.close();
  const { store, db } = rigOf({}, first.dir);
  expect(listQuarantine(db, 10)).toMatchObject([{ left_reason: "unfinished", stored: begun }]);
  let step = store.replay(asked, act);
  while (step.progress !== null) step = store.replay(asked, act, step.progress);
  expect(step.entries).toMatchObject([{ stored: COUNT - begun, left: null }]);
  expect(contentOf(db).readings).toHaveLength(COUNT);
});
