// Random histories of a box's and a PLC's clocks: lost batteries, dates years ahead, steps, drift,
// restarts and months in the dark. Whatever they say, no reading that was sent within the retention
// expires, and the box's clock, once it is set right, is trusted again by itself or by one command.
// TEST_HISTORIES runs more of them.

import { afterEach, expect, test } from "vitest";
import { BY_SELF } from "../../../src/bwts/audit.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/ground/clock.ts";
import { monthsBefore } from "../../../src/sqlite/sealed/retention.ts";
import { rawFrom } from "../../../src/sqlite/sealed/timeline.ts";
import { ClockWorld } from "../../rig/clock-world.ts";
import { removeFolders } from "../../rig/database.ts";
import { printedRandom, type Random } from "../../rig/random.ts";
import { sized } from "../../rig/scale.ts";

afterEach(removeFolders);

const HISTORIES = Number(process.env.TEST_HISTORIES ?? sized(2, 10));
const START_MS = Date.UTC(2026, 4, 1);
const MONTHS = 24;
const NIGHTS = 45;
const STEP_MAX_H = 48;
const DATES = [1970, 2036, 2062, 2106].map((year) => Date.UTC(year, 1, 3));

/** Sets one clock or both to a date, or by hours or years. */
function disturb(world: ClockWorld, random: Random): string {
  const date = random.chance(0.7)
    ? random.pick(DATES)
    : world.true_ms + random.between(-STEP_MAX_H, STEP_MAX_H) * HOUR_MS;
  const which = random.pick(["box", "plc", "both"] as const);
  if (which !== "plc") world.set("box_ms", date);
  if (which !== "box") world.set("plc_ms", date);
  return `${which} to ${new Date(date).toISOString()}`;
}

/** A night of the history: what was done to the clocks. */
function happening(world: ClockWorld, random: Random): string {
  const kind = random.next();
  if (kind < 0.12) return disturb(world, random);
  if (kind < 0.2) {
    world.restart(random.pick([MINUTE_MS, DAY_MS, 40 * DAY_MS]));
    return "restarted";
  }
  if (kind < 0.3) {
    world.set("box_ms", null);
    return "box right";
  }
  if (kind < 0.35) {
    world.set("plc_ms", null);
    return "plc right";
  }
  world.plc_ms += random.between(-2000, 2000);
  return "drift";
}

/** Two years of readings, received as they were sent. */
function filled(random: Random): ClockWorld {
  const wrong = random.chance(0.3) ? random.pick(DATES) - START_MS : 0;
  const world = new ClockWorld(START_MS - 700 * DAY_MS, START_MS - 710 * DAY_MS, 0);
  for (let day = 0; day < 700; day += 7) {
    world.pass(7 * DAY_MS - HOUR_MS);
    world.send();
    while (day % 28 === 0 && world.store.sealOld(world.now_ms + DAY_MS));
    world.pass(HOUR_MS);
  }
  world.box_ms = wrong;
  return world;
}

/**
 * Number of expired readings that were really sent within the retention, without the days for which
 * a small step of both clocks is believed.
 */
function lost(world: ClockWorld): number {
  const from_ms = monthsBefore(world.true_ms + STEP_MAX_H * HOUR_MS, MONTHS);
  const raw_from_ms = rawFrom(world.db);
  return [...world.sent].filter(([at_ms, sent_ms]) => sent_ms >= from_ms && at_ms < raw_from_ms)
    .length;
}

/** The way in which the clock came to be trusted at the end. */
function regained(world: ClockWorld): "itself" | "command" | "never" {
  world.set("box_ms", null);
  world.set("plc_ms", null);
  world.night(MONTHS);
  if (world.store.clockState().problem === null) return "itself";
  world.store.disownReceipts({ ...BY_SELF, at_ms: world.now_ms }, "set right");
  return world.store.clockState().problem === null ? "command" : "never";
}

test(`${HISTORIES} histories of clocks cost no reading, and it is trusted in the end`, () => {
  const random = printedRandom("clock histories");
  const ends = { itself: 0, command: 0, never: 0 };
  let expired = 0;
  for (let history = 0; history < HISTORIES; history += 1) {
    const world = filled(random);
    const told: string[] = [];
    for (let night = 0; night < NIGHTS; night += 1) {
      told.push(happening(world, random));
      world.night(MONTHS);
      expect({ lost: lost(world), told }).toEqual({ lost: 0, told });
    }
    expired += rawFrom(world.db) > 0 ? 1 : 0;
    ends[regained(world)] += 1;
    world.close();
    removeFolders();
  }
  console.log(`trust was regained: ${JSON.stringify(ends)}; in ${expired} something had expired`);
  expect(ends.never).toBe(0);
});
