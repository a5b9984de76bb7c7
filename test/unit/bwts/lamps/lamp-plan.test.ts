// The plan for lamps by hand-made lives: the plain rule, the forecast, the port calls, and the
// number of lamps that the lead time needs.

import { describe, expect, test } from "vitest";
import { endsWithin, lampNeed } from "../../../../src/bwts/lamps/need.ts";
import { type ForecastsByLamp, lampPlan } from "../../../../src/bwts/lamps/plan.ts";
import { planAnswer } from "../../../../src/bwts/lamps/plan-answer.ts";
import { portCalls } from "../../../../src/bwts/lamps/port-calls.ts";
import { newLife, newState, type TrackerState } from "../../../../src/bwts/lamps/state.ts";
import { DAY_MS, HOUR_MS } from "../../../../src/ground/clock.ts";

const NOW_MS = Date.UTC(2026, 4, 1);
const CONFIG = {
  ...{ rated_hours: 3000, end_of_life_efficiency: 70, horizon_hours: 500 },
  ...{ lead_days: 60, now_ms: NOW_MS },
};
const NO_FORECASTS: ForecastsByLamp = new Map();

/** A call each ten days, of 24 h. The last one has just ended. */
const OPERATIONS = Array.from({ length: 30 }, (_, index) => {
  const end_ms = NOW_MS - (29 - index) * 10 * DAY_MS;
  return { start_ms: end_ms - DAY_MS, end_ms, hours: 24 };
});

/** The duty of the newest half year: 18 of them, and the end of one. */
const HOURS_A_DAY = lampPlan(shipOf([]), CONFIG, NO_FORECASTS).hours_a_day ?? 0;

/** The forecast of a lamp that has long to live. */
const GOOD = { p05_h: 9e8, median_h: 9e9, p95_h: 9e10, isOwn: true };

interface GivenLamp {
  readonly hours?: number;
  readonly output?: number;
  readonly failed?: boolean;
  /** Hours of treatment since its newest light. */
  readonly dark_h?: number;
}

/** A ship with these lamps at 1, 2 and so on, and good ones of 100 h at the other positions. */
function shipOf(lamps: readonly GivenLamp[], operations = OPERATIONS): TrackerState {
  const state = newState();
  state.first_ms = operations[0]?.start_ms ?? NOW_MS;
  state.last_ms = NOW_MS;
  state.operations = [...operations];
  for (const [position, at] of state.positions.entries()) {
    const { hours = 100, output = 99, failed = false, dark_h = 0 } = lamps[position] ?? {};
    const life = newLife(state.first_ms, {
      ...{ began: "first_seen", hours, counter_base_h: 0, position },
    });
    life.light = { pct: output, at_ms: NOW_MS, hours_ago: dark_h };
    life.failed_ms = failed ? NOW_MS - HOUR_MS : null;
    at.lives.push(life);
    at.recent.push(output);
  }
  return state;
}

const planned = (lamps: readonly GivenLamp[], forecasts = NO_FORECASTS) =>
  lampPlan(shipOf(lamps), CONFIG, forecasts).lamps.slice(0, lamps.length);

describe("the plain rule", () => {
  test("changes a lamp that failed, is at the limit, or has its rated hours, and no other", () => {
    const lamps = [{ failed: true }, { output: 70 }, { hours: 3000 }, { output: 70.1 }];
    expect(planned(lamps)).toMatchObject([
      { planned: "now", reason: "failed", by_ms: null },
      { planned: "now", reason: "output", by_ms: null },
      { planned: "now", reason: "rated_hours", by_ms: null },
      { planned: "later", reason: "rated_hours" },
    ]);
  });

  test("knows no day of a lamp without light for an hour of treatment, and no output", () => {
    const forecasts = new Map([1, 2, 3, 4].map((lamp) => [lamp, GOOD]));
    const ship = shipOf([{ dark_h: 1 }, { dark_h: 1.1 }, { dark_h: 60, hours: 3000 }]);
    const { lamps, no_forecast } = lampPlan(ship, CONFIG, forecasts);
    expect(lamps.slice(0, 3)).toMatchObject([
      { planned: "later", output_percent: 99, no_light_since_ms: null },
      { planned: "unknown", output_percent: null, reason: null, no_light_since_ms: NOW_MS },
      { planned: "now", output_percent: null, reason: "rated_hours" },
    ]);
    expect(no_forecast.slice(0, 2)).toEqual([2, 5]);
    expect(lamps[1].within_lead_time).toBeGreaterThan(lamps[0].within_lead_time ?? 1);
  });

  test("is the reason wherever no forecast ends sooner than the rated hours", () => {
    const late = { p05_h: 500, median_h: 900, p95_h: 2000, isOwn: true };
    const [one, other] = planned([{ hours: 2880 }, { hours: 2880 }], new Map([[2, late]]));
    expect(one).toMatchObject({ planned: "three_months", reason: "rated_hours" });
    expect((one.by_ms ?? 0) - NOW_MS).toBeCloseTo((120 / HOURS_A_DAY) * DAY_MS, -4);
    expect(other).toMatchObject({ reason: "rated_hours", by_ms: one.by_ms });
  });
});

describe("old readings", () => {
  test("promise no lamp more days than are left, and tell nothing beyond its end", () => {
    const at = (days: number) =>
      lampPlan(shipOf([{ hours: 2400 }]), { ...CONFIG, now_ms: NOW_MS + days * DAY_MS }, new Map());
    const left_days = 600 / HOURS_A_DAY;
    const [today, near, past] = [0, left_days - 80, left_days + 1].map(at);
    expect(today.lamps[0]).toMatchObject({ planned: "later", reason: "rated_hours" });
    expect(near.lamps[0]).toMatchObject({ planned: "three_months" });
    expect(past.lamps[0]).toMatchObject({ planned: "unknown", reason: null, by_ms: null });
    expect(past.lamps[0].within_lead_time).toBe(1);
    expect(past.calls.next_ms).toBe(NOW_MS + (left_days + 1) * DAY_MS);
    expect(past.need?.p95).toBeGreaterThan(today.need?.p95 ?? 99);
  });
});

describe("the forecast", () => {
  test("sends a lamp that ends before the call after the next to the next call", () => {
    const ends = (days: number) => {
      const median_h = days * HOURS_A_DAY;
      return { p05_h: median_h / 2, median_h, p95_h: 2 * median_h, isOwn: true };
    };
    // The call after the next is 19 days ahead.
    const days = [18.9, 19.1, 89.9, 90.1];
    const forecasts = new Map(days.map((each, index) => [index + 1, ends(each)]));
    expect(planned([{}, {}, {}, {}], forecasts).map((one) => one.planned)).toEqual([
      ...["next_call", "three_months", "three_months", "later"],
    ]);
  });

  test("says nothing of a ship whose duty isn't known; the rule still does", () => {
    const plan = lampPlan(shipOf([{ output: 60 }, {}], []), CONFIG, NO_FORECASTS);
    expect(plan).toMatchObject({ hours_a_day: null, need: null, calls: { next_ms: null } });
    expect(plan.lamps.map((one) => one.planned).slice(0, 2)).toEqual(["now", "unknown"]);
    const parts = { last_ms: NOW_MS, spares: 3, part_number: "", config: CONFIG };
    expect(planAnswer({ plan, ...parts })).toMatchObject({ order: null, part_number: null });
  });
});

describe("the number to order", () => {
  test("is the upper end of the range less the spares, and never below 0", () => {
    const rest = new Map(Array.from({ length: 14 }, (_, index) => [index + 3, GOOD]));
    const plan = lampPlan(shipOf([{ output: 60 }, { failed: true }]), CONFIG, rest);
    expect(plan.need).toEqual({ expected: 2, p05: 2, p95: 2 });
    const order = (spares: number | null) =>
      planAnswer({ plan, last_ms: NOW_MS, spares, part_number: "X", config: CONFIG }).order;
    expect([null, 0, 1, 2, 9].map(order)).toEqual([2, 2, 1, 0, 0]);
  });

  test("counts a lamp without an own forecast as ending, by the rated hours or sooner", () => {
    const rate = (CONFIG.lead_days * HOURS_A_DAY) / CONFIG.rated_hours;
    const soon = { p05_h: 1, median_h: 2, p95_h: 3, isOwn: false };
    const given = new Map([
      ...Array.from({ length: 16 }, (_, index) => [index + 1, GOOD] as const),
      [3, { ...GOOD, isOwn: false }] as const,
      [4, soon] as const,
    ]);
    given.delete(9);
    const { lamps, no_forecast, need } = lampPlan(shipOf([]), CONFIG, given);
    const shares = lamps.map((one) => one.within_lead_time ?? Number.NaN);
    expect(no_forecast).toEqual([3, 9]);
    expect([shares[0], shares[2], shares[8]].map((one) => one.toFixed(6))).toEqual([
      ...["0.000000", rate.toFixed(6), rate.toFixed(6)],
    ]);
    expect(shares[3]).toBe(1);
    expect(need?.expected).toBe(Math.round((1 + 2 * rate) * 10) / 10);
  });

  test("isn't 0 of lamps that nobody knows", () => {
    const state = shipOf([]);
    for (const at of state.positions) at.lives = [];
    const { lamps, no_forecast, need } = lampPlan(state, CONFIG, new Map());
    expect(no_forecast).toHaveLength(16);
    expect(lamps.every(({ planned: word }) => word === "unknown")).toBe(true);
    expect(need?.p95).toBeGreaterThan(0);
  });

  test("has the exact range of independent lamps", () => {
    // Binomial(10, 1/2): P(at most 1) = .0107, 2: .0547, 7: .9453, 8: .9893.
    expect(lampNeed(new Array(10).fill(0.5))).toEqual({ expected: 5, p05: 2, p95: 8 });
    expect(lampNeed([])).toEqual({ expected: 0, p05: 0, p95: 0 });
    expect(lampNeed([1, 1, 0])).toEqual({ expected: 2, p05: 2, p95: 2 });
  });

  test("takes a lamp's probability from the points of its forecast", () => {
    const points = { p05_h: 100, median_h: 400, p95_h: 700 };
    const shares = [0, 50, 100, 250, 400, 700, 1300, 9000].map((h) => endsWithin(points, h));
    expect(shares[0]).toBe(0);
    expect(shares.slice(1, 6)).toEqual([0.025, 0.05, 0.275, 0.5, 0.95]);
    expect(shares.slice(6)).toEqual([1, 1]);
    const ended = { p05_h: 0, median_h: 0, p95_h: 0 };
    expect(endsWithin(ended, 1)).toBeGreaterThan(0.95);
  });
});

describe("port calls", () => {
  test("are at the usual distance, and operations of one call are one", () => {
    const twice = OPERATIONS.flatMap((one) => [
      { ...one, end_ms: one.start_ms + 6 * HOUR_MS },
      { ...one, start_ms: one.end_ms - 6 * HOUR_MS },
    ]);
    for (const operations of [OPERATIONS, twice])
      expect(portCalls(operations, NOW_MS)).toEqual({
        apart_days: 10,
        next_ms: NOW_MS + 9 * DAY_MS,
        after_ms: NOW_MS + 19 * DAY_MS,
      });
  });

  test("of a late ship may be any day, and of a new one aren't known", () => {
    const late_ms = NOW_MS + 30 * DAY_MS;
    expect(portCalls(OPERATIONS, late_ms)).toMatchObject({ next_ms: late_ms });
    expect(portCalls(OPERATIONS.slice(0, 3), NOW_MS).next_ms).toBeNull();
  });
});
