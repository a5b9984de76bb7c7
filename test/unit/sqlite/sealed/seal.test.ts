// Sealed storage against a model that knows nothing of it: every field of every reading, counts and
// buckets, before and after sealing, in whatever order readings come, and after the file was
// closed.

import { describe, expect, test } from "vitest";
import type { Reading } from "../../../../src/bwts/reading.ts";
import { JsonWriter } from "../../../../src/codec/json-writer.ts";
import {
  encodePlainSegment,
  encodeSegment,
  type SegmentBytes,
} from "../../../../src/codec/segment.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, printTime } from "../../../../src/ground/clock.ts";
import { answer } from "../../../../src/sqlite/answers/queries.ts";
import { verifyChains } from "../../../../src/sqlite/care/verify.ts";
import type { Connection } from "../../../../src/sqlite/file/open.ts";
import type { Interval } from "../../../../src/sqlite/file/query.ts";
import { countedPieces, runsFrom } from "../../../../src/sqlite/sealed/counts.ts";
import { openSealer } from "../../../../src/sqlite/sealed/seal.ts";
import { SEGMENT_READINGS } from "../../../../src/sqlite/sealed/seal-portion.ts";
import { contentOf, recomputed, rigsOfTests } from "../../../rig/database.ts";
import { AT_MS, messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";
import { LAMP_CONFIG } from "../../../rig/fleet.ts";
import { aggregatedJson } from "../../../rig/plain-json.ts";
import { sized } from "../../../rig/scale.ts";
import { fill, Model, randomOf, segmentCount, storedReadings } from "../../../rig/sealing.ts";

const rigOf = rigsOfTests();

/** All hours or days as they are answered. */
function aggregatedOf(db: Connection, interval: Interval): string {
  const out = new JsonWriter();
  const range = { start_ms: null, end_ms: null };
  const steps = answer(
    db,
    { name: "aggregated", interval, range, hours: 1 },
    { out, limits: LAMP_CONFIG },
  );
  for (const _ of steps ?? []);
  return out.written.toString();
}

function rowsOf(buckets: ReturnType<typeof recomputed>["hours"]): string {
  return `[${buckets.map(({ start_ms, ...bucket }) => aggregatedJson(start_ms, bucket)).join()}]`;
}

/** The readings that differ, by place; bit for bit, and with the receipt. */
function differences(found: readonly Reading[], expected: readonly Reading[]): readonly unknown[] {
  const isSame = (one: Reading | undefined, other: Reading | undefined) =>
    one !== undefined &&
    other !== undefined &&
    one.at_ms === other.at_ms &&
    one.received_ms === other.received_ms &&
    one.clock_trusted === other.clock_trusted &&
    one.derived === other.derived &&
    one.values.every((value, index) => Object.is(value, other.values[index])) &&
    one.extra.size === other.extra.size &&
    [...one.extra].every(([name, value]) => Object.is(value, other.extra.get(name)));
  const length = Math.max(found.length, expected.length);
  return Array.from({ length }, (_, place) => place)
    .filter((place) => !isSame(found[place], expected[place]))
    .slice(0, 3)
    .map((place) => ({ found: found[place], expected: expected[place] }));
}

describe("sealed readings", () => {
  const seed = Number(process.env.TEST_SEED ?? 1 + Math.floor(Math.random() * 1e6));

  test(`are what was published, whatever the order it came in (TEST_SEED=${seed})`, () => {
    const rig = rigOf();
    const model = new Model();
    fill(rig, model, { seed, count: sized(2.5, 3) * SEGMENT_READINGS });
    expect(segmentCount(rig.db)).toBeGreaterThan(1);
    expect(differences(storedReadings(rig.db), model.inOrder())).toEqual([]);
    const { hours, days } = contentOf(rig.db);
    expect({ hours, days }).toEqual(recomputed(rig.db));

    while (rig.store.sealOld(RECEIVED_MS + DAY_MS));
    expect(contentOf(rig.db).hot).toBe(0);
    expect(differences(storedReadings(rig.db), model.inOrder())).toEqual([]);
    expect(contentOf(rig.db)).toMatchObject(recomputed(rig.db));
    expect(verifyChains(rig.db, () => {}).problem).toBeNull();

    rig.close();
    const again = rigOf({}, rig.dir);
    expect(differences(storedReadings(again.db), model.inOrder())).toEqual([]);
  });

  test("are summed up anew once later ones change hours that were asked for", () => {
    const rig = rigOf();
    const start_ms = Date.UTC(2025, 0, 2);
    for (const late_ms of [0, 7, 11, 19].map((minutes) => minutes * MINUTE_MS)) {
      const messages = Array.from({ length: 21 * 24 }, (_, hour) => {
        const timestamp = printTime(start_ms + hour * HOUR_MS + late_ms);
        const payload = { timestamp, SYS_FLOW_RATE: hour + late_ms / 7, LAMP_02_RUNTIME: hour };
        return messageOf("telemetry", JSON.stringify(payload), { received_ms: RECEIVED_MS });
      });
      rig.store.commit(messages);
      while (rig.store.sealOld(RECEIVED_MS + DAY_MS));
      const { hours, days } = recomputed(rig.db);
      expect(aggregatedOf(rig.db, "hour")).toBe(rowsOf(hours));
      expect(aggregatedOf(rig.db, "day")).toBe(rowsOf(days));
    }
  });

  test(`are counted and paged exactly in any range (TEST_SEED=${seed})`, () => {
    const rig = rigOf();
    const model = new Model();
    fill(rig, model, { seed, count: sized(1, 2) * SEGMENT_READINGS + 500 });
    const all = model.inOrder();
    const random = randomOf(seed);
    const some = () => all[Math.floor(random() * all.length)].at_ms + Math.round(random() * 9) - 4;
    for (let trial = 0; trial < sized(30, 60); trial += 1) {
      const [start_ms, end_ms] = [some(), some()].sort((one, other) => one - other);
      const inside = all.filter(({ at_ms }) => at_ms >= start_ms && at_ms <= end_ms);
      const pieces = countedPieces(rig.db, { start_ms, end_ms });
      expect(pieces.reduce((sum, { count }) => sum + count, 0)).toBe(inside.length);
      const page = { offset: Math.floor(random() * (inside.length + 2)), limit: 37 };
      const found = [...runsFrom(rig.db, pieces, page)].flatMap(({ block, from, to }) =>
        Array.from({ length: to - from }, (_, place) => block.at_ms(from + place)),
      );
      const expected = inside.slice(page.offset, page.offset + page.limit);
      expect(found).toEqual(expected.map(({ at_ms }) => at_ms));
    }
  });

  test("stay hot until there are enough of them, or until they are a day old", () => {
    const { db, store } = rigOf();
    store.commit([messageOf("telemetry", { timestamp: AT_MS, SYS_PRESSURE: 4 })]);
    while (store.sealOld(RECEIVED_MS + DAY_MS - 1));
    expect(segmentCount(db)).toBe(0);
    while (store.sealOld(RECEIVED_MS + DAY_MS));
    expect(segmentCount(db)).toBe(1);
    expect(storedReadings(db)).toHaveLength(1);
  });

  test("that get further fields later count once, with all of their fields", () => {
    const { db, store } = rigOf();
    const commit = (members: object) =>
      store.commit([messageOf("telemetry", { timestamp: AT_MS, ...members })]);
    commit({ SYS_PRESSURE: 4 });
    while (store.sealOld(RECEIVED_MS + DAY_MS));
    commit({ SYS_FLOW_RATE: 800 });
    const range = { start_ms: AT_MS - HOUR_MS, end_ms: AT_MS + HOUR_MS };
    const total = () => countedPieces(db, range).reduce((sum, { count }) => sum + count, 0);
    expect(total()).toBe(1);
    while (store.sealOld(RECEIVED_MS + DAY_MS));
    expect([segmentCount(db), total(), storedReadings(db).length]).toEqual([2, 1, 1]);
    expect(contentOf(db)).toMatchObject(recomputed(db));
    expect(contentOf(db).readings[0].fields).toMatchObject({ SYS_PRESSURE: 4, SYS_FLOW_RATE: 800 });
    expect(commit({ SYS_PRESSURE: 5 }).quarantined).toBe(1);
  });

  test("survive a sealing that fails half way, and are sealed by the next", () => {
    const { db, store } = rigOf();
    const commit = (minute: number) =>
      store.commit([messageOf("telemetry", { timestamp: AT_MS - minute * MINUTE_MS, A: minute })]);
    commit(1);
    db.exec("create trigger no before insert on bucket begin select raise(abort, 'no'); end");
    expect(() => store.sealOld(RECEIVED_MS + DAY_MS)).toThrow("no");
    expect([segmentCount(db), storedReadings(db).length]).toEqual([0, 1]);
    db.exec("drop trigger no");
    commit(2);
    while (store.sealOld(RECEIVED_MS + DAY_MS));
    expect([segmentCount(db), storedReadings(db).length]).toEqual([1, 2]);
    expect(verifyChains(db, () => {}).problem).toBeNull();
  });
});

describe("a fault of ours in encoding", () => {
  const broken = (): SegmentBytes => {
    throw new Error("broken");
  };
  const wrong = ([first, ...others]: readonly Reading[]) =>
    encodeSegment([{ ...first, received_ms: first.received_ms + 1 }, ...others]);
  const hotRig = () => {
    const { db, store } = rigOf();
    store.commit([
      messageOf("telemetry", { timestamp: AT_MS, SYS_PRESSURE: 4.25, UVR_LEVEL: "OPERATIONAL" }),
      messageOf("telemetry", { timestamp: AT_MS + 1, SYS_PRESSURE: -0, UNKNOWN: [1] }),
    ]);
    const problems: string[] = [];
    return { db, problems, before: storedReadings(db) };
  };

  test.each([
    ["an exception", broken, "a segment can't be made: broken"],
    ["wrong bytes", wrong, "a segment differs from the sealed readings: reading 0: what it says"],
  ])("that shows as %s is got around, and reported", (_, faulty, expected) => {
    const { db, problems, before } = hotRig();
    const sealer = openSealer(db, (problem) => problems.push(problem), [
      faulty,
      encodePlainSegment,
    ]);
    while (sealer.sealOld(RECEIVED_MS + DAY_MS));
    expect(problems).toEqual([expect.stringContaining(expected)]);
    expect([segmentCount(db), contentOf(db).hot]).toEqual([1, 0]);
    expect(differences(storedReadings(db), before)).toEqual([]);
    expect(contentOf(db)).toMatchObject(recomputed(db));
    expect(verifyChains(db, () => {}).problem).toBeNull();
  });

  test("that nothing gets around leaves the readings hot, and doesn't end the writer", () => {
    const { db, problems, before } = hotRig();
    const sealer = openSealer(db, (problem) => problems.push(problem), [broken]);
    while (sealer.sealOld(RECEIVED_MS + DAY_MS));
    while (sealer.sealOld(RECEIVED_MS + DAY_MS));
    expect(sealer.sealFull()).toBe(false);
    expect(problems.at(-1)).toMatch(/^sealing has stopped until the next start: 2 readings/);
    expect(problems).toHaveLength(2);
    expect(segmentCount(db)).toBe(0);
    expect(differences(storedReadings(db), before)).toEqual([]);

    while (openSealer(db, () => {}).sealOld(RECEIVED_MS + DAY_MS));
    expect(segmentCount(db)).toBe(1);
    expect(differences(storedReadings(db), before)).toEqual([]);
  });
});
