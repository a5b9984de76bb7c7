// Lines beside the entries that can be checked, and the form's items that the log knows of: a book
// that contradicts them doesn't agree.

import { expect, test } from "vitest";
import { comparedBook, HALF_HOUR } from "../../../rig/compared-book.ts";
import { partsFrom } from "../../../rig/record-book.ts";

const TIMES = "2026-10-01 06:00,2026-10-01 06:30";
const BOOK = `code,start,end,place,volume,tanks\nA,${TIMES},TESTPORT,300,1P\n`;

/** The form's lines of the entry, with one item of other text. */
function formBook(given: Readonly<Record<number, string>> = {}): string {
  const items = {
    1: "0600 hrs, TESTPORT",
    2: "0630 hrs, TESTPORT",
    3: "1P",
    4: "300 m3",
    ...given,
  };
  const lines = Object.entries(items).map(([item, text]) => `01-OCT-2026,A,${item},"${text}"`);
  return ["Date,Code,Item,Record of operations", ...lines].join("\n");
}

test.each([
  ...[
    "TOTAL,,,,500",
    "Total uptake: 3000 m3",
    "Total discharge,,,,300",
    "Sub-total,,,,299.5 m3\nTOTAL,,,,30",
  ],
  ...["Vessel: MV Other Star", "Ship: OTHER", "IMO 9999999", "MV Other Star,,IMO No.,1234567"],
])("a book whose line %s contradicts it doesn't agree", (line) => {
  const below = comparedBook(`${BOOK}${line}\n`);
  expect([below.agrees, below.problems.length, below.counts.match]).toEqual([false, 1, 1]);
  if (line.includes("otal")) return;
  const above = comparedBook(`${line}\n${BOOK}`);
  expect([above.agrees, above.problems.length]).toEqual([false, 1]);
});

test.each<[string, boolean, string]>([
  ["Treated by the BWTS, D-2", true, "treated"],
  ["BWTS, no bypass", true, "treated"],
  ["None: the BWTS failed", false, "treated"],
  ["Bypassed", false, "treated"],
  ["Exchange, D-1", false, "treated"],
  ["Treated by the BWTS", false, "bypassed"],
])("the method %s agrees: %s, where the log has water %s", (method, agrees, part) => {
  const parts =
    part === "bypassed" ? partsFrom(HALF_HOUR.start, [["bypassed", 30, 300]]) : undefined;
  const found = comparedBook(
    formBook({ 5: "Yes", 6: method }),
    parts === undefined ? {} : { parts },
  );
  expect(found.agrees).toBe(agrees);
});

test("an entry that isn't according to the plan is told", () => {
  const { agrees, problems } = comparedBook(formBook({ 5: "No", 6: "BWTS" }));
  expect([agrees, problems[0].problem]).toEqual([false, expect.stringMatching("^item 5: got")]);
});
