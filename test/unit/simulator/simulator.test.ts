// The simulated ship as a pure function: the same whatever stretch is asked for, and every figure
// inside what the catalogue calls typical.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { indexOfTag, LAMP_NUMBERS, TAGS, type TagName } from "../../../src/bwts/tags.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/ground/clock.ts";
import type { PlantReading } from "../../../src/simulator/plant.ts";
import { CADENCE_MS, createShip } from "../../../src/simulator/ship.ts";
import { sized } from "../../rig/scale.ts";

const anchor_ms = Date.parse("2026-05-01T12:00:00Z");
const options = { seed: 1, anchor_ms, system_id: "BWTS-001" };
const months24 = { from_ms: anchor_ms - 731 * DAY_MS, to_ms: anchor_ms, cadence_ms: CADENCE_MS };
const ship = createShip(options);
const readings = [...ship.readings(months24)];
const events = [...ship.events(months24)];

const numberOf = ({ members }: PlantReading, name: string): number => {
  const value = members[name];
  if (typeof value !== "number") throw new Error(`${name}: expected a number, not ${value}`);
  return value;
};
const pairs = readings.slice(1).map((reading, index) => ({ before: readings[index], reading }));
const falls = (name: string) =>
  pairs.filter(
    ({ before, reading }) =>
      before !== undefined && numberOf(reading, name) < numberOf(before, name),
  );

describe("any stretch alone", () => {
  test("has the readings and events of the same stretch of the whole", () => {
    const stretch = fc
      .tuple(fc.integer({ min: 0, max: 700 * 24 }), fc.integer({ min: 0, max: 30 * 24 }))
      .map(([start_h, lasts_h]) => ({
        from_ms: months24.from_ms + start_h * HOUR_MS,
        to_ms: months24.from_ms + (start_h + lasts_h) * HOUR_MS,
        cadence_ms: CADENCE_MS,
      }));
    fc.assert(
      fc.property(stretch, (part) => {
        const alone = createShip(options);
        const inside = ({ at_ms }: { at_ms: number }) =>
          at_ms >= part.from_ms && at_ms <= part.to_ms;
        expect([...alone.readings(part)]).toEqual(readings.filter(inside));
        expect([...alone.events(part)]).toEqual(events.filter(inside));
        expect(alone.countReadings(part)).toBe(readings.filter(inside).length);
      }),
      { seed: 20_260_501, numRuns: sized(10, 25) },
    );
  });

  test("at another cadence agrees at the instants that both have", () => {
    const day = { from_ms: anchor_ms, to_ms: anchor_ms + 3 * HOUR_MS, cadence_ms: 60_000 };
    const often = new Map([...ship.readings(day)].map((reading) => [reading.at_ms, reading]));
    const seldom = [...ship.readings({ ...day, cadence_ms: 15 * MINUTE_MS })];
    expect(seldom).toHaveLength(13);
    for (const reading of seldom) expect(often.get(reading.at_ms)).toEqual(reading);
  });

  test("goes on beyond the anchor without an end", () => {
    const later = { from_ms: anchor_ms, to_ms: Number.POSITIVE_INFINITY, cadence_ms: HOUR_MS };
    let last_ms = anchor_ms;
    for (const { at_ms } of ship.readings(later)) {
      last_ms = at_ms;
      if (at_ms > anchor_ms + 100 * DAY_MS) break;
    }
    expect(last_ms).toBeGreaterThan(anchor_ms + 100 * DAY_MS);
  });
});

test("another seed is another ship", () => {
  const [first] = readings;
  const [other] = createShip({ ...options, seed: 2 }).readings(months24);
  expect(other?.members).not.toEqual(first?.members);
});

describe("the voyage", () => {
  test("has about 35,000 readings in 24 months", () => {
    expect(readings.length).toBe(ship.countReadings(months24));
    for (const seed of [1, 2, 3, 4, 5]) {
      const count = createShip({ ...options, seed }).countReadings(months24);
      expect(count, `seed ${seed}`).toBeGreaterThan(33_500);
      expect(count, `seed ${seed}`).toBeLessThan(36_500);
    }
  });

  test("alternates BALLAST and DEBALLAST in operations of 20 to 28 hours", () => {
    const operations = events.filter(({ data }) => data.target_flow !== undefined);
    const starts = operations.filter(({ event_type }) => event_type === "PROCESS_START");
    const stops = operations.filter(({ event_type }) => event_type === "PROCESS_STOP");
    expect(stops).toHaveLength(73);
    for (const [index, stop] of stops.entries()) {
      const start = starts[index];
      if (start === undefined) throw new Error(`operation ${index} has no start`);
      const lasts_h = (stop.at_ms - start.at_ms) / HOUR_MS;
      const type = index % 2 === 0 ? "DEBALLAST" : "BALLAST";
      expect(lasts_h).toBeGreaterThanOrEqual(20);
      expect(lasts_h).toBeLessThanOrEqual(28);
      expect(start.description).toBe(`${type} process started at ${start.data.location}`);
      expect(stop.description).toBe(`${type} process completed at ${start.data.location}`);
    }
  });

  test("sends nothing between operations, for days", () => {
    const gaps = pairs.filter(
      ({ before, reading }) => reading.at_ms - (before?.at_ms ?? 0) > CADENCE_MS,
    );
    expect(gaps).toHaveLength(73);
    for (const { before, reading } of gaps)
      expect(reading.at_ms - (before?.at_ms ?? 0)).toBeGreaterThan(3 * DAY_MS);
  });

  test("has an operation under way at the anchor and hours after, whatever the seed", () => {
    for (let seed = 0; seed < sized(20, 50); seed += 1) {
      const other = createShip({ ...options, seed });
      expect(other.nextOperation(anchor_ms)).toBeNull();
      expect(other.nextOperation(anchor_ms + 15 * HOUR_MS)).toBeNull();
    }
    expect(ship.nextOperation(anchor_ms + 3 * DAY_MS)).toBeGreaterThan(anchor_ms + 4 * DAY_MS);
  });

  test("cleans only between operations, at the latest every 50 days", () => {
    const cleanings = events.filter(({ data }) => data.operation_type === "CIP");
    expect(cleanings.length).toBeGreaterThan(2 * 15);
    expect(cleanings[0]?.description).toMatch(/^CIP process started at /);
    for (const { at_ms } of cleanings)
      expect(readings.some((reading) => Math.abs(reading.at_ms - at_ms) < HOUR_MS)).toBe(false);
    for (const { before, reading } of falls("CIP_HOURS_SINCE_LAST"))
      expect(
        cleanings.some(({ at_ms }) => at_ms > (before?.at_ms ?? 0) && at_ms < reading.at_ms),
      ).toBe(true);
  });
});

describe("a reading", () => {
  test("has every catalogue field in its type and its typical range, but for failed lamps", () => {
    for (const reading of readings) {
      for (const tag of TAGS) {
        const value = reading.members[tag.name];
        if (value === undefined) {
          expect(tag.name).toMatch(/^LAMP_\d\d_EFFICIENCY$/);
          expect(reading.members[tag.name.replace("EFFICIENCY", "STATUS")]).toBe("FAILED");
          continue;
        }
        if (tag.type !== "number" && tag.type !== "integer") {
          if (typeof value !== tag.type) expect(value, tag.name).toBeTypeOf(tag.type);
          continue;
        }
        const [low, high] = Array.isArray(tag.typical) ? tag.typical : [1, 12];
        const right = typeof value === "number" && value >= low && value <= high;
        const whole = tag.type === "number" || Number.isInteger(value);
        if (!right || !whole) throw new Error(`${tag.name} ${value}: expected ${low} to ${high}`);
      }
    }
    const known = new Set(TAGS.map(({ name }) => name));
    expect(Object.keys(readings[0]?.members ?? {}).filter((name) => !known.has(name))).toEqual([]);
  });

  test("says the mean of the lamps and the number of failed ones that its lamps say", () => {
    for (const { members } of readings) {
      const given = LAMP_NUMBERS.map((number) => members[`LAMP_${number}_EFFICIENCY`]).filter(
        (value) => typeof value === "number",
      );
      const mean = given.reduce((sum, value) => sum + value, 0) / given.length;
      const failed = LAMP_NUMBERS.filter((n) => members[`LAMP_${n}_STATUS`] === "FAILED").length;
      if (Math.abs(mean - Number(members.AVG_LAMP_EFFICIENCY)) > 0.051)
        expect(members.AVG_LAMP_EFFICIENCY).toBe(mean);
      if (members.FAILED_LAMP_COUNT !== failed) expect(members.FAILED_LAMP_COUNT).toBe(failed);
    }
  });

  test("backflushes only while ballasting", () => {
    const flushing = readings.filter(({ members }) => members.FLT_BACKFLUSH_ACTIVE === true);
    expect(flushing.length).toBeGreaterThan(200);
    for (const { members } of flushing) {
      expect(members.operation_type).toBe("BALLAST");
      expect(members.PROCESS_STATE).toBe("BACKFLUSH");
    }
  });

  test("warms up before it runs and stops at the end", () => {
    const states = new Set(readings.map(({ members }) => members.PROCESS_STATE));
    expect(states).toEqual(new Set(["WARMUP", "RUNNING", "BACKFLUSH", "STOPPING"]));
  });
});

describe("over the voyage", () => {
  const counters: readonly TagName[] = [
    "FLT_BACKFLUSH_COUNT",
    "SYS_TOTAL_BALLAST_VOL",
    "SYS_TOTAL_DEBALLAST_VOL",
  ];
  test.each(counters)("%s never falls, and rises", (name) => {
    expect(TAGS[indexOfTag(name)]?.about).toContain("cumulative");
    expect(falls(name)).toEqual([]);
    const [first] = readings;
    const last = readings.at(-1);
    if (first === undefined || last === undefined) throw new Error("no readings");
    expect(numberOf(last, name)).toBeGreaterThan(numberOf(first, name) + 100);
  });

  test("the volume counters agree with the flow to 3 %", () => {
    const hours = CADENCE_MS / HOUR_MS;
    const flow = readings.reduce((sum, reading) => sum + numberOf(reading, "SYS_FLOW_RATE"), 0);
    const [first] = readings;
    const last = readings.at(-1);
    if (first === undefined || last === undefined) throw new Error("no readings");
    const counted =
      numberOf(last, "SYS_TOTAL_BALLAST_VOL") -
      numberOf(first, "SYS_TOTAL_BALLAST_VOL") +
      numberOf(last, "SYS_TOTAL_DEBALLAST_VOL") -
      numberOf(first, "SYS_TOTAL_DEBALLAST_VOL");
    expect(Math.abs(flow * hours - counted) / counted).toBeLessThan(0.03);
  });

  test("lamps are replaced between operations: hours fall to 0 and the light comes back", () => {
    const swaps = LAMP_NUMBERS.flatMap((lamp) =>
      falls(`LAMP_${lamp}_RUNTIME`).map((pair) => ({ lamp, ...pair })),
    );
    expect(swaps.length).toBeGreaterThanOrEqual(3);
    for (const { lamp, before, reading } of swaps) {
      expect(reading.at_ms - (before?.at_ms ?? 0)).toBeGreaterThan(DAY_MS);
      expect(numberOf(reading, `LAMP_${lamp}_RUNTIME`)).toBeLessThan(0.1);
      expect(numberOf(reading, `LAMP_${lamp}_EFFICIENCY`)).toBeGreaterThan(98);
    }
  });

  test("a lamp that fails raises LAMP_FAILURE, counts as failed and draws nothing", () => {
    const failures = events.filter(({ data }) => data.code === "LAMP_FAILURE");
    expect(failures.length).toBeGreaterThan(0);
    for (const { at_ms, data, description } of failures) {
      const name = String(data.parameter);
      const after = readings.find((reading) => reading.at_ms >= at_ms);
      const before = readings.findLast((reading) => reading.at_ms < at_ms);
      expect(description).toMatch(/^LAMP_FAILURE: lamp \d+ failed after \d+ h$/);
      expect(before?.members[name]).toBe("ACTIVE");
      expect(after?.members[name]).toBe("FAILED");
      expect(after?.members[name.replace("STATUS", "POWER")]).toBe(0);
      expect(after?.members.FAILED_LAMP_COUNT).toBeGreaterThan(0);
    }
  });

  test("lamps age each at a pace of its own", () => {
    const { members } = readings[20_000] ?? { members: {} };
    const paces = LAMP_NUMBERS.map((number) => {
      const efficiency = Number(members[`LAMP_${number}_EFFICIENCY`]);
      return -Math.log(efficiency / 100) / Number(members[`LAMP_${number}_RUNTIME`]);
    });
    expect(Math.max(...paces) / Math.min(...paces)).toBeGreaterThan(1.5);
  });

  test("light is lost, power rises, and the water has its seasons", () => {
    const running = readings.filter(({ members }) => members.PROCESS_STATE === "RUNNING");
    const intensities = running.map((reading) => numberOf(reading, "UVR_INTENSITY"));
    const powers = running.map((reading) => numberOf(reading, "UVR_POWER_OUTPUT"));
    const water = running.map((reading) => numberOf(reading, "UVR_WATER_TEMP"));
    const span = (values: number[]) => [Math.min(...values), Math.max(...values)] as const;
    expect(span(intensities)[0]).toBeLessThan(560);
    expect(span(intensities)[1]).toBeGreaterThan(700);
    expect(span(powers)[1] - span(powers)[0]).toBeGreaterThan(15);
    expect(span(water)[0]).toBeLessThan(12);
    expect(span(water)[1]).toBeGreaterThan(28);
  });

  test("alarms name code, parameter, limit and unit, and a value that breaks the limit", () => {
    const alarms = events.filter(({ data }) => typeof data.limit === "number");
    expect(new Set(alarms.map(({ data }) => data.code))).toContain("FILTER_HIGH_DP");
    for (const { event_type, description, data } of alarms) {
      expect(event_type).toBe("ALARM_TRIGGERED");
      expect(description.startsWith(`${data.code}: `)).toBe(true);
      const tag = TAGS.find(({ name }) => name === data.parameter);
      expect(data.unit).toBe(tag?.unit);
      if (data.code === "FILTER_HIGH_DP") expect(data.value).toBeGreaterThan(Number(data.limit));
      else expect(data.value).toBeLessThan(Number(data.limit));
    }
  });
});

test("nothing that is sent says that it is simulated", () => {
  const sent = JSON.stringify([readings.slice(0, 100), events]).toLowerCase();
  for (const word of ["simul", "demo", "fake", "test", "story"]) expect(sent).not.toContain(word);
});
