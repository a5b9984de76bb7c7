// The split of a change of the light for odd looks: whatever is missing or absurd, the parts are
// numbers or null, and add up exactly; a gain is never invented.

import { expect, test } from "vitest";
import { NO_GAINS } from "../../../../src/bwts/light/cleaning-gains.ts";
import { comparisonOf } from "../../../../src/bwts/light/comparison.ts";
import { lightChange } from "../../../../src/bwts/light/light-change.ts";
import type { Look } from "../../../../src/bwts/light/light-loss.ts";
import { remediesOf } from "../../../../src/bwts/light/remedies.ts";
import { LAMP_CONFIG } from "../../../rig/fleet.ts";
import { printedRandom, type Random } from "../../../rig/random.ts";

const FACTS = { gains: NO_GAINS, cleaning: null, drift: null };
const BURNING = ["lit", "dark", "failed", null] as const;

function oddLook(random: Random, at_ms: number): Look {
  const odd = (value: number) => (random.next() < 0.3 ? null : value);
  return {
    at_ms,
    intensity_w_m2: 10 ** (4 * random.next() - 2),
    power_pct: odd(150 * random.next() + 0.1),
    compensation_pct: odd(30 * random.next()),
    water: odd(10 * random.next() + 0.001),
    filter_bar: null,
    backflushes: null,
    since_cleaning_h: odd(random.next() < 0.1 ? 1e6 : 1500 * random.next()),
    mode: random.next() < 0.5 ? "IMO" : null,
    lamps: Array.from({ length: 16 }, () => ({
      burning: BURNING[Math.floor(4 * random.next())] ?? null,
      efficiency_pct: odd(1000 * random.next()),
      counter_h: null,
      power_w: odd(5000 * random.next()),
    })),
  };
}

test("parts of any change are numbers or null, and add up in tenths", () => {
  const random = printedRandom("odd looks");
  for (let round = 0; round < 2000; round += 1) {
    const some = (from: number) =>
      Array.from({ length: 3 + Math.floor(4 * random.next()) }, (_, i) =>
        oddLook(random, from + i),
      );
    const operation = { id: 1, operation_type: null, location: null, start_ms: 0 };
    const found = comparisonOf({
      now: { ...operation, looks: some(1e9) },
      before: { operation: { ...operation, looks: some(0) }, by: "asked" },
      limits: LAMP_CONFIG.limits,
      past: random.next() < 0.5 ? [2, 6] : [],
      ...FACTS,
      gains:
        random.next() < 0.5
          ? NO_GAINS
          : { measured: 3, last_log: 0.1, loss_per_h: { low: 0, high: 1e-3, longest_h: 700 } },
      drift: random.next() < 0.5 ? null : { log: -0.1 * random.next(), sd: 0.01 },
    });
    const sum = found.rows.reduce((all, { w_m2 }) => all + Math.round(10 * (w_m2 ?? 0)), 0);
    expect(sum).toBe(Math.round(10 * (found.change_w_m2 ?? Number.NaN)));
    const { now, before } = found;
    expect(sum).toBe(
      Math.round(10 * Number(now?.intensity_w_m2)) -
        Math.round(10 * Number(before?.intensity_w_m2)),
    );
    const values = JSON.stringify(found, (_, value) =>
      typeof value === "number" && !Number.isFinite(value) ? "not a number" : value,
    );
    expect(values).not.toContain("not a number");
  }
});

/** A look at sixteen equal lamps. */
const look = (intensity_w_m2: number, since_cleaning_h: number): Look => ({
  ...{ at_ms: 0, intensity_w_m2, power_pct: 80, compensation_pct: null, water: 0.95, mode: "IMO" },
  ...{ filter_bar: null, backflushes: null, since_cleaning_h },
  lamps: Array.from({ length: 16 }, () => ({
    ...{ burning: "lit" as const, efficiency_pct: 90, counter_h: null, power_w: 3760 },
  })),
});

test("a light of almost nothing has parts too", () => {
  const times = { now: [look(0.04, 1000)], before: [look(600, 10)] };
  const found = lightChange(times, { now_w_m2: 0.04, before_w_m2: 600 }, FACTS);
  expect(found.change_w_m2).toBe(-600);
  expect(found.rows.every(({ w_m2 }) => w_m2 === null || Number.isFinite(w_m2))).toBe(true);
});

test("sleeves that foul for much longer than was ever seen have no gain", () => {
  const gains = {
    measured: 2,
    last_log: 0.1,
    loss_per_h: { low: 1e-4, high: 2e-4, longest_h: 700 },
  };
  const gainAfter = (hours: number) => {
    const times = { now: [look(400, hours)], before: [look(600, 10)] };
    const { rows } = lightChange(times, { now_w_m2: 400, before_w_m2: 600 }, { ...FACTS, gains });
    const seen = { failed: [], dark: [], past_life: [], weak: [] };
    const asked = { now_w_m2: 400, limit_w_m2: 252, rows, seen, gains };
    return remediesOf(times, asked).find(({ act }) => act === "clean_sleeves")?.gain;
  };
  expect(gainAfter(1000)?.high_w_m2).toBeCloseTo(400 * Math.expm1(0.2), 0);
  expect(gainAfter(9000)).toBe(null);
});
