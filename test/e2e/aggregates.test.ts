// Buckets through the built program: hours, days and the month against a GROUP BY over what was
// sent, for whole ranges and for ranges that cut hours, days and milliseconds.

import { afterAll, beforeAll, expect, test } from "vitest";
import { AGGREGATED, TAGS } from "../../src/bwts/tags.ts";
import { type Appliance, type Sent, startAppliance } from "../oracle/appliance.ts";
import {
  DAY_MS,
  expectedRows,
  grouped,
  HOUR_MS,
  type Interval,
  numbersOf,
  rowProblems,
  type Span,
  within,
} from "../rig/grouping.ts";
import { isNear, listProblems, mean, openLogbook, printed, type Value } from "../rig/logbook.ts";
import { printedRandom, type Random } from "../rig/random.ts";
import { LONG } from "../rig/scale.ts";

// Two operations of a year apart in the same calendar month, one across a leap day, one across the
// end of a year, and one so near to the end of the data that the month is not complete.
const OPERATIONS = ["2023-05-10T22:00Z", "2023-12-31T18:00Z", "2024-02-28T20:00Z", "2024-05-09Z"];
const OVERFLOW_MS = Date.UTC(2022, 0, 1, 5);

let appliance: Appliance;
let random: Random;
const logbook = openLogbook("BWTS-001");

beforeAll(async () => {
  random = printedRandom("e2e-aggregates");
  appliance = await startAppliance();
});
afterAll(() => appliance[Symbol.asyncDispose]());

/** A reading's fields, no two readings having the same ones. */
function randomFields(): Map<string, Value> {
  const fields = new Map<string, Value>();
  const share = random.pick([0.1, 0.9, 0.9]);
  for (const index of AGGREGATED) {
    const { name, type } = TAGS[index];
    if (!random.chance(share) || name === "AVG_LAMP_EFFICIENCY") continue;
    const value = type === "integer" ? random.between(0, 16) : random.next() * 1000;
    fields.set(name, random.chance(0.5) ? value : Math.round(value));
  }
  return fields;
}

/** Readings all over the operations, sent in three steps that don't keep to time. */
async function sendStep(count: number): Promise<void> {
  const messages: Sent[] = [];
  for (let sent = 0; sent < count; sent += 1) {
    const start_ms = Date.parse(random.pick(OPERATIONS));
    const at_ms = start_ms + random.between(0, 20) * HOUR_MS + random.between(0, HOUR_MS);
    const reading = { at_ms, fields: randomFields() };
    if (random.chance(0.1)) reading.at_ms = Math.floor(at_ms / HOUR_MS) * HOUR_MS - 1;
    if (logbook.has(reading.at_ms)) continue;
    logbook.note(reading);
    const members = { timestamp: printed(reading.at_ms), ...Object.fromEntries(reading.fields) };
    messages.push({ kind: "telemetry", payload: JSON.stringify(members) });
  }
  await appliance.publish(messages);
}

/** A lamp of some stored readings, said later: what is there changes, what is derived too. */
async function sendLateLamps(): Promise<void> {
  const messages = logbook
    .readings()
    .filter(({ members }) => members.get("LAMP_16_RUNTIME") === null)
    .filter(() => random.chance(0.3))
    .map(({ at_ms, members }): Sent => {
      const isOpen = members.get("LAMP_16_EFFICIENCY") === null;
      const lamp = { runtime: random.next() * 1e4, ...(isOpen ? { efficiency: 55.5 } : {}) };
      const fields = Object.entries(lamp).map(([name, value]): [string, Value] => [
        `LAMP_16_${name.toUpperCase()}`,
        value,
      ]);
      logbook.note({ at_ms, fields: new Map(fields) });
      return { kind: "lamps/16", payload: JSON.stringify({ timestamp: at_ms, ...lamp }) };
    });
  expect(messages.length).toBeGreaterThan(0);
  await appliance.publish(messages);
}

async function expectRows(span: Span, query: string): Promise<void> {
  for (const interval of ["hour", "day"] satisfies Interval[]) {
    const path = `/api/telemetry/aggregated?interval=${interval}${query}`;
    const answered = await appliance.json(path);
    const expected = expectedRows(within(logbook.readings(), span), interval);
    expect(rowProblems(expected, answered), path).toEqual([]);
  }
}

const EVER: Span = { start_ms: -Infinity, end_ms: Infinity };

test("buckets agree with their readings after late, changed and interleaved ones", async () => {
  for (let step = 0; step < 3; step += 1) {
    await sendStep(300);
    await expectRows(EVER, "&startDate=2000-01-01");
    await sendLateLamps();
    await expectRows(EVER, "&endDate=2026-12-31");
  }
});

test("a bucket that the range cuts counts only the readings inside it", LONG, async () => {
  const readings = logbook.readings();
  const edge = () => {
    const { at_ms } = random.pick(readings);
    const width_ms = random.pick([1, HOUR_MS, DAY_MS]);
    const border_ms = Math.floor(at_ms / width_ms) * width_ms;
    return random.pick([at_ms, at_ms - 1, at_ms + 1, border_ms, border_ms - 1]);
  };
  for (let round = 0; round < 100; round += 1) {
    const [start_ms, end_ms] = [edge(), edge()].sort((a, b) => a - b);
    const [startDate, endDate] = [printed(start_ms), printed(end_ms)];
    await expectRows({ start_ms, end_ms }, `&startDate=${startDate}&endDate=${endDate}`);
  }
  for (let round = 0; round < 20; round += 1) {
    const at_ms = edge();
    await expectRows({ ...EVER, start_ms: at_ms }, `&startDate=${printed(at_ms)}`);
    await expectRows({ ...EVER, end_ms: at_ms }, `&endDate=${printed(at_ms)}&hours=1`);
    await expectRows({ start_ms: at_ms, end_ms: at_ms }, rangeOf(printed(at_ms), printed(at_ms)));
  }
});

const rangeOf = (start: string, end: string) => `&startDate=${start}&endDate=${end}`;

test("a date alone is the day's beginning as a start, and its end as an end", async () => {
  for (let round = 0; round < 20; round += 1) {
    const [first_ms, last_ms] = [0, 0]
      .map(() => Math.floor(random.pick(logbook.readings()).at_ms / DAY_MS) * DAY_MS)
      .sort((a, b) => a - b);
    const [start, end] = [first_ms, last_ms].map((at_ms) => printed(at_ms).slice(0, 10));
    await expectRows({ start_ms: first_ms, end_ms: last_ms + DAY_MS - 1 }, rangeOf(start, end));
  }
});

test("without dates the hours count back from the latest reading, 720 by default", async () => {
  const readings = logbook.readings();
  const end_ms = readings[readings.length - 1].at_ms;
  for (const hours of [1, 7, 24, 720, 87_600])
    await expectRows({ start_ms: end_ms - hours * HOUR_MS, end_ms }, `&hours=${hours}`);
  await expectRows({ start_ms: end_ms - 720 * HOUR_MS, end_ms }, "");
  const days = await appliance.json("/api/telemetry/aggregated?hours=9000");
  expect(days).toEqual(await appliance.json("/api/telemetry/aggregated?interval=day&hours=9000"));
});

test("fields alone have mean, least and greatest value, also those without buckets", async () => {
  const kept = ["UVR_INTENSITY", "FAILED_LAMP_COUNT", "LAMP_03_RUNTIME"];
  const unkept = ["FLT_DIFF_PRESSURE", "SYS_FLOW_RATE", "LAMP_01_RUNTIME"];
  const readings = logbook.readings();
  for (const names of [kept, unkept])
    for (const interval of ["hour", "day"] satisfies Interval[]) {
      const [start_ms, end_ms] = [0, 0]
        .map(() => random.pick(readings).at_ms)
        .sort((a, b) => a - b);
      const range = rangeOf(printed(start_ms), printed(end_ms));
      const query = `fields=${names}&interval=${interval}${range}`;
      const answered = await appliance.json(`/api/telemetry/aggregated?${query}`);
      const groups = grouped(within(readings, { start_ms, end_ms }), interval);
      expect(fieldProblems(groups, { names, answered }), query).toEqual([]);
    }
});

test("a page of readings answers the fields asked for and no others", async () => {
  const readings = logbook.readings().slice(0, 700);
  const range = rangeOf(printed(readings[0].at_ms), printed(readings[699].at_ms)).slice(1);
  const path = `/api/telemetry/chunked?${range}&limit=650&offset=20`;
  const { data, pagination } = await appliance.json(`${path}&fields=SYS_PRESSURE,PROCESS_STATE`);
  expect(pagination).toEqual({ offset: 20, limit: 650, total: 700, hasMore: true });
  const expected = readings.slice(20, 670).map(({ at_ms, members }) => ({
    timestamp: printed(at_ms),
    SYS_PRESSURE: members.get("SYS_PRESSURE"),
    PROCESS_STATE: members.get("PROCESS_STATE"),
  }));
  expect(data).toEqual(expected);
});

test("an unknown field, one named twice and one that isn't a number are refused", async () => {
  const day = "startDate=2026-05-01&endDate=2026-05-01";
  for (const [path, odd] of [
    ["aggregated?fields=UVR_INTENSITY,UVR", "UVR"],
    ["aggregated?fields=PROCESS_STATE", "PROCESS_STATE"],
    ["aggregated?fields=", ""],
    [`chunked?${day}&fields=SYS_PRESSURE,SYS_PRESSURE`, "SYS_PRESSURE"],
    [`chunked?${day}&fields=timestamp`, "timestamp"],
  ]) {
    const response = await fetch(`${appliance.url}/api/telemetry/${path}`);
    expect(response.status).toBe(400);
    const { message } = await response.json();
    expect(message).toMatch(/^fields: /);
    expect(message).toContain(`"${odd}": expected a `);
  }
});

/** The problems of buckets of some fields, against the readings by hour or day. */
function fieldProblems(
  groups: ReturnType<typeof grouped<ReturnType<typeof logbook.readings>[number]>>,
  { names, answered }: { names: string[]; answered: Record<string, unknown>[] },
): string[] {
  const members = names.flatMap((name) => [name, `${name}_min`, `${name}_max`]);
  const keys = ["timestamp", ...members, "recordCount"].join();
  if (answered.length !== groups.length) return [`got ${answered.length} rows`];
  return groups.flatMap(([start_ms, group], index) => {
    const row = answered[index];
    const at = `${printed(start_ms)} ${JSON.stringify(row)}`;
    if (Object.keys(row).join() !== keys || row.timestamp !== printed(start_ms)) return [at];
    return names.flatMap((name) => {
      const { aggregate } = TAGS.find((tag) => tag.name === name) ?? {};
      const values = numbersOf(group, name);
      const isEmpty = values.length === 0;
      const hasBand = !isEmpty && aggregate !== "last";
      const least = hasBand ? Math.min(...values) : null;
      const most = hasBand ? Math.max(...values) : null;
      const last = values.at(-1) ?? null;
      const value = aggregate === "last" ? last : aggregate === "max" ? most : mean(values);
      const isRight =
        isNear(isEmpty ? null : value, row[name], { absolute: 1e-4, relative: 1e-9 }) &&
        row[`${name}_min`] === least &&
        row[`${name}_max`] === most;
      return isRight ? [] : [`${name}: expected ${value}, ${least} to ${most}: ${at}`];
    });
  });
}

test("the month's averages are over the calendar month of the latest reading alone", async () => {
  const readings = logbook.readings();
  const month = printed(readings[readings.length - 1].at_ms).slice(0, 7);
  const inMonth = readings.filter(({ at_ms }) => printed(at_ms).startsWith(month));
  expect(inMonth.length).toBeLessThan(readings.length);
  const { monthlyAvg } = await appliance.json("/api/stats");
  expect(Object.keys(monthlyAvg)).toEqual(["avgUVIntensity", "avgPowerOutput", "avgFlowRate"]);
  for (const [name, tag] of [
    ["avgUVIntensity", "UVR_INTENSITY"],
    ["avgPowerOutput", "UVR_POWER_OUTPUT"],
    ["avgFlowRate", "SYS_FLOW_RATE"],
  ]) {
    const expected = mean(numbersOf(inMonth, tag));
    const isRight = isNear(expected, monthlyAvg[name], { absolute: 1e-4, relative: 1e-9 });
    expect(isRight, `${name}: got ${monthlyAvg[name]}, expected ${expected}`).toBe(true);
  }
});

test("values that no plant has are in no bucket, the rest of their readings is", async () => {
  const sent = [1.7e308, 1.7e308, -1e300].map((value, index) => ({
    timestamp: OVERFLOW_MS + index,
    ...{ UVR_INTENSITY: value, SYS_PRESSURE: 1e300, LAMP_01_RUNTIME: value, FAILED_LAMP_COUNT: -0 },
  }));
  await appliance.publish([{ kind: "telemetry", payload: JSON.stringify(sent) }]);
  for (const interval of ["hour", "day"]) {
    const query = `interval=${interval}&endDate=2022-12-31`;
    const [row, ...others] = await appliance.json(`/api/telemetry/aggregated?${query}`);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      ...{ UVR_INTENSITY: null, SYS_PRESSURE: null, LAMP_01_RUNTIME: null, SYS_FLOW_RATE: null },
      ...{ FAILED_LAMP_COUNT: 0, recordCount: 3 },
    });
  }
});

test("while readings come in, every answer is that of some moment", async () => {
  await using busy = await startAppliance();
  const coming = openLogbook("BWTS-001");
  const messages = [...Array(1500).keys()].map((number): Sent => {
    const at_ms = Date.UTC(2024, 1, 28, 12) + number * 60_000;
    coming.note({ at_ms, fields: new Map([["UVR_INTENSITY", number]]) });
    return { kind: "telemetry", payload: `{"timestamp":${at_ms},"UVR_INTENSITY":${number}}` };
  });
  const expected = coming.readings();
  let isComing = true;
  const done = busy.publish(messages).then(() => {
    isComing = false;
  });
  let seen = 0;
  while (isComing) {
    const range = "startDate=2024-02-28&endDate=2024-03-01";
    const page = await busy.json(`/api/telemetry/chunked?${range}&limit=10000`);
    const { total } = page.pagination;
    expect(listProblems(expected.slice(0, total), page.data)).toEqual([]);
    const rows: { recordCount: number }[] = await busy.json(`/api/telemetry/aggregated?${range}`);
    const count = rows.reduce((sum, { recordCount }) => sum + recordCount, 0);
    expect(rowProblems(expectedRows(expected.slice(0, count), "day"), rows)).toEqual([]);
    expect(total).toBeGreaterThanOrEqual(seen);
    expect(count).toBeGreaterThanOrEqual(total);
    seen = count;
  }
  await done;
});

test("nothing was set aside", async () => {
  expect(await appliance.quarantine()).toEqual([]);
});
