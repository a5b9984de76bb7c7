// The first minutes and days of a record: which light, which fall and which dates are told of lamps
// that were hardly seen, and how long a lamp lasts whose age nothing tells.

import { describe, expect, test } from "vitest";
import { lampsAnswer } from "../../../../src/bwts/lamps/answer.ts";
import { lampNow } from "../../../../src/bwts/lamps/lamp-now.ts";
import { predictionsOf } from "../../../../src/bwts/lamps/outlook.ts";
import { newState, type TrackerState } from "../../../../src/bwts/lamps/state.ts";
import {
  FLEET_START_MS,
  LAMP_CONFIG,
  type Member,
  openFleet,
  type PlcReading,
} from "../../../rig/fleet.ts";
import { book, present } from "../../../rig/lamp-tracking.ts";
import { printedRandom } from "../../../rig/random.ts";

const { lamps: LIMITS } = LAMP_CONFIG;
const random = printedRandom("short record");

const at = (seconds: number, ...members: Member[]): PlcReading => ({
  timestamp: new Date(FLEET_START_MS + 1000 * seconds).toISOString(),
  ...Object.fromEntries(members),
});

function told(state: TrackerState, lamp = 7) {
  const forecast = predictionsOf(state, LIMITS).find(
    ({ component_id }) => component_id === `LAMP_${String(lamp).padStart(2, "0")}`,
  );
  if (forecast === undefined) throw new Error(`lamp ${lamp}: no forecast`);
  return { ...forecast, shown: lampsAnswer(state, LIMITS).lamps[lamp - 1].present };
}

/** Readings of lamp 7 every 15 s. */
function seen(count: number, ...members: Member[]): TrackerState {
  const state = newState();
  for (let i = 0; i < count; i += 1) book(state, [at(15 * i, ...members)]);
  return state;
}

const RUNNING: Member = ["PROCESS_STATE", "RUNNING"];
const lamp7 = (efficiency: number, status?: string): Member[] => [
  ["LAMP_07_EFFICIENCY", efficiency],
  ...(status === undefined ? [] : [["LAMP_07_STATUS", status] as const]),
];

function withoutCounters(reading: Record<string, string | number>): void {
  for (const name of Object.keys(reading)) if (/_RUNTIME$/.test(name)) delete reading[name];
}

describe("the light of a lamp without steady light", () => {
  test.each([
    ["of a single reading", seen(1, RUNNING, ...lamp7(91.5))],
    ["of five minutes", seen(21, RUNNING, ...lamp7(91.5))],
    ["without flow and state", seen(3, ...lamp7(91.5, "ACTIVE"), ["LAMP_07_RUNTIME", 120])],
    ["of a status that isn't told", seen(3, ...lamp7(91.5), ["LAMP_07_RUNTIME", 120])],
  ])("is that of its newest reading: %s", (_, state) => {
    const { current_state, shown } = told(state);
    expect(current_state).toMatchObject({ efficiency_percent: 91.5, status: "OPERATIONAL" });
    expect(shown?.efficiency_percent).toBe(91.5);
  });

  test("stays as it was while it is out", () => {
    const state = seen(3, RUNNING, ...lamp7(91.5, "ACTIVE"));
    book(state, [at(60, ...lamp7(0, "OFF")), at(75, ...lamp7(12, "OFF")), at(90, RUNNING)]);
    expect(told(state).current_state.efficiency_percent).toBe(91.5);
  });

  test("is 0 of a lamp that failed", () => {
    const state = seen(3, RUNNING, ...lamp7(91.5, "ACTIVE"));
    for (const seconds of [60, 75]) book(state, [at(seconds, RUNNING, ...lamp7(91.5, "FAILED"))]);
    const { predictions, current_state } = told(state);
    expect(current_state).toMatchObject({ efficiency_percent: 0, status: "FAILED" });
    expect(predictions.efficiency_percent).toBe(0);
  });

  test("isn't that of the lamp before", () => {
    const state = newState();
    const fleet = openFleet(random, () => 500);
    book(state, fleet.operate({ hours: 1 }));
    const [first, second] = fleet.operate({ hours: 0.2, alter: counterBegins });
    for (const reading of [first, second]) book(state, [reading]);
    expect(present(state, 6).began).toBe("counter_fell");
    expect(told(state).current_state.efficiency_percent).toBe(99.5);

    function counterBegins(reading: Record<string, string | number>) {
      Object.assign(reading, { LAMP_07_RUNTIME: 0, LAMP_07_EFFICIENCY: 99.5 });
    }
  });

  test("makes no lamp DEGRADED, worn or past its life", () => {
    const state = seen(21, RUNNING, ...lamp7(40));
    expect(told(state)).toMatchObject({
      predictions: { expected_end: null },
      current_state: { efficiency_percent: 40, status: "OPERATIONAL" },
    });
    const now = lampNow(state.positions[6], {
      limits: LIMITS,
      off: [],
      dimmed: [],
      isOneFigure: false,
      shared: [],
    });
    expect(now).toMatchObject({ isPast: false, outcome: null });
  });

  test("is missing in a state that an earlier version stored, until the next reading", () => {
    const state = seen(1, RUNNING, ...lamp7(91.5));
    delete present(state, 6).light;
    expect(told(state).current_state.efficiency_percent).toBeNull();
    expect(told(state).predictions.efficiency_percent).toBeNull();
    book(state, [at(15, RUNNING, ...lamp7(91))]);
    expect(told(state).current_state.efficiency_percent).toBe(91);
  });
});

describe("the efficiency expected of a lamp without a stretch of light", () => {
  test("is on the exponential to the end of life at its median", () => {
    const { predictions } = told(seen(21, RUNNING, ...lamp7(91.5), ["LAMP_07_RUNTIME", 120]));
    const { remaining_useful_life_hours: left_h } = predictions;
    const expected = 91.5 * Math.exp((Math.log(70 / 91.5) / left_h) * LIMITS.horizon_hours);
    expect(predictions.efficiency_percent).toBeCloseTo(expected, 1);
    expect(predictions.efficiency_percent).toBeLessThan(91.5);
  });

  test("is its light where that is below the end of life, and null without light", () => {
    expect(told(seen(21, RUNNING, ...lamp7(62))).predictions.efficiency_percent).toBe(62);
    const dark = seen(3, RUNNING, ["LAMP_07_RUNTIME", 120]);
    expect(told(dark).predictions.efficiency_percent).toBeNull();
  });

  test("is never below 0 nor above its light, whatever the counter", () => {
    for (const counter_h of [0, 2_900, 9_000, 19_000, 40_000]) {
      const state = seen(3, RUNNING, ...lamp7(88), ["LAMP_07_RUNTIME", counter_h]);
      const { efficiency_percent } = told(state).predictions;
      expect(efficiency_percent).toBeGreaterThanOrEqual(0);
      expect(efficiency_percent).toBeLessThanOrEqual(88);
    }
  });
});

describe("days and dates", () => {
  const NONE = { remaining_days: null, end_date_p05: null, end_date_p50: null, end_date_p95: null };

  test("aren't told of two readings, nor of six days, but of seven", () => {
    const state = newState();
    const fleet = openFleet(random, () => 500);
    book(state, fleet.operate({ hours: 0.2, days: 1 }));
    expect(told(state).predictions).toMatchObject({ ...NONE, remaining_operations: null });
    for (let day = 1; day <= 6; day += 1) {
      expect(told(state).predictions).toMatchObject(NONE);
      expect(lampsAnswer(state, LIMITS).duty.hours_per_day).toBeNull();
      book(state, fleet.operate({ hours: 6, days: 1 }));
    }
    expect(told(state).predictions.remaining_operations).not.toBeNull();
    book(state, fleet.operate({ hours: 6, days: 1 }));
    const { predictions } = told(state);
    const a_day_h = 42 / 7.25;
    const days = predictions.remaining_useful_life_hours / a_day_h;
    expect(Math.abs((predictions.remaining_days ?? 0) - days)).toBeLessThan(0.05 * days);
    expect(predictions.end_date_p50).toMatch(/^20\d\d-\d\d-\d\d$/);
  });

  test("aren't told of the first operation after months in port", () => {
    const state = newState();
    book(state, [at(-90 * 86_400, ["PROCESS_STATE", "IDLE"])]);
    book(state, openFleet(random, () => 500).operate({ hours: 2 }));
    expect(told(state).predictions).toMatchObject(NONE);
  });
});

describe("a lamp that was first seen without a counter", () => {
  test("is forecast as one that was met at a random moment of its life", () => {
    const state = seen(2, RUNNING, ...lamp7(91.5));
    const asNew = told(seen(2, RUNNING, ...lamp7(91.5), ["LAMP_07_RUNTIME", 0])).predictions;
    const { predictions, current_state } = told(state);
    const life_h = asNew.remaining_useful_life_hours;
    const { remaining_useful_life_hours: left_h } = predictions;
    expect(predictions).toMatchObject({ basis: "rated_life_prior", expected_end: null });
    expect(current_state.runtime_hours).toBe(0);
    expect(Math.abs(left_h / life_h - 0.5)).toBeLessThan(0.05);
    expect(predictions.remaining_useful_life_hours_p05).toBeLessThan(0.08 * life_h);
    expect(predictions.remaining_useful_life_hours_p95).toBeGreaterThan(0.9 * life_h);
    expect(predictions.remaining_useful_life_hours_p95).toBeLessThan(
      asNew.remaining_useful_life_hours_p95,
    );
    // A life's share of a horizon of 500 h.
    expect(Math.abs(predictions.failure_probability - 500 / life_h)).toBeLessThan(0.03);
  });

  test.each([1, 500, 1_500, 1_650, 3_000])(
    "has figures that agree at a horizon of %i h",
    (hours) => {
      const state = seen(2, RUNNING, ...lamp7(91.5));
      const [{ predictions }] = predictionsOf(state, { ...LIMITS, horizon_hours: hours });
      const { remaining_useful_life_hours: left_h, failure_probability } = predictions;
      expect(failure_probability >= 0.5).toBe(left_h <= hours);
    },
  );

  test("has its age once a counter tells it", () => {
    const state = seen(2, RUNNING, ...lamp7(91.5));
    book(state, [at(60, RUNNING, ...lamp7(91.5), ["LAMP_07_RUNTIME", 0])]);
    expect(told(state).predictions.remaining_useful_life_hours).toBeGreaterThan(3_000);
  });

  test("lasts as long as a new one if the engineer says that it was replaced", () => {
    const state = newState();
    const at_ms = FLEET_START_MS + 30_000;
    const word = { position: 6, at_ms, replaced: true, hours: null, serial: null, note: null };
    for (let i = 0; i < 4; i += 1) book(state, [at(15 * i, RUNNING, ...lamp7(91.5))], [word]);
    expect(present(state, 6).began).toBe("confirmed");
    expect(told(state).predictions.remaining_useful_life_hours).toBeGreaterThan(3_000);
  });

  test("is forecast by its own light alone once that is fitted", () => {
    const uncounted = newState();
    const counted = newState();
    const fleet = openFleet(random, () => 0);
    for (let operation = 0; operation < 12; operation += 1)
      for (const reading of fleet.operate()) {
        book(counted, [reading]);
        const bare = { ...reading };
        withoutCounters(bare);
        book(uncounted, [bare]);
      }
    const [one, other] = [told(uncounted).predictions, told(counted).predictions];
    expect([one.basis, other.basis]).toEqual(["fit", "fit"]);
    const { remaining_useful_life_hours: left_h } = other;
    expect(Math.abs(one.remaining_useful_life_hours / left_h - 1)).toBeLessThan(0.1);
  });
});
