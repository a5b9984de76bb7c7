// Events, health and predictions by date, and with alarms and gaps as files, through the built
// program: a range is what the whole list has of it, and one far back costs no more than the
// newest.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openReader, statementText } from "../../src/sqlite/file/open.ts";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { askChecked } from "../oracle/asking.ts";
import { DAY_MS, HOUR_MS } from "../rig/grouping.ts";
import { runProgram } from "../rig/program.ts";
import { printedRandom } from "../rig/random.ts";
import { sampled } from "../rig/scale.ts";

const NEWEST_MS = Date.parse("2026-05-01T12:00:00Z");
const OLDEST_MS = NEWEST_MS - 730 * DAY_MS;

const random = printedRandom("records");
const times = Array.from({ length: 60 }, () => random.between(OLDEST_MS, NEWEST_MS));
const TIMES = [...times, OLDEST_MS, NEWEST_MS, ...times.slice(0, 9).map((at_ms) => at_ms + 1)];

// Every third would be a formula in a spreadsheet.
const description = (number: number) => `${number % 3 === 0 ? "=" : "UV_LOW: "}${number}, "UV"`;

const NO_RANGE = { start_ms: 0, at_ms: 0, from_ms: 0, end_ms: 1, before_ms: 1 };

let appliance: Appliance;

beforeAll(async () => {
  appliance = await startAppliance();
  const scored = TIMES.slice(0, 8).map((timestamp) => ({
    ...{ timestamp, PROCESS_STATE: "RUNNING", UVR_INTENSITY: random.between(200, 700) },
  }));
  const events = TIMES.flatMap((timestamp, number) =>
    ["PROCESS_START", "ALARM_TRIGGERED"].map((event_type) => ({
      ...{ timestamp, event_type, description: description(number) },
      data: { number, location: "=1+1", nested: [{ "a\n": '"' }] },
    })),
  );
  const health = TIMES.map((timestamp) => ({ timestamp, overall_score: random.between(0, 100) }));
  const predictions = TIMES.flatMap((timestamp) =>
    ["LAMP_02", "LAMP_16"].map((component_id) => ({
      ...{ timestamp, component_id, predictions: { failure_probability: 0.5 } },
    })),
  );
  const kinds = { telemetry: scored, events, health, predictions };
  await appliance.publish(
    Object.entries(kinds).map(([kind, all]) => ({ kind, payload: JSON.stringify(all) })),
  );
  const slots = new Set(scored.map(({ timestamp }) => Math.floor(timestamp / (HOUR_MS / 4))));
  await appliance.program.waitUntil("health is scored", async () => {
    const { length } = await appliance.json("/api/health?limit=10000");
    return length === new Set(TIMES).size + slots.size;
  });
});

afterAll(() => appliance?.[Symbol.asyncDispose]());

interface Timed {
  readonly timestamp: string;
}

const PATHS = ["/api/events", "/api/events?type=PROCESS_START", "/api/health", "/api/predictions"];

test.each(PATHS)("%s answers a range as the whole list has it", async (path) => {
  const asked = (more: string) => `${path}${path.includes("?") ? "&" : "?"}${more}`;
  const all: readonly Timed[] = await appliance.json(asked("limit=10000"));
  expect(all.length).toBeGreaterThan(60);
  const expected = (from_ms: number, to_ms: number) =>
    all.filter(({ timestamp }) => {
      const at_ms = Date.parse(timestamp);
      return at_ms >= from_ms && at_ms <= to_ms;
    });
  for (let turn = 0; turn < 5; turn += 1) {
    const [from_ms, to_ms] = [random.pick(TIMES), random.pick(TIMES)].sort((a, b) => a - b);
    const start = `startDate=${new Date(from_ms).toISOString()}`;
    const end = `endDate=${new Date(to_ms).toISOString()}`;
    const limit = random.between(1, 9);
    const both = expected(from_ms, to_ms);
    expect(await appliance.json(asked(`${start}&${end}&limit=10000`))).toEqual(both);
    expect(await appliance.json(asked(`${end}&${start}&limit=${limit}`))).toEqual(
      both.slice(0, limit),
    );
    expect(await appliance.json(asked(`${start}&limit=10000`))).toEqual(
      expected(from_ms, NEWEST_MS),
    );
    expect(await appliance.json(asked(end))).toEqual(expected(0, to_ms).slice(0, 100));
  }
  const day = Math.floor(OLDEST_MS / DAY_MS) * DAY_MS;
  const date = new Date(OLDEST_MS).toISOString().slice(0, 10);
  const ofDay = await askChecked(appliance, "GET", asked(`startDate=${date}&endDate=${date}`));
  expect(JSON.parse(ofDay.bytes.toString())).toEqual(expected(day, day + DAY_MS - 1));
  expect(await appliance.json(asked("startDate=2030-01-01"))).toEqual([]);
});

const KINDS = { events: "timestamp", health: "timestamp", predictions: "timestamp" } as const;
const FILES = { ...KINDS, alarms: "since", gaps: "start" } as const;

/** The expected rows, ascending; rows of one time in the list's order, events in their own. */
async function ascending(kind: keyof typeof FILES, more = ""): Promise<readonly object[]> {
  const list = await appliance.json(`/api/${kind}?limit=10000${more}`);
  const time = FILES[kind];
  if (kind === "events" || kind === "alarms") list.reverse();
  return list.sort(
    (one: Member, other: Member) =>
      (one[time] < other[time] ? -1 : 1) * Number(one[time] !== other[time]),
  );
}

type Member = Readonly<Record<string, string>>;

const exported = (...args: readonly string[]) =>
  runProgram({ args: ["export", ...args], folder: appliance.program.folder });

describe.each(sampled(2, ["events", "health", "predictions", "alarms", "gaps"] as const))(
  "%s as a file",
  (kind) => {
    test("are what the list answers, by command and by route, whole and by date", async () => {
      const all = await ascending(kind);
      expect(all.length).toBeGreaterThan(0);
      const first_ms = Date.parse(String((all[0] as Member)[FILES[kind]]));
      const behind_first = new Date(first_ms + 1).toISOString();
      for (const dates of [[], ["2025-01-03", "2025-09-30"], [behind_first, "2035-01-01"]]) {
        const [from, to] = dates;
        const range = from === undefined ? "" : `&startDate=${from}&endDate=${to}`;
        const options = from === undefined ? [] : ["--from", from, "--to", to ?? ""];
        const expected = await ascending(kind, range);
        const ndjson = await appliance.get(`/export/${kind}?format=ndjson${range}`);
        expect(ndjson.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
        expect(ndjson.text).toBe(expected.map((record) => `${JSON.stringify(record)}\n`).join(""));
        const csv = await appliance.get(`/export/${kind}?x=1${range}`);
        expect(csv.headers.get("content-disposition")).toContain(`BWTS-001-${kind}`);
        expect(rowsOf(csv.text)).toEqual([
          Object.keys(all[0]),
          ...expected.map((record) => Object.values(record).map(cellOf)),
        ]);
        const [format, text] = from === undefined ? ["ndjson", ndjson.text] : ["csv", csv.text];
        const said = await exported(kind, "--format", format, ...options);
        expect([said.code, said.stdout]).toEqual([0, text]);
        expect(said.stderr).toMatch(new RegExp(`^exported ${expected.length} (health )?[a-z]+\n$`));
      }
    });
  },
);

test("no cell of a file is a formula", async () => {
  const { text } = await appliance.get("/export/events");
  expect(text).toContain(`,"'=0, ""UV""",`);
  for (const row of rowsOf(text)) for (const cell of row) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
});

test("events that a void hides are left out, or marked", async () => {
  const all = await ascending("events");
  const date = new Date(OLDEST_MS).toISOString().slice(0, 10);
  const hide = [
    "void",
    "--events",
    "--from",
    date,
    "--to",
    date,
    "--reason",
    "a test of the alarm",
  ];
  const { folder } = appliance.program;
  expect(await runProgram({ args: hide, folder })).toMatchObject({ code: 0 });
  const left = await ascending("events");
  expect(left.length).toBeLessThan(all.length);
  const { text } = await appliance.get("/export/events?format=ndjson");
  expect(linesOf(text)).toEqual(left);
  const both = linesOf((await exported("events", "--format", "ndjson", "--with-voided")).stdout);
  expect(both.map(({ voided, ...event }) => event)).toEqual(all);
  expect(both.filter(({ voided }) => voided === false).length).toBe(left.length);
  for (const args of [["alarms", "--with-voided"], ["gaps", "--columns", "start"], ["plants"]])
    expect(await exported(...args)).toMatchObject({ code: 2, stdout: "" });
  expect(await exported("health", "--output", "health.ndjson")).toMatchObject({ code: 0 });
  const taken = await runProgram({ args: ["import", "health.ndjson"], folder });
  expect([taken.code, taken.stdout]).toEqual([1, expect.stringContaining("stored 0 readings")]);
  const file = await exported("health", "--output", "health.sqlite");
  expect([file.code, file.stderr]).toEqual([2, expect.stringContaining("expected csv or ndjson")]);
});

function linesOf(text: string): readonly Readonly<Record<string, unknown>>[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** Cells of CSV by RFC 4180. */
function rowsOf(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g,
  )) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? "");
    if (end === "\r\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

/** A member in CSV: nested ones as JSON, formulas behind an apostrophe. */
function cellOf(member: unknown): string {
  if (member === null) return "";
  if (typeof member === "string") return member.replace(/^(?='*[=+\-@\t\r])/, "'");
  return typeof member === "object" ? JSON.stringify(member) : String(member);
}

// Predictions of one time, of some lamps each, are sorted by lamp.
test("no range walks a table, nor sorts more than what is of one time", () => {
  const db = openReader(`${appliance.program.folder}/data/ballastd.db`);
  for (const name of [
    ...["event.newest", "event.newest_of_type", "health.received_newest", "health.newest"],
    ...["prediction.newest", "forecast.newest", "record.events", "record.events_stored"],
    ...["record.health", "record.health_received", "record.forecasts", "record.predictions"],
  ]) {
    const plan = db
      .prepare<[object], { detail: string }>(`explain query plan ${statementText(name)}`)
      .all({ ...NO_RANGE, limit: 1, id: 0, component_id: "", lamp: 0, event_type: "" })
      .map(({ detail }) => detail);
    expect(plan[0], name).toMatch(/^SEARCH \w+ USING .*(at_ms|day_ms|raised_ms|rowid)[^>]*>/);
    expect(plan.join(), name).not.toMatch(/SCAN|B-TREE FOR ORDER/);
  }
  db.close();
});
