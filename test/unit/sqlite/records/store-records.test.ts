// The store beside readings: the quarantine,
// contradictions, scored slots and plants.

import { describe, expect, test } from "vitest";
import { SLOT_MS } from "../../../../src/bwts/health.ts";
import type { HealthRecord } from "../../../../src/bwts/health-record.ts";
import type { NewPlant } from "../../../../src/bwts/plant.ts";
import { floorTo } from "../../../../src/ground/clock.ts";
import { savePlant } from "../../../../src/sqlite/records/plants.ts";
import { quarantineFill } from "../../../../src/sqlite/records/quarantine.ts";
import { contentOf, rigsOfTests, temporaryFolder } from "../../../rig/database.ts";
import { AT, AT_MS, messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";
import { dueOf, saveFound } from "../../../rig/derive.ts";

const rigOf = rigsOfTests();
const ACT = { actor: "chief", address: "192.168.4.20", at_ms: RECEIVED_MS };

describe("quarantine", () => {
  test("has one entry a message, and the rest of the message is stored", () => {
    const { db, store } = rigOf();
    const members = { timestamp: AT, A: 1, UVR_INTENSITY: "x", SYS_PRESSURE: "y", nested: {} };
    const message = messageOf("telemetry", members);
    expect(store.commit([message])).toMatchObject({ readings: 1, quarantined: 1 });
    const { quarantine, readings } = contentOf(db);
    expect(readings[0]?.fields.A).toBe(1);
    expect(quarantine).toMatchObject([
      {
        topic: "bwts/BWTS-001/telemetry",
        reason: "bad_value",
        payload: Buffer.from(message.payload),
        payload_bytes: message.payload.length,
        first_received_ms: RECEIVED_MS,
        clock_trusted: 1,
        count: 1,
      },
    ]);
    expect(quarantine[0]?.detail).toMatch(/UVR_INTENSITY: .*; SYS_PRESSURE: .*; nested: /);
  });

  test("beyond 100,000 entries counts by reason, so that its rows have an end", () => {
    const { db, store } = rigOf({ quarantine_max_bytes: 1000 });
    const LOT = 500;
    for (let from = 0; from < 100_000; from += LOT)
      store.commit(Array.from({ length: LOT }, (_, at) => messageOf("a", `not JSON ${from + at}`)));
    const before = db.pragma("page_count", { simple: true });
    const long = "x".repeat(60_000);
    for (let number = 0; number < 10; number += 1)
      store.commit([
        messageOf(`${long}${number}`, `${number}`),
        messageOf("telemetry", `not JSON ${number}`),
        messageOf("a", "not JSON 7"),
      ]);
    const [bad, unknown, last] = contentOf(db).quarantine;
    expect(bad).toMatchObject({ topic: "", reason: "bad_json", count: 10, payload: null });
    expect(unknown).toMatchObject({ topic: "", reason: "unknown_topic", count: 10 });
    expect(last).toMatchObject({ id: 100_000, count: 1 });
    expect(quarantineFill(db)).toMatchObject({ entries: 100_002, counted_only: 20 });
    expect(Number(db.pragma("page_count", { simple: true }))).toBeLessThan(Number(before) + 10);
  });

  test("a long detail weighs like payload", () => {
    const { db, store } = rigOf({ quarantine_max_bytes: 3000 });
    const members = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`T${at}`, {}]));
    for (let number = 0; number < 3; number += 1)
      store.commit([messageOf("telemetry", { ...members, number })]);
    const entries = contentOf(db).quarantine;
    expect(entries.map(({ payload }) => payload !== null)).toEqual([false, false, true]);
    const { bytes } = quarantineFill(db);
    expect(bytes).toBe((entries[2].payload?.length ?? 0) + entries[2].detail.length - 256);
  });

  test("a long topic weighs like payload, and is cut when there is no room for it", () => {
    const { db, store } = rigOf({ quarantine_max_bytes: 1000 });
    const topic = `t${"o".repeat(900)}`;
    store.commit([messageOf(topic, "one"), messageOf(topic, "other")]);
    const [cut, whole] = contentOf(db).quarantine;
    expect(whole).toMatchObject({ payload: Buffer.from("one") });
    expect(whole?.topic).toContain(topic);
    expect(cut).toMatchObject({ payload: null, payload_bytes: 5 });
    expect(cut?.topic).toHaveLength(256);
  });

  test("counts the same again, across batches and restarts", () => {
    const { dir, store, close } = rigOf();
    const bad = messageOf("telemetry", "not JSON");
    store.commit([bad, bad]);
    close();
    const { db, store: restarted } = rigOf({}, dir);
    restarted.commit([
      { ...bad, received_ms: RECEIVED_MS + 9 },
      messageOf("lamps", "not JSON"),
      messageOf("telemetry", "not JSON either"),
    ]);
    const { quarantine } = contentOf(db);
    expect(quarantine.map(({ count }) => count)).toEqual([1, 1, 3]);
    expect(quarantine[2]).toMatchObject({
      first_received_ms: RECEIVED_MS,
      last_received_ms: RECEIVED_MS + 9,
    });
  });

  test("beyond its size keeps no payloads, but every message leaves its trace", () => {
    const { dir, store, close } = rigOf({ quarantine_max_bytes: 25 });
    store.commit([messageOf("a", "0123456789"), messageOf("b", "0123456789")]);
    close();
    const { db, store: restarted } = rigOf({ quarantine_max_bytes: 25 }, dir);
    restarted.commit([messageOf("c", "0123456789"), messageOf("d", "01234")]);
    restarted.commit([messageOf("c", "0123456789")]);
    const entries = contentOf(db).quarantine.map(({ payload, payload_bytes, count }) => [
      payload?.length ?? null,
      payload_bytes,
      count,
    ]);
    expect(entries.reverse()).toEqual([
      [10, 10, 1],
      [10, 10, 1],
      [null, 10, 2],
      [5, 5, 1],
    ]);
  });

  test.each<[string, object, string, object]>([
    ["a conflict", { A: 9, B: 2, C: 3, D: 4 }, "conflict", { A: 1, B: 2, C: 3, D: 4 }],
    ["a clock that repeats", { A: 9, D: 4 }, "clock_repeat", { A: 1, B: 2, C: 3 }],
  ])("has %s, and what was stored stays", (_what, second, reason, fields) => {
    const { db, store } = rigOf();
    store.commit([messageOf("telemetry", { timestamp: AT, A: 1, B: 2, C: 3 })]);
    const result = store.commit([messageOf("telemetry", { timestamp: AT, ...second })]);
    expect(result).toMatchObject({ readings: 0, quarantined: 1 });
    const { quarantine, readings } = contentOf(db);
    expect(quarantine).toMatchObject([{ reason, detail: `${AT}: A: got 9, stored 1` }]);
    expect(readings[0]?.fields).toEqual({ ...fields, month: 5, system_id: "BWTS-001" });
  });

  test("has a prediction and a health record that differ from the stored record", () => {
    const { db, store } = rigOf();
    const health = { timestamp: AT, overall_score: 81 };
    const prediction = { timestamp: AT, component_id: "LAMP_07", predictions: { x: 1 } };
    store.commit([messageOf("health", health), messageOf("predictions", prediction)]);
    const before = contentOf(db);
    store.commit([
      messageOf("health", { ...health, overall_score: 82 }),
      messageOf("predictions", { ...prediction, predictions: { x: 2 } }),
    ]);
    const { quarantine, ...after } = contentOf(db);
    expect({ ...after, quarantine: [] }).toEqual(before);
    expect(quarantine.map(({ reason, detail }) => `${reason}: ${detail}`).reverse()).toEqual([
      `conflict: health at ${AT}: overall_score differ from the stored record`,
      `conflict: prediction for LAMP_07 at ${AT} differs from the stored one`,
    ]);
  });
});

describe("scored slots", () => {
  const start_ms = floorTo(AT_MS, SLOT_MS);
  const components = {
    uv_health: 90.25,
    lamp_health: null,
    power_efficiency: 100,
    thermal_health: 0,
  };
  const record: HealthRecord = {
    at_ms: start_ms,
    source: "ballastd",
    overall_score: 91.5,
    risk_level: "LOW",
    month: 5,
    components,
  };

  const EVER_MS = Number.MAX_SAFE_INTEGER;
  const found = [{ start_ms, record }];
  const made = { done: [start_ms], damaged: [], count: 1, isMore: false, problem: null };

  test("are due again when a reading of theirs changes, also while they are scored", () => {
    const rig = rigOf();
    const { db, store } = rig;
    const commit = (members: object) => {
      store.commit([messageOf("telemetry", { timestamp: AT, ...members })]);
    };
    commit({ A: 1 });
    const { starts, ...first } = store.takeDue("health", EVER_MS);
    expect(starts).toEqual([start_ms]);
    commit({ A: 1 });
    store.saveMade({ ...first, ...made, found }, 0);
    expect(dueOf(rig, "health")).toEqual([]);
    commit({ B: 1 });
    const { starts: again, ...second } = store.takeDue("health", EVER_MS);
    expect(again).toEqual([start_ms]);
    commit({ C: 1 });
    store.saveMade({ ...second, ...made, found }, 0);
    const { starts: third, ...last } = store.takeDue("health", EVER_MS);
    expect(third).toEqual([start_ms]);
    const scored = { ...record, overall_score: 50, risk_level: "HIGH" };
    store.saveMade({ ...last, ...made, found: [{ start_ms, record: scored }] }, 0);
    expect(dueOf(rig, "health")).toEqual([]);
    // A result that comes after its slots were taken again is nothing new.
    store.saveMade({ ...last, ...made, found }, 0);
    expect(contentOf(db).health).toEqual([scored]);
    expect(db.prepare("select overall_score, uv_health from health").all()).toEqual([
      { overall_score: 50, uv_health: 90.25 },
    ]);
  });

  test("are due at the next start if they weren't saved, were damaged, or are the newest", () => {
    const dir = temporaryFolder();
    const [first, later] = [start_ms - 2 * SLOT_MS, start_ms - SLOT_MS];
    const before = rigOf({}, dir);
    for (const timestamp of [first, later])
      before.store.commit([messageOf("telemetry", { timestamp, A: 1 })]);
    const { starts, ...due } = before.store.takeDue("health", EVER_MS);
    expect(starts).toEqual([first, later]);
    before.store.saveMade({ ...due, ...made, found: [], done: [later], damaged: [first] }, 0);
    expect(dueOf(before, "health")).toEqual([]);
    const after = rigOf({}, dir);
    expect(dueOf(after, "health")).toEqual([first, later]);
    saveFound(after, "health", []);
    after.store.commit([messageOf("telemetry", { timestamp: start_ms, A: 1 })]);
    expect(dueOf(rigOf({}, dir), "health")).toEqual([start_ms]);
  });

  test("that a void hides are forgotten at once, and scored again", () => {
    const rig = rigOf();
    rig.store.commit([messageOf("telemetry", { timestamp: AT, A: 1 })]);
    saveFound(rig, "health", found);
    const range = { start_ms: AT_MS, end_ms: AT_MS };
    expect(rig.store.addVoid({ ...range, reason: "calibration" }, ACT)).toHaveProperty("id");
    expect(contentOf(rig.db).health).toEqual([]);
    expect(dueOf(rig, "health")).toEqual([start_ms]);
  });

  test("in which no water was treated have no record, and received ones are left alone", () => {
    const rig = rigOf();
    const { db, store } = rig;
    const timestamp = new Date(start_ms).toISOString();
    store.commit([messageOf("health", { timestamp, overall_score: 81 })]);
    saveFound(rig, "health", found);
    expect(contentOf(db).health).toHaveLength(2);
    saveFound(rig, "health", [{ start_ms, record: null }]);
    expect(contentOf(db).health).toMatchObject([{ source: "mqtt", overall_score: 81 }]);
  });
});

test("a plant is stored once, the same again is the same, another content is different", () => {
  const { db, store } = rigOf();
  const save = (plant: NewPlant) =>
    store.audited((append) => savePlant(db, append, { plant, act: ACT }));
  const plant = { id: 2n ** 63n - 1n, name: "A", tag: null };
  expect(save(plant)).toBe("stored");
  expect(save({ ...plant, id: plant.id - 1n })).toBe("stored");
  expect(save(plant)).toBe("same");
  expect(save({ ...plant, tag: "" })).toBe("different");
  expect(save({ ...plant, name: "a" })).toBe("different");
});
