// The comparison of low light with the last good operation, by the built program, of ships whose
// light is known to the factor: each cause has the part that it has, and the parts add up exactly.

import { afterAll, beforeAll, describe, expect, test as single } from "vitest";
import type { ComparedLight } from "../../src/bwts/light/comparison.ts";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { askChecked } from "../oracle/asking.ts";
import {
  type DimState,
  lightOf,
  operation,
  publishDim,
  rest,
  WELL,
  weekApart,
} from "../rig/dim-ship.ts";

const test = single.concurrent;
const END_MS = Date.UTC(2026, 4, 14, 3);
const DAY_MS = 86_400_000;

async function comparison(appliance: Appliance, query = ""): Promise<ComparedLight> {
  const { status, bytes } = await askChecked(appliance, "GET", `/api/diagnosis${query}`);
  expect(status).toBe(200);
  const found: ComparedLight = JSON.parse(bytes.toString()).comparison;
  const sum = found.rows.reduce((all, { w_m2 }) => all + Math.round(10 * (w_m2 ?? 0)), 0);
  expect(sum).toBe(Math.round(10 * (found.change_w_m2 ?? 0)));
  if (found.now !== null && found.before !== null)
    expect(sum).toBe(
      Math.round(10 * found.now.intensity_w_m2) - Math.round(10 * found.before.intensity_w_m2),
    );
  return found;
}

/** Two operations each, that are asked for by the time at which the second of them ends. */
const CASES = {
  // First, while no earlier cleaning shows what the sleeves can have lost.
  unexplained: { sleeves: 0.7, since_cleaning_h: 400 },
  foul: { sleeves: 0.7, since_cleaning_h: 61 * 24 },
  failed: { failed: [7, 9] },
  turbid: { water: 0.6 },
  weak: { power: 55 },
  several: { failed: [7], water: 0.8, power: 88 },
  noWater: {
    ...{ water: 0.6, since_cleaning_h: 61 * 24 },
    members: { WATER_QUALITY_FACTOR: undefined },
  },
  contradicted: { members: { UVR_POWER_OUTPUT: 40 } },
  higher: { power: 95, water: 1 },
} satisfies Readonly<Record<string, Partial<DimState>>>;
/** From one case to the next. */
const APART_DAYS = 120;

/** One ship has them all, one after the other: each start of the program costs more than a case. */
let ship: Appliance;
const endOf = new Map<string, number>();
beforeAll(async () => {
  ship = await startAppliance();
  const cases = Object.entries<Partial<DimState>>(CASES);
  const readings = cases.flatMap(([name, changes], index) => {
    const end_ms = END_MS - (cases.length - index) * APART_DAYS * DAY_MS;
    endOf.set(name, end_ms);
    return [...weekApart(end_ms, changes), ...rest(end_ms)];
  });
  await publishDim(ship, readings, 2 * cases.length);
});
afterAll(() => ship[Symbol.asyncDispose]());

const dimmed = (name: keyof typeof CASES): Promise<ComparedLight> =>
  comparison(ship, `?at=${new Date(endOf.get(name) ?? 0).toISOString()}`);

const parts = ({ rows }: ComparedLight) =>
  Object.fromEntries(rows.map(({ cause, w_m2 }) => [cause, w_m2]));
const bases = ({ rows }: ComparedLight) =>
  Object.fromEntries(rows.map(({ cause, basis }) => [cause, basis]));
const worst = ({ rows }: ComparedLight) =>
  rows.toSorted((one, other) => (one.w_m2 ?? 0) - (other.w_m2 ?? 0))[0]?.cause;
const NONE = expect.closeTo(0, -0.7);

describe("one cause has the whole of a fall, and the others nothing", () => {
  test("lamps that failed, with the gain of new ones", async () => {
    const found = await dimmed("failed");
    expect(found).toMatchObject({ reason: null, with: "good_operation" });
    expect(found.before).toMatchObject({ location: "Port Hedland", operation_type: "BALLAST" });
    expect(found.now).toMatchObject({ location: "Busan", readings: 5 });
    expect(found.limit).toEqual({ mode: "IMO", w_m2: 252 });
    expect(found.lamps).toMatchObject({ failed: [7, 9], dark: [], weak: [] });
    const change = Number(found.change_w_m2);
    expect(change).toBeCloseTo(lightOf({ ...WELL, failed: [7, 9] }) - lightOf(WELL), -0.7);
    const none = { sleeves: NONE, water: NONE, power: NONE, sensor: NONE, unexplained: NONE };
    expect(parts(found)).toEqual({ ...none, lamps: expect.closeTo(change, -0.7) });
    const [first] = found.do_first;
    expect(first).toMatchObject({ act: "change_failed_lamps", lamps: [7, 9] });
    expect(first?.reaches).toBe("above_limit");
    // As bright as the others at least.
    expect(first?.gain?.low_w_m2).toBeCloseTo(-change, -0.7);
    expect(first?.gain?.high_w_m2).toBeGreaterThan(-change);
  });

  test("turbid water, with that of the other port", async () => {
    const found = await dimmed("turbid");
    expect(worst(found)).toBe("water");
    expect(parts(found)).toMatchObject({ lamps: NONE, power: NONE, unexplained: NONE });
    const [water] = found.rows.filter(({ cause }) => cause === "water");
    expect(water?.readings).toEqual([
      { name: "WATER_QUALITY_FACTOR", unit: "factor", now: 0.6, before: 0.95 },
    ]);
    const [first] = found.do_first;
    expect(first).toMatchObject({ act: "clearer_water", lamps: [] });
    expect(first?.gain?.low_w_m2).toBeCloseTo(-Number(found.change_w_m2), -0.7);
  });

  test("less power", async () => {
    const found = await dimmed("weak");
    expect(worst(found)).toBe("power");
    expect(parts(found)).toMatchObject({ lamps: NONE, water: NONE, unexplained: NONE });
    expect(found.do_first[0]).toMatchObject({ act: "raise_power" });
  });

  test("sleeves that weren't cleaned for a month, by exclusion, without a gain", async () => {
    const found = await dimmed("foul");
    expect(worst(found)).toBe("sleeves");
    expect(bases(found)).toMatchObject({ sleeves: "by_exclusion", sensor: "not_separable" });
    expect(parts(found)).toMatchObject({ lamps: NONE, water: NONE, power: NONE, sensor: null });
    expect(found.do_first).toEqual([
      { act: "clean_sleeves", lamps: [], gain: null, reaches: null },
    ]);
  });
});

test("several causes at once each have the part of their own factor", async () => {
  const found = await dimmed("several");
  const [now, before] = [lightOf({ ...WELL, ...CASES.several }), lightOf(WELL)];
  const mean = (now - before) / Math.log(now / before);
  expect(parts(found)).toEqual({
    lamps: expect.closeTo(mean * Math.log(15 / 16), -0.7),
    water: expect.closeTo(mean * Math.log(0.8 / 0.95), -0.7),
    power: expect.closeTo(mean * Math.log(88 / 80), -0.7),
    ...{ sleeves: NONE, sensor: NONE, unexplained: NONE },
  });
});

describe("what can't be found is null, and in the rest", () => {
  test("a fall that nothing explains, soon after a cleaning", async () => {
    const found = await dimmed("unexplained");
    expect(bases(found)).toMatchObject({ sleeves: "not_separable", sensor: "not_separable" });
    expect(parts(found)).toMatchObject({ sleeves: null, sensor: null });
    expect(parts(found).unexplained).toBeCloseTo(Number(found.change_w_m2), -0.7);
    const acts = found.do_first.map(({ act, gain }) => [act, gain]);
    expect(acts).toEqual([
      ["clean_sleeves", null],
      ["check_sensor", null],
    ]);
  });

  test("a water factor that isn't sent any more leaves sleeves and sensor unknown", async () => {
    const found = await dimmed("noWater");
    expect(bases(found)).toMatchObject({
      ...{ water: "not_sent_now", sleeves: "others_unknown", sensor: "others_unknown" },
      lamps: "measured",
    });
    expect(parts(found).unexplained).toBeCloseTo(Number(found.change_w_m2), -0.7);
  });

  test("power readings that contradict each other are no power", async () => {
    const found = await dimmed("contradicted");
    expect(bases(found)).toMatchObject({ power: "contradicted", sleeves: "others_unknown" });
  });

  test("without any value but the light all of a fall is unexplained", async () => {
    await using appliance = await startAppliance();
    const bare = (readings: ReturnType<typeof operation>) =>
      readings.map(({ timestamp, PROCESS_STATE, UVR_INTENSITY, ...more }) => ({
        ...{ timestamp, PROCESS_STATE, UVR_INTENSITY },
        ...{ COMPLIANCE_MODE: "IMO", SYS_FLOW_RATE: more.SYS_FLOW_RATE },
      }));
    await publishDim(appliance, bare(weekApart(END_MS, { sleeves: 0.5 })), 1);
    const found = await comparison(appliance);
    const { unexplained, ...others } = parts(found);
    expect(Object.values(others)).toEqual([null, null, null, null, null]);
    expect(unexplained).toBe(found.change_w_m2);
  });
});

test("a light that is higher than before adds up too, and nothing is to be done", async () => {
  const found = await dimmed("higher");
  expect(found.change_w_m2).toBeGreaterThan(100);
  expect(parts(found).power).toBeGreaterThan(0);
  expect(found.do_first).toEqual([]);
});

test("without an operation to compare with the answer says why, and takes the start", async () => {
  await using appliance = await startAppliance();
  expect(await comparison(appliance)).toMatchObject({ reason: "no_reading", rows: [], now: null });
  const all = operation(END_MS, { minutes: 60 });
  await publishDim(appliance, all.slice(0, 12), 0);
  expect(await comparison(appliance)).toMatchObject({ reason: "too_few_readings", before: null });
  await publishDim(appliance, all.slice(12, 20), 0);
  expect(await comparison(appliance)).toMatchObject({ reason: "no_other_operation", rows: [] });
  await publishDim(appliance, all.slice(20), 0);
  const found = await comparison(appliance);
  expect(found).toMatchObject({ reason: null, with: "operation_start", before: { readings: 10 } });
});

test("the operation that is asked for is compared, and a moment of the past", async () => {
  await using appliance = await startAppliance();
  const months = [60, 30, 7].map((days) => END_MS - days * DAY_MS);
  const before = months.flatMap((end_ms, index) => [
    ...operation(end_ms, { output: 96 - 6 * index, location: `Port ${index + 1}` }),
    ...rest(end_ms),
  ]);
  const now = operation(END_MS, { output: 60, since_cleaning_h: 310 });
  await publishDim(appliance, [...before, ...now], 3);
  const listed: readonly { id: number; location: string }[] =
    await appliance.json("/api/operations");
  expect((await comparison(appliance)).before).toMatchObject({ location: "Port 3" });
  const [oldest] = listed.filter(({ location }) => location === "Port 1");
  const asked = await comparison(appliance, `?compare=${oldest?.id}`);
  expect(asked).toMatchObject({ with: "asked", before: { operation: oldest?.id } });
  expect(parts(asked).lamps).toBeLessThan(Number(parts(await comparison(appliance)).lamps));
  const then = await comparison(appliance, `?at=${new Date(months[2]).toISOString()}`);
  expect(then).toMatchObject({ now: { location: "Port 3" }, before: { location: "Port 2" } });
  for (const [query, status] of [
    ["compare=9999", 404],
    ["compare=x", 400],
    ["at=yesterday", 400],
  ] as const)
    expect((await askChecked(appliance, "GET", `/api/diagnosis?${query}`)).status).toBe(status);
});

test("earlier cleanings show the range of a gain, and what the sleeves can have lost", async () => {
  await using appliance = await startAppliance();
  // Five intervals of 30 days at whose end the sleeves let 85 to 88 % through.
  const cycles = [0.85, 0.88, 0.86, 0.87, 0.85].flatMap((sleeves, cycle) => {
    const end_ms = END_MS - (160 - 30 * cycle) * DAY_MS;
    const foul_ms = end_ms + 29 * DAY_MS;
    return [
      ...operation(end_ms, { minutes: 480, since_cleaning_h: 2 }),
      ...rest(end_ms),
      ...operation(foul_ms, { minutes: 480, sleeves, since_cleaning_h: 29 * 24 }),
      ...rest(foul_ms),
    ];
  });
  const foul = { sleeves: 0.7, since_cleaning_h: 40 * 24, minutes: 480 };
  const clean_ms = END_MS - 10 * DAY_MS;
  const clean = [...operation(clean_ms, { since_cleaning_h: 2, minutes: 480 }), ...rest(clean_ms)];
  await publishDim(appliance, [...cycles, ...clean, ...operation(END_MS, foul)], 11);
  const found = await comparison(appliance);
  expect(found.cleanings.measured).toBeGreaterThanOrEqual(4);
  expect(found.cleanings.last_gain_percent).toBeCloseTo(100 / 0.85 - 100, 0);
  const [sleeves] = found.rows.filter(({ cause }) => cause === "sleeves");
  // No more than earlier intervals of this length cost; the rest isn't explained.
  expect(sleeves).toMatchObject({ basis: "learned" });
  expect(parts(found).unexplained).toBeLessThan(-20);
  const [first] = found.do_first;
  expect(first?.act).toBe("clean_sleeves");
  const { low_w_m2 = 0, high_w_m2 = 0 } = first?.gain ?? {};
  expect(low_w_m2).toBeGreaterThan(50);
  expect(high_w_m2).toBeGreaterThan(low_w_m2);
});
