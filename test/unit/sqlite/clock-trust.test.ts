// Wrong clocks must not make readings expire, nor keep the
// box's clock untrusted for years.

import { afterEach, expect, test } from "vitest";
import { BY_SELF } from "../../../src/bwts/audit.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/ground/clock.ts";
import { verifyChains } from "../../../src/sqlite/care/verify.ts";
import { rawFrom } from "../../../src/sqlite/sealed/timeline.ts";
import { ClockWorld } from "../../rig/clock-world.ts";
import { removeFolders } from "../../rig/database.ts";

const TRUE_MS = Date.UTC(2026, 4, 1);
const BUILT_MS = Date.UTC(2025, 0, 1);
const year = (number: number) => Date.UTC(number, 0, 1);

const worlds: ClockWorld[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.close();
  removeFolders();
});

/** A ship that ran for a month, with a year of readings from before. */
function openWorld(): ClockWorld {
  const world = new ClockWorld(TRUE_MS - 360 * DAY_MS, BUILT_MS);
  worlds.push(world);
  for (let day = 0; day < 340; day += 5) {
    world.pass(5 * DAY_MS);
    world.send();
  }
  for (let night = 0; night < 3; night += 1) world.night();
  return world;
}

test("a reading dated far ahead, stored without a trusted clock, makes nothing expire", () => {
  const world = openWorld();
  world.restart();
  world.set("box_ms", year(1970));
  world.set("plc_ms", year(2062));
  world.pass(MINUTE_MS);
  expect(world.send()).toBe(true);
  for (let night = 0; night < 5; night += 1) expect(world.night(12)).toBeNull();
  world.set("box_ms", null);
  world.set("plc_ms", null);
  for (let night = 0; night < 24; night += 1)
    expect(world.night(12)).toEqual({ kept: expect.stringContaining("2062-") });
  expect(rawFrom(world.db)).toBe(0);
  // Once it is hidden, what is due expires.
  const [start_ms, end_ms] = [year(2062), year(2062) + 20 * DAY_MS];
  const act = { ...BY_SELF, at_ms: world.now_ms };
  expect(world.store.addVoid({ start_ms, end_ms, reason: "dated ahead" }, act)).toMatchObject({
    id: 1,
  });
  expect(world.night(12)).toMatchObject({ segments: expect.any(Number) });
  expect(rawFrom(world.db)).toBeLessThanOrEqual(world.true_ms - 365 * DAY_MS);
});

test("both clocks years ahead for two months make nothing expire that wouldn't have", () => {
  const world = openWorld();
  world.set("box_ms", year(2062));
  world.set("plc_ms", year(2062));
  for (let night = 0; night < 60; night += 1) {
    world.night(12);
    expect(rawFrom(world.db)).toBeLessThanOrEqual(world.true_ms - 365 * DAY_MS);
  }
  expect(rawFrom(world.db)).toBeGreaterThan(0);
});

test("a message received with the box in 2036 costs ten minutes of trust, not ten years", () => {
  const world = openWorld();
  world.set("box_ms", year(2036));
  world.pass(MINUTE_MS);
  world.send();
  while (world.store.sealOld(world.now_ms + DAY_MS));
  world.set("box_ms", null);
  world.restart();
  world.pass(MINUTE_MS);
  expect(world.store.clockState().problem).toMatch(/earlier than the newest receipt \(2036-/);
  for (let minute = 0; minute < 10; minute += 1) world.pass(MINUTE_MS);
  expect(world.store.clockState().problem).toBeNull();
  world.restart();
  expect(world.store.trustsClock(world.now_ms)).toBe(true);
  expect(verifyChains(world.db, () => {}).problem).toBeNull();
  // Receipts after it count as ever.
  world.send();
  expect(world.store.trustsClock(world.now_ms - HOUR_MS)).toBe(false);
});

test("on a new ship it is the PLC's clock that vouches, or a person", () => {
  for (const vouching of ["plc", "person"] as const) {
    const world = new ClockWorld(TRUE_MS, BUILT_MS, year(2036) - TRUE_MS);
    worlds.push(world);
    for (let minute = 0; minute < 5; minute += 1) {
      world.pass(MINUTE_MS);
      world.send();
    }
    world.set("box_ms", null);
    world.plc_ms = 5 * HOUR_MS;
    for (let minute = 0; minute < 30; minute += 1) {
      world.pass(MINUTE_MS);
      if (vouching === "plc") world.send();
    }
    const { problem } = world.store.clockState();
    if (vouching === "plc") expect(problem).toBeNull();
    else {
      expect(problem).toMatch(/2036/);
      const act = { ...BY_SELF, at_ms: world.now_ms };
      expect(world.store.disownReceipts(act, "box at 2036")).toMatchObject({
        to: expect.stringMatching(/^2036-/),
      });
      expect(world.store.clockState().problem).toBeNull();
      expect(world.store.disownReceipts(act, "again")).toHaveProperty("problem");
    }
  }
});

test("what was received with the box years ahead is sealed all the same", () => {
  const world = new ClockWorld(TRUE_MS, BUILT_MS, year(2062) - TRUE_MS);
  worlds.push(world);
  world.pass(MINUTE_MS);
  world.send();
  world.set("box_ms", null);
  world.pass(2 * DAY_MS);
  world.store.sealOld(world.now_ms);
  expect(verifyChains(world.db, () => {})).toMatchObject({ segments: 1, problem: null });
});
