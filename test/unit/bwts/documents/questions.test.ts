// The officer's questions on the sheet: data helps with three of them, and answers no question for
// the crew.

import { expect, test } from "vitest";
import { answeredQuestions } from "../../../../src/bwts/documents/sheet-questions.ts";

type Asked = Parameters<typeof answeredQuestions>[0];

const SHEET: Asked = {
  counts: {
    ...{ operations: 14, within_limits: 12, outside_limits: 1, cannot_tell: 1, running: 0 },
    ...{ waiting: 0, cleanings: 0, bypassed: 0, bypass_seconds: 0, bypass_m3: null },
    ...{ superseded: 0, unreadable: 0 },
  },
  ship: {
    ...{ vessel: null, imo: null, system_id: "BWTS", system_type: null, serial: null },
    ...{ certificate: null, capacity_m3_h: null },
  },
  system: {
    ...{ state: "RUNNING", reading: "2026-05-01T05:00:00.000Z", present: true },
    malfunctions: [],
    end_not_reported: [],
  },
};

const answersOf = (sheet: Asked) => answeredQuestions(sheet).map(({ answer }) => answer);

test("limits kept aren't a plan followed, and no alarm isn't a system that works", () => {
  const answers = answersOf(SHEET);
  expect(answers[5]).toBe("no open malfunction; operational: ____");
  expect(answers[6]).toBe("limits kept in 12 of 14; plan: ____");
  expect(answers.filter((answer) => answer !== null)).toHaveLength(2);
});

test("what was last known is told as such, and nothing without data", () => {
  const system = { ...SHEET.system, present: false };
  expect(answersOf({ ...SHEET, system })[5]).toBe(
    "no open malfunction, last known; operational: ____",
  );
  const unread = { ...SHEET.system, reading: null };
  const none = { ...SHEET.counts, operations: 0, within_limits: 0 };
  expect(answersOf({ ...SHEET, system: unread, counts: none })).toEqual(Array(10).fill(null));
});
