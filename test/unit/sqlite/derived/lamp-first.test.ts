// The first forecasts of a ship: at once where counters may be hours, else once their unit is
// known.

import { expect, test } from "vitest";
import { newestForecasts } from "../../../../src/sqlite/derived/lamp-rows.ts";
import { LAMPS } from "../../../../src/sqlite/derived/lamps.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { messageOf } from "../../../rig/decoding.ts";
import { derived } from "../../../rig/derive.ts";
import { LAMP_CONFIG, openFleet } from "../../../rig/fleet.ts";
import { printedRandom } from "../../../rig/random.ts";

const rigOf = rigsOfTests();

test("no lamp is worn out by counters in minutes before they have shown their pace", () => {
  const rig = rigOf();
  const fleet = openFleet(printedRandom("lamp first"), (lamp) => 500 + 10 * lamp);
  const alter = (reading: Record<string, string | number>) => {
    for (const name of Object.keys(reading))
      if (/_RUNTIME$/.test(name)) reading[name] = Math.round(Number(reading[name]) * 60);
  };
  const sail = (hours: number) => {
    rig.store.commit([messageOf("telemetry", fleet.operate({ hours, alter }))]);
    derived(rig, LAMPS);
    return newestForecasts(rig.db, 16);
  };
  expect(sail(1)).toEqual([]);
  const known = sail(4);
  expect(known).toHaveLength(16);
  for (const [lamp, { predictions, current_state }] of known.entries()) {
    expect(predictions.counter_divisor).toBe(60);
    expect(Math.abs(current_state.runtime_hours - fleet.lamps[lamp].hours)).toBeLessThan(1);
  }
});

test("lamps within a life's hours are forecast when the plant first falls silent", () => {
  const rig = rigOf();
  // One in minutes among them keeps nobody waiting: counters of a ship share their unit.
  const fleet = openFleet(printedRandom("lamp soon"), (lamp) => (lamp === 4 ? 30_000 : 250 * lamp));
  rig.store.commit([messageOf("telemetry", fleet.operate({ hours: 0.2 }))]);
  derived(rig, LAMPS);
  const soon = newestForecasts(rig.db, 16);
  expect(soon).toHaveLength(16);
  for (const [lamp, { predictions, current_state }] of soon.entries()) {
    expect(predictions.counter_divisor).toBeNull();
    expect(Math.abs(current_state.runtime_hours - fleet.lamps[lamp].hours)).toBeLessThan(1);
  }
});

test("another end of life, and readings that come late, make the forecasts anew", () => {
  const rig = rigOf();
  const fleet = openFleet(printedRandom("lamp anew"), () => 900);
  const known = () => newestForecasts(rig.db, 16).map(({ predictions }) => predictions);
  const send = (readings: readonly object[]) => {
    for (let at = 0; at < readings.length; at += 100)
      rig.store.commit([messageOf("telemetry", readings.slice(at, at + 100))]);
  };
  const all = Array.from({ length: 20 }, () => fleet.operate()).flat();
  const withoutLight = all.map((reading) =>
    Object.fromEntries(Object.entries(reading).filter(([name]) => !/_EFFICIENCY$/.test(name))),
  );
  send(withoutLight);
  derived(rig, LAMPS);
  expect(known().every(({ basis }) => basis === "rated_life_prior")).toBe(true);
  send(all);
  derived(rig, LAMPS);
  const late = known();
  expect(late.every(({ basis }) => basis === "fit")).toBe(true);
  const lamps = { ...LAMP_CONFIG.lamps, horizon_hours: 2000 };
  derived(rig, LAMPS, { config: { ...LAMP_CONFIG, lamps } });
  expect(known().map(({ horizon_hours }) => horizon_hours)).toEqual(late.map(() => 2000));
});
