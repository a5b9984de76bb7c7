// The store on a real database: a batch is written whole or not at all, in any order it comes to
// the same, and buckets agree with the readings at every commit.

import { statSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Message } from "../../../src/bwts/message.ts";
import { LAMP_NUMBERS } from "../../../src/bwts/tags.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, printTime } from "../../../src/ground/clock.ts";
import { codeOf } from "../../../src/ground/errors.ts";
import { databaseFile, openReader } from "../../../src/sqlite/file/open.ts";
import { readingsIn } from "../../../src/sqlite/sealed/timeline.ts";
import { contentOf, type Rig, recomputed, rigsOfTests } from "../../rig/database.ts";
import { AT, AT_MS, messageOf, RECEIVED_MS } from "../../rig/decoding.ts";

const rigOf = rigsOfTests();

/** A reading `minutes` before AT. */
const telemetry = (minutes: number, members: object, given: Partial<Message> = {}) =>
  messageOf("telemetry", { timestamp: printTime(AT_MS - minutes * MINUTE_MS), ...members }, given);

const nothing = { aside: [], readings: 0, quarantined: 0, repeated: 0, events: 0, newest_ms: null };

describe("a batch", () => {
  test("of a system message and sixteen lamp messages is one reading", () => {
    const { db, store } = rigOf();
    const lamps = LAMP_NUMBERS.map((lamp, index) =>
      messageOf(`lamps/${lamp}`, { timestamp: AT, efficiency: 80 + index, status: "OK" }),
    );
    const result = store.commit([telemetry(0, { UVR_INTENSITY: 600 }), ...lamps]);
    expect(result).toEqual({
      ...{ ...nothing, readings: 1, newest_ms: AT_MS, clock_trusted: true, tellsPlant: true },
    });
    const { readings, hours, days } = contentOf(db);
    expect(readings).toHaveLength(1);
    expect(readings[0]?.fields).toMatchObject({ AVG_LAMP_EFFICIENCY: 87.5, FAILED_LAMP_COUNT: 0 });
    expect({ hours, days }).toEqual(recomputed(db));
  });

  test("of changes within one second without a time keeps each, and the last state stands", () => {
    const { db, store } = rigOf();
    const states = [true, false, true, false];
    const batch = states.map((state, index) =>
      messageOf("telemetry", { LDC_WATER_ALARM: state }, { packet_id: index }),
    );
    const other = messageOf("telemetry", { SYS_PRESSURE: 2.5 }, { packet_id: 9 });
    expect(store.commit([...batch, other])).toMatchObject({ readings: 4, quarantined: 0 });
    const { readings, quarantine } = contentOf(db);
    expect(readings.map(({ fields }) => fields.LDC_WATER_ALARM)).toEqual(states);
    expect(readings[0]?.fields.SYS_PRESSURE).toBe(2.5);
    expect(quarantine).toEqual([]);
  });

  test("again changes nothing, whenever and in however many batches it comes", () => {
    const { db, store } = rigOf();
    const event = { timestamp: AT, event_type: "PROCESS_START", data: { b: 1, a: [1, { z: 2 }] } };
    const health = { timestamp: AT, overall_score: 81.5, componentsUvHealth: 90 };
    const prediction = { timestamp: AT, component_id: "LAMP_07", predictions: { x: 1, y: 2 } };
    const batch = [
      telemetry(0, { UVR_INTENSITY: 600, tank: "2P" }),
      telemetry(90, { UVR_INTENSITY: 601 }),
      messageOf("events", event),
      messageOf("health", health),
      messageOf("predictions", prediction),
    ];
    expect(store.commit(batch)).toMatchObject({ readings: 2, events: 1, quarantined: 0 });
    const before = contentOf(db);
    const again = [
      ...batch,
      messageOf("events", { ...event, data: { a: [1, { z: 2 }], b: 1 } }),
      messageOf("predictions", { ...prediction, predictions: { y: 2, x: 1 } }),
    ].map((message) => ({ ...message, received_ms: RECEIVED_MS + HOUR_MS, dup: true }));
    for (const message of again) expect(store.commit([message])).toMatchObject(nothing);
    expect(contentOf(db)).toEqual(before);
  });

  test("in any order and cut anywhere comes to the same, buckets made again from raw", () => {
    const minutes = fc.constantFrom(0, 1, 2, 61, 119, 120, 1439, 1440, 3000);
    const member = fc.constantFrom("UVR_INTENSITY", "FAILED_LAMP_COUNT", "LAMP_02_RUNTIME", "tank");
    const parts = fc.uniqueArray(fc.tuple(minutes, member), {
      selector: String,
      minLength: 1,
      maxLength: 20,
    });
    const orders = parts.chain((all) =>
      fc.record({
        all: fc.constant(all),
        order: fc.shuffledSubarray(all, { minLength: all.length }),
        size: fc.integer({ min: 1, max: 7 }),
      }),
    );
    fc.assert(
      fc.property(orders, ({ all, order, size }) => {
        const toMessage = ([at, name]: readonly [number, string]) =>
          telemetry(at, { [name]: at + name.length });
        const [one, other] = [rigOf(), rigOf()];
        one.store.commit(all.map(toMessage));
        for (let from = 0; from < order.length; from += size) {
          other.store.commit(order.slice(from, from + size).map(toMessage));
          const { hours, days } = contentOf(other.db);
          expect({ hours, days }).toEqual(recomputed(other.db));
        }
        expect(contentOf(other.db)).toEqual(contentOf(one.db));
      }),
      { seed: 71, numRuns: 25 },
    );
  });

  test("with a message on which decoding fails stores the others, and sets that one aside", () => {
    const rulesFor = (topic: string) => {
      if (topic.endsWith("lamps")) throw new TypeError("a fault of ours");
      return null;
    };
    const plain = { topic: null, factor: null, offset: null, comma: null, values: null };
    const rule = { tag: "A", field: "A", ...plain, quality: null, good: null };
    const rules = [{ ...rule, index: null, where: "map.rule 1" }];
    const { db, store } = rigOf({ map: { rules, filters: [], rulesFor } });
    const batch = [telemetry(0, { A: 1 }), messageOf("lamps", {}), telemetry(1, { A: 1 })];
    expect(store.commit(batch)).toMatchObject({ readings: 2, quarantined: 1 });
    expect(contentOf(db).quarantine).toMatchObject([
      { reason: "bad_value", detail: "decoding failed: a fault of ours" },
    ]);
  });

  test("that the disk has no room for leaves nothing, and is stored when there is", () => {
    const { db, store } = rigOf({ quarantine_max_bytes: 100_000 });
    const batch = Array.from({ length: 300 }, (_, minutes) =>
      telemetry(minutes, { UVR_INTENSITY: minutes, note: "x".repeat(500), bad: {} }),
    );
    store.commit(batch.slice(0, 3));
    const before = contentOf(db);
    const pages = db.pragma("page_count", { simple: true });
    db.pragma(`max_page_count = ${Number(pages) + 5}`);
    const timeless = messageOf("telemetry", { A: 1 }, { dup: true });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const commit = () => store.commit([timeless, ...batch]);
      expect(commit).toThrow(expect.objectContaining({ code: "SQLITE_FULL" }));
      expect(contentOf(db)).toEqual(before);
    }
    db.pragma("max_page_count = 1000000");
    // Three were there; the one without a time was never stored, so it isn't a repetition.
    expect(store.commit([timeless, ...batch])).toMatchObject({ readings: 298, repeated: 0 });
    const { hours, days, quarantine } = contentOf(db);
    expect({ hours, days }).toEqual(recomputed(db));
    const kept = quarantine.reduce((bytes, { payload }) => bytes + (payload?.length ?? 0), 0);
    expect(kept).toBeGreaterThan(99_000);
    expect(kept).toBeLessThanOrEqual(100_000);
  });

  test("that fails inside SQLite says with which code", () => {
    const { db, store } = rigOf();
    db.pragma("query_only = on");
    try {
      store.commit([telemetry(0, { A: 1 })]);
      expect.unreachable("a commit on a read-only connection");
    } catch (error) {
      expect(codeOf(error)).toBe("SQLITE_READONLY");
    }
  });
});

describe("a message without a time", () => {
  const timeless = (given: Partial<Message>) => messageOf("telemetry", { A: 1 }, given);

  const later = { received_ms: RECEIVED_MS + MINUTE_MS };

  test.each<[string, Partial<Message>, number]>([
    ["again with DUP", { dup: true }, 1],
    [
      "again with DUP, by a clock that was set",
      { received_ms: AT_MS - 365 * DAY_MS, dup: true },
      1,
    ],
    ["again without DUP", later, 2],
    ["with DUP and another packet id", { ...later, dup: true, packet_id: 8 }, 2],
    ["with DUP of another client", { ...later, dup: true, client: "plc2" }, 2],
    ["with DUP and another content", { ...later, dup: true, payload: Buffer.from("{}") }, 2],
    ["with DUP on another topic", { ...later, dup: true, topic: "bwts/BWTS-001/lamps" }, 2],
    ["with DUP and no packet id", { ...later, dup: true, packet_id: null }, 2],
  ])("%s makes with its first delivery %3$d readings", (_what, given, count) => {
    const { dir, store, close } = rigOf();
    store.commit([timeless({})]);
    close();
    const { db, store: restarted } = rigOf({}, dir);
    const { repeated } = restarted.commit([timeless(given)]);
    expect(contentOf(db).readings).toHaveLength(count);
    expect(repeated).toBe(2 - count);
  });

  test("is forgotten ten minutes later, by a clock that nobody can set", () => {
    let minutes = 0;
    const clocks = { now_ms: () => RECEIVED_MS, steady_ms: () => minutes * MINUTE_MS };
    const { db, store } = rigOf({ clocks });
    const many = Array.from({ length: 4500 }, (_, packet_id) => timeless({ packet_id }));
    const left = () =>
      db.prepare<[], { count: number }>("select count(*) as count from receipt").get();
    store.commit(many);
    const again = [timeless({ packet_id: 1, dup: true })];
    minutes = 10;
    expect(store.commit(again)).toMatchObject({ repeated: 1 });
    minutes = 11;
    expect(store.commit(again)).toMatchObject({ repeated: 0 });
    // A part of them with each batch, however many there are.
    expect(left()?.count).toBeGreaterThan(2000);
    for (let batch = 0; batch < 3; batch += 1) store.commit([]);
    expect(left()?.count).toBe(1);
  });
});

describe("the clock", () => {
  const trusted = (rig: Rig) =>
    [...readingsIn(rig.db, { start_ms: 0, end_ms: AT_MS + HOUR_MS })].map((reading) => [
      reading.received_ms - RECEIVED_MS,
      reading.clock_trusted,
    ]);

  test("isn't trusted before the build, nor before the newest receipt on disk", () => {
    const rig = rigOf({ built_ms: RECEIVED_MS });
    const received = [-1, 0, 60_000, 59_999].map((after_ms) => RECEIVED_MS + after_ms);
    const batch = received.map((received_ms, index) =>
      telemetry(9 - index, { A: 1 }, { received_ms }),
    );
    expect(rig.store.commit(batch).clock_trusted).toBe(false);
    expect(trusted(rig)).toEqual([
      [-1, false],
      [0, true],
      [60_000, true],
      [59_999, false],
    ]);
    rig.close();
    const restarted = rigOf({ built_ms: RECEIVED_MS }, rig.dir);
    restarted.store.commit([telemetry(0, { A: 1 }, { received_ms: RECEIVED_MS })]);
    expect(trusted(restarted).at(-1)).toEqual([0, false]);
  });

  test("keeps the receipt of the first message of a reading", () => {
    const rig = rigOf({ built_ms: RECEIVED_MS });
    rig.store.commit([telemetry(0, { A: 1 }, { received_ms: RECEIVED_MS - 5 })]);
    rig.store.commit([telemetry(0, { B: 1 })]);
    expect(trusted(rig)).toEqual([[-5, false]]);
  });
});

test("a log that somebody reads is emptied without waiting for him", () => {
  const { db, dir, store } = rigOf();
  store.commit([telemetry(0, { A: 1 })]);
  const reader = openReader(databaseFile(dir));
  reader.exec("begin");
  reader.prepare("select count(*) from reading").get();
  store.commit([telemetry(1, { A: 1 })]);
  // It waits at most this long, in ms, for whoever holds a lock; SQLite's own default is 5 s.
  expect(db.pragma("busy_timeout", { simple: true })).toBe(100);
  store.tidy();
  reader.close();
  store.tidy();
  expect(statSync(`${databaseFile(dir)}-wal`).size).toBe(0);
  expect(contentOf(db).readings).toHaveLength(2);
});
