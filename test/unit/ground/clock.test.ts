// Time: what is read as an instant, what isn't, and that every instant is printed in one form.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  DAY_MS,
  floorTo,
  HOUR_MS,
  monthOf,
  parseTime,
  printTime,
} from "../../../src/ground/clock.ts";

const printed = (text: string) => {
  const time = parseTime(text);
  return time === null ? null : printTime(time.at_ms);
};

describe("an instant", () => {
  test.each([
    ["2026-05-01", "2026-05-01T00:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["2000-02-29", "2000-02-29T00:00:00.000Z"],
    ["0050-01-01", "0050-01-01T00:00:00.000Z"],
    ["2026-05-01T10:20:30Z", "2026-05-01T10:20:30.000Z"],
    ["2026-05-01t10:20:30z", "2026-05-01T10:20:30.000Z"],
    ["2026-05-01 10:20:30", "2026-05-01T10:20:30.000Z"],
    ["2026-05-01T10:20", "2026-05-01T10:20:00.000Z"],
    ["2026-05-01T10:20Z", "2026-05-01T10:20:00.000Z"],
    ["2026-05-01T10:20:30.5", "2026-05-01T10:20:30.500Z"],
    ["2026-05-01T10:20:30,25Z", "2026-05-01T10:20:30.250Z"],
    ["2026-05-01T10:20:30.123999999Z", "2026-05-01T10:20:30.123Z"],
    ["2026-05-01T10:20:30+02:00", "2026-05-01T08:20:30.000Z"],
    ["2026-05-01T10:20:30-0930", "2026-05-01T19:50:30.000Z"],
    ["2026-05-01T10:20:30+02", "2026-05-01T08:20:30.000Z"],
    ["2026-05-01T10:20:30 02:00", "2026-05-01T08:20:30.000Z"],
    ["2026-05-01 10:20:30 +02:00", "2026-05-01T08:20:30.000Z"],
    ["2026-12-31T23:30:00-01:00", "2027-01-01T00:30:00.000Z"],
  ])("%j is %s", (text, iso) => {
    expect(printed(text)).toBe(iso);
  });

  test.each([
    "",
    " 2026-05-01",
    "2026-05-01 ",
    "2026-5-1",
    "26-05-01",
    "20260501",
    "2026-05",
    "2026-00-01",
    "2026-13-01",
    "2026-05-00",
    "2026-04-31",
    "2026-02-29",
    "2100-02-29",
    "2026-W18-5",
    "2026-121",
    "2026-05-01T24:00",
    "2026-05-01T10:60",
    "2026-05-01T10:20:60",
    "2016-12-31T23:59:60Z",
    "2026-05-01T10",
    "2026-05-01T10:20.5",
    "2026-05-01T10:20:30.",
    "2026-05-01T10:20:30+24:00",
    "2026-05-01T10:20:30+02:60",
    "2026-05-01T10:20:30+2",
    "2026-05-01Z",
    "2026-05-01+02:00",
    "2026-05-01T10:20:30 CET",
    "2026-05-01T10:20:30ZZ",
    "2026-05-01T10:20:30\n",
    "٢٠٢٦-05-01",
    "now",
  ])("%j is none", (text) => {
    expect(parseTime(text)).toBeNull();
  });

  test("only a date without a time says that it is one", () => {
    const forms = ["2026-05-01", "2026-05-01T00:00", "2026-05-01 00:00:00Z"];
    expect(forms.map((text) => parseTime(text)?.dateOnly)).toEqual([true, false, false]);
  });

  test("is read back from what is printed, whatever the machine's zone", () => {
    const instant = fc.integer({ min: Date.UTC(0, 0, 1), max: Date.UTC(9999, 11, 31) });
    fc.assert(
      fc.property(instant, (at_ms) => {
        expect(parseTime(printTime(at_ms))).toEqual({ at_ms, dateOnly: false });
      }),
      { seed: 11 },
    );
  });
});

test("the start of an hour or day is found before 1970 too", () => {
  expect(printTime(floorTo(Date.UTC(1969, 11, 31, 23, 59), HOUR_MS))).toMatch(/^1969-12-31T23:00/);
  expect(printTime(floorTo(Date.UTC(2026, 4, 1, 23, 59), DAY_MS))).toBe("2026-05-01T00:00:00.000Z");
});

test("the month is that of UTC", () => {
  expect(monthOf(Date.parse("2026-05-01T01:00:00+02:00"))).toBe(4);
  expect(monthOf(Date.parse("2026-12-31T23:59:59.999Z"))).toBe(12);
});
