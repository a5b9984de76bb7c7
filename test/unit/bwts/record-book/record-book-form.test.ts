// The draft by the form of 2025: the letter of each type of operation, water that wasn't treated,
// failures with their place and operation, and what of the form is still to be confirmed.

import { expect, test } from "vitest";
import { draftEntries } from "../../../../src/bwts/record-book/draft.ts";
import { FORM_CODES, RECORD_CODES } from "../../../../src/bwts/record-book/form.ts";
import { reconciliationText } from "../../../../src/cli/reconciliation-text.ts";
import { reconciliation, recordBookTexts } from "../../../../src/sqlite/exchange/record-book.ts";
import { comparedWith, HALF_HOUR } from "../../../rig/compared-book.ts";
import { printedRandom } from "../../../rig/random.ts";
import { anOperation, partsFrom, someOperations } from "../../../rig/record-book.ts";

const START = "2026-05-01T05:00:00.000Z";
const textsOf = (operation: ReturnType<typeof anOperation>, language: "en" | "fr" | "es" = "en") =>
  draftEntries([operation], language).map(({ code, items }) => ({
    code,
    texts: items.map(({ text }) => text),
  }));

test.each([
  ["BALLAST", "A"],
  ["deballast", "B"],
  ["CIRCULATION", "C"],
  ["INTERNAL TRANSFER", "C"],
  ["Internal_Transfer", "C"],
  ["STRIPPING", null],
  [null, null],
])("an operation %s is drafted as %s", (operation_type, code) => {
  expect(draftEntries([anOperation({ operation_type })], "en")).toMatchObject([{ code }]);
});

test("a circulation is compared with its C entry, an exchange that wasn't logged isn't", () => {
  const line = "2026-10-01 06:00,2026-10-01 06:30,TESTPORT,300";
  const book = `code,start,end,place,volume\nInternal transfer,${line}\n`;
  const circulation = anOperation({ ...HALF_HOUR, operation_type: "CIRCULATION" });
  expect(comparedWith([circulation], book)).toMatchObject({
    ...{ agrees: true, counts: { match: 1, not_compared: 0 } },
  });
  expect(comparedWith([circulation], book.replace("Internal transfer", "A")).agrees).toBe(false);
  expect(comparedWith([], book)).toMatchObject({
    ...{ agrees: false, counts: { match: 0, not_compared: 1 } },
  });
});

test("a book agrees over what could be compared, and says of how many entries it couldn't", () => {
  const line = "2026-10-01 06:00,2026-10-01 06:30,TESTPORT,300";
  const circulation = anOperation({ ...HALF_HOUR, operation_type: "CIRCULATION" });
  const exchange = "D,2026-10-01 10:00,2026-10-01 10:30,TESTPORT,300";
  const book = `code,start,end,place,volume\nInternal transfer,${line}\n${exchange}\n`;
  const found = comparedWith([circulation], book);
  expect(found).toMatchObject({ agrees: true, counts: { match: 1, not_compared: 1 } });
  expect(reconciliationText(found)).toContain(
    "agrees with the log where the two can be compared; entries that the log knows nothing of: 1",
  );
  const whole = comparedWith([circulation], book.replace(`${exchange}\n`, ""));
  expect(reconciliationText(whole)).toContain("the book agrees with the log\n");
});

test("water that bypassed the treatment has its own letter, None, the reason, and E", () => {
  const parts = partsFrom(START, [
    ["within_limits", 60, 600],
    ["bypassed", 20, 200],
  ]);
  const operation = anOperation({
    ...{ operation_type: "DEBALLAST", start: START, end: "2026-05-01T06:20:00.000Z", parts },
    ...{ volume_m3: 800, bypass_seconds: 1200, verdict: "outside_limits" },
  });
  const [, bypassed] = draftEntries([operation], "en");
  expect(bypassed).toMatchObject({ code: "B", subject: "bypassed", volume_m3: 200 });
  expect(bypassed.items[5]).toEqual({
    ...{ item: 6, title: "Treatment" },
    text: "None. Treatment system bypassed from 2026-05-01 06:00 UTC to 2026-05-01 06:20 UTC.",
    boxes: ["reason, and what was done"],
  });
  expect(bypassed.notes).toContainEqual(
    "if it was accidental or exceptional, enter it as E: 1 Ingress, uptake, discharge or loss; " +
      "2 Date, time and place; 3 tanks; 4 estimated volume, m3; " +
      "5 Circumstances, reason, treatment",
  );
});

test.each([
  ["en", "A: Ballast water taken on board (uptake) (start 2026-05-01 05:00 UTC)"],
  ["fr", "A : Prise d'eaux de ballast à bord (début 2026-05-01 05:00 UTC)"],
  ["es", "A: Toma de agua de lastre a bordo (comienzo 2026-05-01 05:00 UTC)"],
] as const)("a failure names its place and its operation in %s", (language, during) => {
  const alerts = [
    { id: 1, code: "LPS_FAULT", source: "plc", raised: "2026-05-01T05:40:00.000Z" },
  ] as const;
  const operation = anOperation({ start: START, location: "Busan", alerts: [...alerts] });
  const failure = textsOf(operation, language).find(({ code }) => code === "F");
  expect(failure?.texts[0]).toBe("2026-05-01 05:40 UTC, Busan");
  expect(failure?.texts[1]).toBe(during);
  expect(failure?.texts[2]).toContain("LPS_FAULT");
  expect(failure?.texts[3]).toBeNull();
});

test("the draft as CSV agrees with the log that it is drafted from", () => {
  const random = printedRandom("drafts that are compared");
  const operations = someOperations(random, 60);
  const ship = { system_id: "BWTS", vessel: null, imo: null };
  const range = { start_ms: null, end_ms: null };
  const asked = { range, language: "fr", format: "csv", ship } as const;
  const csv = [...recordBookTexts(operations, asked)].join("");
  const tolerances = { time_minutes: 0, volume_percent: 0 };
  const found = reconciliation(() => operations, {
    csv,
    zone_minutes: 540,
    range,
    tolerances,
    ship: { vessel: null, imo: null },
  });
  expect(found.problems).toEqual([]);
  expect(found.faults.filter(({ fault }) => fault !== "missing_tanks")).toEqual([]);
  expect(found.counts.match).toBeGreaterThanOrEqual(60);
  expect(found.results.filter(({ result }) => result !== "match")).toEqual([]);
});

test("every letter but A is marked as to be confirmed, and so are its items", () => {
  for (const code of RECORD_CODES) {
    const { basis, items } = FORM_CODES[code];
    const expected = code === "A" ? "read" : "confirm";
    expect([basis, ...items.map((one) => one.basis)].every((one) => one === expected)).toBe(true);
    expect(items.map(({ item }) => item)).toEqual(items.map((_, index) => index + 1));
  }
});
