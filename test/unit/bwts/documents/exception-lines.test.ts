// Exceptions of the inspection sheet: the water in them, and the entries of the record book, which
// are those of the draft.

import { expect, test } from "vitest";
import { exceptionLine } from "../../../../src/bwts/documents/sheet-lines.ts";
import type { Operation } from "../../../../src/bwts/operations/operation.ts";
import { draftEntries } from "../../../../src/bwts/record-book/draft.ts";
import { judged, reasonOf } from "../../../rig/judged-operations.ts";

const START_MS = Date.parse("2026-05-01T00:00:00Z");
const at = (minute: number) => new Date(START_MS + minute * 60_000).toISOString();
const span = (from: number, to: number) => ({
  ...{ start: at(from), end: at(to), seconds: (to - from) * 60 },
});

type Reason = Operation["reasons"][number];

function outside(id: number, given: Partial<Operation>): Operation {
  return judged(id, START_MS, { verdict: "outside_limits", ...given });
}

const low = (given: Partial<Reason> = {}) =>
  reasonOf({ start: at(0) }, { ...span(60, 100), volume_m3: 410, ...given });
const bypass = reasonOf(
  { start: at(0) },
  { rule: "bypass", ...span(120, 132), volume_m3: 120, worst: null, limit: null },
);

const LOW_PART = { part: "outside_limits", ...span(60, 100), volume_m3: 410 } as const;
const BYPASS_PART = { part: "bypassed", ...span(120, 132), volume_m3: 120 } as const;
const REST = [
  { part: "within_limits", ...span(0, 60), volume_m3: 600 },
  { part: "within_limits", ...span(132, 480), volume_m3: 3880 },
] as const;

test("water outside two limits at a time is counted once", () => {
  const fast = low({ rule: "flow_above_certified", parameter: "SYS_FLOW_RATE", limit: 1000 });
  const one = outside(1, { reasons: [low(), fast], parts: [REST[0], LOW_PART, REST[1]] });
  expect(exceptionLine(one)).toMatchObject({ volume_m3: 410, ...{ start: at(60), end: at(100) } });
  const untold = { ...LOW_PART, volume_m3: null };
  const other = outside(1, { reasons: [low(), fast], parts: [REST[0], untold, REST[1]] });
  expect(exceptionLine(other).volume_m3).toBeNull();
});

test.each([
  [
    "an uptake below the limit",
    1,
    [low()],
    [LOW_PART],
    "A, item 5 with the reason; F if it failed",
  ],
  ["a discharge past the system", 2, [bypass], [BYPASS_PART], "B, item 6 None, for the bypass"],
  [
    "both",
    2,
    [low(), bypass],
    [LOW_PART, BYPASS_PART],
    "B, item 5 with the reason; B, item 6 None",
  ],
] as const)("the entries of %s are those of its draft", (_, id, reasons, parts, words) => {
  const one = outside(id, { reasons: [...reasons], parts: [REST[0], ...parts, REST[1]] });
  const { record_book } = exceptionLine(one);
  expect(record_book).toContain(words);
  const drafted = draftEntries([one], "en").filter(({ subject }) => subject !== "treated");
  for (const { code } of drafted) expect(record_book).toMatch(new RegExp(`\\b${code}\\b`));
});

test("a malfunction that the draft enters is asked for, and not as a guess", () => {
  const alerts = [{ id: 3, code: "LPS_FAULT", source: "plc", raised: at(70) }] as const;
  const one = outside(1, { reasons: [low()], parts: [REST[0], LOW_PART], alerts: [...alerts] });
  expect(exceptionLine(one).record_book).toBe("A, item 5 with the reason; F for the malfunction");
});

test("a time without readings asks for the remark that is drafted", () => {
  const silent = low({ rule: "no_readings", verdict: "cannot_tell", volume_m3: null });
  const gap = { part: "cannot_tell", ...span(60, 100), volume_m3: null } as const;
  const verdict = "cannot_tell" as const;
  const one = judged(1, START_MS, { verdict, reasons: [silent], parts: [REST[0], gap, REST[1]] });
  expect(exceptionLine(one).record_book).toBe("A; H for the time without data");
  expect(draftEntries([one], "en").map(({ code }) => code)).toEqual(["A", "H"]);
});
