// Query parameters: what each route makes of the text of a URL, and how it says no.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { dates, optionalRange, rangeOf, readQuery } from "../../../src/http/parameters.ts";
import { Refusal } from "../../../src/http/refusal.ts";
import { ROUTES } from "../../../src/http/routes/routes.ts";

function queryOf(path: string) {
  const route = ROUTES.find((one) => one.path === path);
  if (route === undefined) throw new Error(`${path} is no route`);
  return route.query;
}

const HealthQuery = queryOf("/api/health");
const HealthAggregatedQuery = queryOf("/api/health/aggregated");
const EventsQuery = queryOf("/api/events");
const HistoryQuery = queryOf("/api/telemetry/history");
const AggregatedQuery = queryOf("/api/telemetry/aggregated");
const ChunkedQuery = queryOf("/api/telemetry/chunked");
const Dates = z.object(dates);

function messageFor(read: () => unknown): string {
  try {
    return `not refused: ${JSON.stringify(read())}`;
  } catch (error) {
    if (error instanceof Refusal && error.status === 400) return error.message;
    throw error;
  }
}

/** Every integer of every route's query, by its path and name. */
const INTEGERS = ROUTES.flatMap(({ path, query }) =>
  Object.entries(query.shape)
    .filter(([, schema]) => z.toJSONSchema(schema, { io: "input" }).type === "integer")
    .map(([name]) => [`${path}?${name}`, query, name] as const),
);

test("queries have integers", () => {
  const names = INTEGERS.map(([name]) => name);
  expect(names).toContain("/admin/quarantine?before");
  expect(names).toContain("/api/ledger/proof?number");
});

test.each(INTEGERS)("%s takes plain digits alone", (_, query, name) => {
  for (const given of ["1e3", "0x10", "%2B5", "1.0", "%205", "", "Infinity", "0b1", "1_0"]) {
    // Other parameters may be missing, so only its own issue counts.
    const issues = query.safeParse({ [name]: decodeURIComponent(given) }).error?.issues ?? [];
    expect(issues.map(({ path }) => path[0])).toContain(name);
  }
  const issues = query.safeParse({ [name]: "5" }).error?.issues ?? [];
  expect(issues.map(({ path }) => path[0])).not.toContain(name);
});

describe("integers", () => {
  test.each([
    ["", 100],
    ["limit=1", 1],
    ["limit=10000", 10_000],
    ["limit=007", 7],
    ["_=17&source=dashboard&Limit=x", 100],
    ["cache=1&cache=2", 100],
  ])("%j is a limit of %d", (text, limit) => {
    expect(readQuery(HealthQuery, text)).toEqual({ limit });
  });

  test.each([
    "limit=",
    "limit",
    "limit=0",
    "limit=-0",
    "limit=10001",
    "limit=1e3",
    "limit=5abc",
    "limit=1.0",
    "limit=+5",
    "limit=%205",
    "limit=5%20",
    "limit=0x10",
    "limit=NaN",
    "limit=%zz",
    "limit=%D9%A5",
    "limit=99999999999999999999999999",
  ])("%j is refused with the name and the limits", (text) => {
    const message = messageFor(() => readQuery(HealthQuery, text));
    expect(message).toMatch(/^limit: ".*" was given, expected an integer from 1 to 10000$/);
  });

  test("a repeated parameter is refused, even with the same value", () => {
    const message = messageFor(() => readQuery(HealthQuery, "limit=5&limit=5"));
    expect(message).toBe('limit: given as "5" and again as "5", expected it once');
  });

  test("an offset of 2^53 is taken and the next integer is not", () => {
    const dates = "startDate=2026-05-01&endDate=2026-05-02";
    const { offset } = readQuery(ChunkedQuery, `${dates}&offset=9007199254740992`);
    expect(offset).toBe(2 ** 53);
    const message = messageFor(() => readQuery(ChunkedQuery, `${dates}&offset=9007199254740993`));
    expect(message).toContain("expected an integer from 0 to 9007199254740992");
  });

  test("whatever text is given, hours is an integer in its range or refused", () => {
    const seed = Date.now();
    console.log(`seed ${seed}`);
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.integer().map(String)), (text) => {
        const given = new URLSearchParams({ hours: text }).toString();
        const valid = /^-?[0-9]+$/.test(text) && Number(text) >= 1 && Number(text) <= 87_600;
        if (valid) expect(readQuery(HistoryQuery, given).hours).toBe(Number(text));
        else expect(messageFor(() => readQuery(HistoryQuery, given))).toMatch(/^hours: /);
      }),
      { seed },
    );
  });
});

describe("words", () => {
  test.each([
    [AggregatedQuery, "interval=week", 'interval: "week" was given, expected day or hour'],
    [AggregatedQuery, "interval=", 'interval: "" was given, expected day or hour'],
    [HealthAggregatedQuery, "interval=DAY", 'interval: "DAY" was given, expected day or hour'],
    [
      EventsQuery,
      "type=ALARM",
      'type: "ALARM" was given, expected PROCESS_START, PROCESS_STOP or ALARM_TRIGGERED',
    ],
  ])("%# an unknown word is refused with the known ones", (schema, text, message) => {
    expect(messageFor(() => readQuery(schema, text))).toBe(message);
  });

  test("a long value is cut in the message", () => {
    const message = messageFor(() => readQuery(AggregatedQuery, `interval=${"x".repeat(9000)}`));
    expect(message.length).toBeLessThan(200);
  });
});

describe("dates", () => {
  const range = (text: string) => rangeOf(readQuery(Dates, text));

  test.each([
    ["startDate=2026-05-01", "2026-05-01T00:00:00.000Z", null],
    ["endDate=2026-05-01", null, "2026-05-01T23:59:59.999Z"],
    [
      "startDate=2026-05-01&endDate=2026-05-01",
      "2026-05-01T00:00:00.000Z",
      "2026-05-01T23:59:59.999Z",
    ],
    ["startDate=2026-05-01T06:30", "2026-05-01T06:30:00.000Z", null],
    ["startDate=2026-05-01%2006:30:10.1239", "2026-05-01T06:30:10.123Z", null],
    ["startDate=2026-05-01T06:30:00%2B02:00", "2026-05-01T04:30:00.000Z", null],
    ["startDate=2026-05-01T06:30:00+02:00", "2026-05-01T04:30:00.000Z", null],
    ["endDate=2026-05-01T00:00:00Z", null, "2026-05-01T00:00:00.000Z"],
  ])("%j is from %s to %s", (text, start, end) => {
    const at = (time: string | null) => (time === null ? null : Date.parse(time));
    expect(range(text)).toEqual({ start_ms: at(start), end_ms: at(end) });
  });

  test.each([
    "2026-02-30",
    "2026-05-01T24:00",
    "2026-05-01T10:60",
    "2026-05-01T10:00:60",
    "2026-W18-1",
    "2026-05",
    "1777600000000",
    "yesterday",
    "",
  ])("%j is refused as a date", (text) => {
    const message = messageFor(() => range(`startDate=${encodeURIComponent(text)}`));
    expect(message).toContain(`startDate: ${JSON.stringify(text)} was given, expected an ISO 8601`);
  });

  test("a start after the end is refused with both", () => {
    const message = messageFor(() => range("startDate=2026-05-02&endDate=2026-05-01"));
    expect(message).toContain("2026-05-02T00:00:00.000Z is after endDate 2026-05-01T23:59:59.999Z");
  });

  test("a missing date of a page is refused by name", () => {
    const message = messageFor(() => readQuery(ChunkedQuery, "startDate=2026-05-01"));
    expect(message).toMatch(/^endDate: is missing, expected an ISO 8601/);
  });

  test("no date at all is no range", () => {
    expect(optionalRange(readQuery(Dates, "interval=hour"))).toBeNull();
  });
});
