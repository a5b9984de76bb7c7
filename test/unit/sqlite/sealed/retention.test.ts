// Retention counts back from the newest stored reading, cuts a month a run at the most, and leaves
// the chain verifiable, the buckets whole and the answers without what has expired.

import { afterEach, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../../src/ground/clock.ts";
import { verifyChains } from "../../../../src/sqlite/care/verify.ts";
import { countedPieces } from "../../../../src/sqlite/sealed/counts.ts";
import { monthsBefore } from "../../../../src/sqlite/sealed/retention.ts";
import { contentOf, openRig, removeFolders } from "../../../rig/database.ts";
import { AT_MS, messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";
import { sized } from "../../../rig/scale.ts";
import { storedReadings } from "../../../rig/sealing.ts";
import { ended } from "../../../rig/whole-store.ts";

/** It expires day by day from there. */
const MISDATED_MS = Date.UTC(sized(2020, 2000), 0, 1);

afterEach(removeFolders);

test.each([
  ["2026-05-31T12:00:00Z", 24, "2024-05-31"],
  ["2026-03-31T00:00:00Z", 1, "2026-02-28"],
  ["2024-03-31T23:59:59Z", 1, "2024-02-29"],
  ["2026-01-15T00:00:00Z", 25, "2023-12-15"],
])("%s less %i months is %s", (at, months, expected) => {
  const found = new Date(monthsBefore(Date.parse(at), months)).toISOString();
  expect(found).toBe(`${expected}T00:00:00.000Z`);
});

test("raw readings expire a month a run, and nothing else does", () => {
  const rig = openRig();
  const { db, store } = rig;
  const readingAt = (at_ms: number) =>
    messageOf("telemetry", { timestamp: at_ms, SYS_PRESSURE: 4 });
  const days = [900, 880, 850, 700, 10, 0];
  for (const age of days) {
    store.commit([readingAt(AT_MS - age * DAY_MS)]);
    while (store.sealOld(RECEIVED_MS + DAY_MS));
  }
  const before = contentOf(db);
  const runs: number[] = [];
  for (let run = 0; run < 10; run += 1) if (ended(store.expire(24)) !== null) runs.push(run);
  // 900 days ago to 24 months ago are 170 days: six runs of 31 days.
  expect(runs).toEqual([0, 1, 2, 3, 4, 5]);
  expect(storedReadings(db).map(({ at_ms }) => (AT_MS - at_ms) / DAY_MS)).toEqual([700, 10, 0]);
  const ever = { start_ms: 0, end_ms: AT_MS };
  expect(countedPieces(db, ever).reduce((sum, { count }) => sum + count, 0)).toBe(3);
  const after = contentOf(db);
  expect({ hours: after.hours, days: after.days }).toEqual({
    hours: before.hours,
    days: before.days,
  });
  expect(verifyChains(db, () => {})).toMatchObject({ segments: 6, expired: 3, problem: null });
  // Readings for an expired time aren't acknowledged and thrown away.
  expect(store.commit([readingAt(AT_MS - 800 * DAY_MS + HOUR_MS)]).quarantined).toBe(1);
  expect(contentOf(db).quarantine[0]).toMatchObject({ reason: "expired" });
  rig.close();
});

test("a month expires day by day, and a late reading between two days is stored or refused", () => {
  const rig = openRig();
  const { db, store } = rig;
  const send = (at_ms: number) =>
    store.commit([messageOf("telemetry", { timestamp: at_ms, SYS_PRESSURE: 4 })]).quarantined;
  const seal = () => {
    while (store.sealOld(RECEIVED_MS + DAY_MS));
  };
  const old = Array.from({ length: 40 }, (_, day) => AT_MS - (800 - day) * DAY_MS);
  for (const at_ms of [...old, AT_MS]) {
    send(at_ms);
    seal();
  }
  const left = () => storedReadings(db).length;
  const steps = store.expire(24);
  for (let day = 1; day <= 10; day += 1) {
    expect(steps.next().done).toBe(false);
    expect(left()).toBe(old.length + 1 - day);
  }
  expect(send(old[5])).toBe(1);
  // The next days are cut when it is sealed.
  expect(send(old[15] + HOUR_MS)).toBe(0);
  const { segments } = verifyChains(db, () => {});
  expect(ended(steps)).toMatchObject({ segments: 15 });
  expect(left()).toBe(old.length + 2 - 15);
  seal();
  const day_ms = old[15] - (old[15] % DAY_MS);
  expect(contentOf(db).days.find(({ start_ms }) => start_ms === day_ms)).toMatchObject({
    count: 2,
  });
  expect(ended(store.expire(24))).not.toBeNull();
  expect(verifyChains(db, () => {})).toMatchObject({ segments: segments + 1, problem: null });
  rig.close();
});

test("a database within its retention loses nothing", () => {
  const rig = openRig();
  rig.store.commit([messageOf("telemetry", { timestamp: AT_MS, A: 1 })]);
  while (rig.store.sealOld(RECEIVED_MS + DAY_MS));
  expect(ended(rig.store.expire(24))).toBeNull();
  rig.close();
});

test("hours of a late reading that is still hot are not cut before it is sealed", () => {
  const rig = openRig();
  const { db, store } = rig;
  const old_ms = AT_MS - 900 * DAY_MS;
  const commit = (at_ms: number) =>
    store.commit([messageOf("telemetry", { timestamp: at_ms, SYS_PRESSURE: 4 })]);
  commit(old_ms);
  commit(AT_MS);
  while (store.sealOld(RECEIVED_MS + DAY_MS));
  commit(old_ms - HOUR_MS / 60);
  const before = contentOf(db);
  expect(ended(store.expire(24))).toBeNull();
  while (store.sealOld(RECEIVED_MS + DAY_MS));
  expect(ended(store.expire(24))).not.toBeNull();
  const after = contentOf(db);
  expect([after.hours, after.days]).toEqual([before.hours, before.days]);
  rig.close();
});

test.each([
  ["stay while the first dated right is kept", 700, 4],
  ["expire with the first dated right", 900, 1],
])("readings that a wrong clock dated long ago %s", (_title, days, left) => {
  const rig = openRig({ built_ms: RECEIVED_MS - 30 * DAY_MS });
  const { db, store } = rig;
  const send = (members: object, received_ms: number) => {
    store.commit([messageOf("telemetry", { ...members, SYS_PRESSURE: 4 }, { received_ms })]);
    while (store.sealOld(RECEIVED_MS + DAY_MS));
  };
  // By receipt: the box's clock was wrong, and the plant gave no time.
  for (const second of [0, 60]) send({}, MISDATED_MS + second * 1000 + 700);
  send({ timestamp: AT_MS - days * DAY_MS }, RECEIVED_MS);
  send({ timestamp: AT_MS }, RECEIVED_MS);
  while (ended(store.expire(24)) !== null);
  expect(storedReadings(db)).toHaveLength(left);
  rig.close();
});
