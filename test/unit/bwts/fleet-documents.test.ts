// IMO numbers, and the documents that go ashore: of their size, since each byte is paid for.

import { expect, test } from "vitest";
import { Hour, Report } from "../../../src/bwts/documents/document.ts";
import { isImoNumber } from "../../../src/bwts/documents/imo-number.ts";
import { SYSTEM_VALUES } from "../../../src/bwts/documents/system-values.ts";
import { AGGREGATED, TAGS } from "../../../src/bwts/tags.ts";

test("an IMO number is seven digits that agree with the last one", () => {
  for (const imo of ["9074729", "9176187", "9321483", "9839272", "1000019"])
    expect(isImoNumber(imo), imo).toBe(true);
  for (const text of ["9074728", "907472", "90747290", "9074792", "IMO9074729", "", " 9074729"])
    expect(isImoNumber(text), text).toBe(false);
});

test("a day of reports and hours takes at most 132 KB of JSON", () => {
  const head: [number, string] = [123456, Buffer.alloc(32, 1).toString("base64")];
  const report: Report = {
    ...{ at_ms: 1777593600000, data_ms: 1777593599000, state: "RUNNING" },
    ...{ operation_type: "BALLAST", location: "Singapore" },
    values: SYSTEM_VALUES.map(() => 648.5),
    alarms: ["UV_BELOW_LIMIT", "LAMP_NEAR_END"],
    health: 87.25,
    heads: { segment: head, event: head, audit: head },
    ashore: { segment: 123456, event: 123456, audit: 123456 },
    ledger: [12345, Buffer.alloc(32, 1).toString("base64"), 1234, [2, 345, 730, 456]],
    hot: 1234,
    backlog: { links: 12, bytes: 123456, oldest_ms: 1777593000000 },
    clock: { trusted: true, offset_ms: -1200 },
    raw_from_ms: 0,
    lamp_due: [7, "2027-04-05"],
    line: [1235, 43211, 12.5],
  };
  const hour: Hour = {
    ...{ start_ms: 1777593600000, count: 3600 },
    values: AGGREGATED.map((_, place) => 648.1234 + place),
  };
  expect(Report.parse(report)).toEqual(report);
  expect(Hour.parse(hour)).toEqual(hour);
  expect(SYSTEM_VALUES.map((index) => TAGS[index].name).at(-1)).toBe("FAILED_LAMP_COUNT");
  const bytes = (value: object) => JSON.stringify(value).length;
  expect(144 * bytes(report) + 24 * bytes(hour)).toBeLessThan(132_000);
});
