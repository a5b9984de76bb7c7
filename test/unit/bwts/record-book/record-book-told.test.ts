// Words, notes, columns and units that an officer may write and that aren't understood, or that
// contradict the entry: each is told, and the book agrees with nothing.

import { expect, test } from "vitest";
import { comparedBook } from "../../../rig/compared-book.ts";
import { partsFrom } from "../../../rig/record-book.ts";

const TIMES = "2026-10-01 06:00,2026-10-01 06:30";

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
  ...["Ulsan, Busan", "Ulsan (Busan)", "Busan, Ulsan", "Busan; Ulsan", "Busan, KRUSN"],
  ...[
    "Busan, China",
    "Busan China",
    "Busan, JP",
    "Busan (50 nm off)",
    "Busan (at sea)",
    "Busan, No",
  ],
  ...["Busan (corr. Ulsan)", "Busan (error)", "Busan?", "Busan *", "~~Busan~~", "--Busan--"],
  ...[
    "Off Busan",
    "Busan, off Tsushima",
    "Busan, 50",
    "Busan to Ulsan",
    "not Busan",
    "Busan / Ulsan",
  ],
  `Busan${" ".repeat(300)}, Ulsan`,
])("the place %s isn't compared with Busan", (place) => {
  const table = `code,start,end,place,volume\nA,${TIMES},"${place}",300`;
  const form = formBook({ 1: `0600 hrs, ${place}`, 2: "0630 hrs, Busan" });
  for (const book of [table, form]) {
    const { agrees, results } = comparedBook(book, { location: "BUSAN" });
    expect(agrees).toBe(false);
    expect(results[0].result).not.toBe("match");
  }
  const { results } = comparedBook(table, { location: "BUSAN" });
  expect(results[0].uncompared).toEqual([{ fact: "place", lacks: "neither" }]);
});

test.each([
  ...[
    ["Santos", "Santos, PH"],
    ["Rotterdam", "Rotterdam, New York, US"],
  ],
  ...[
    ["Testport", "Testport, Korea"],
    ["Los Angeles", "Los Angeles, TX"],
  ],
])("%s isn't compared with %s", (location, place) => {
  const book = `code,start,end,place,volume\nA,${TIMES},"${place}",300`;
  expect(comparedBook(book, { location }).results[0].uncompared).toHaveLength(1);
});

test.each([
  ...[
    ["Busan", "Busan (KRPUS)"],
    ["Busan", "Busan, berth no. 5"],
    ["Busan", "Pusan, Rep. of Korea"],
  ],
  ...[
    ["Los Angeles", "Los Angeles, CA, USA"],
    ["Vancouver", "Vancouver, CA"],
  ],
  ...[
    ["Testport, Korea", "Testport, KR"],
    ["Testport, Korea", "Testport"],
  ],
])("%s is the place %s", (location, place) => {
  const book = `code,start,end,place,volume\nA,${TIMES},"${place}",300`;
  expect(comparedBook(book, { location }).agrees).toBe(true);
});

test("words behind the time are the place, and so is what follows them", () => {
  expect(comparedBook(formBook({ 1: "0600 hrs TESTPORT, min. depth 12 m" })).agrees).toBe(true);
  for (const more of ["ULSAN", "ULSAN depth 12 m", "0620 hrs resumed"])
    expect(comparedBook(formBook({ 1: `0600 hrs TESTPORT, ${more}` })).agrees).toBe(false);
});

test.each(["300 m3", "300 m3 / 1200 m3", "Uptake 300 m3; total retained: 1,200 m3", "300 / 1200"])(
  "item 4 %s is the volume that was moved",
  (text) => {
    expect(comparedBook(formBook({ 4: text })).agrees).toBe(true);
  },
);

test.each([
  ...["300 m3/h", "300 m3 /h", "300 m3 / h", "300/h", "300 m3/hr", "300 m3 per hour", "300 m3ph"],
  ...["300 m3 / 2 h", "300 m3, 2 pumps", "300 m3 and more", "300 m3 & 1200 t", "300 m3; planned"],
])("item 4 %s is told", (text) => {
  const { agrees, problems } = comparedBook(formBook({ 4: text }));
  expect(agrees).toBe(false);
  expect(problems).toMatchObject([{ line: 5, problem: expect.stringContaining("volume: got") }]);
});

const BOOK = `code,start,end,place,volume,tanks\nA,${TIMES},TESTPORT,300,1P\n`;

const SPEAKING = [
  ...["Volumes in MT", "All volumes in tonnes", "Volume unit: t", "Quantities in US gallons"],
  ...["Figures in MT", "IN TONNES", "Clocks +9", "Clocks one hour ahead", "CANCELLED", "DRAFT"],
  ...["DRAFT / PLAN ONLY", "The entries are estimates", "This book is for training only"],
  ...["All times are ship's local time", "Times: SMT", "2 further entries on paper", "Times +9"],
  ...["Until 5 October UTC+9, then UTC+8", "Times UTC, and UTC+8 from 5 October"],
];

test.each(SPEAKING)("%s is told, above the entries and below them", (text) => {
  const notes = [text, `Note: ${text}`, `Remarks: ${text}`, `Signed: ${text}`, `Total: ${text}`];
  const below = notes.map((note) => `${BOOK}"${note}",,,,,\n`);
  const form = notes.map((note) => `${formBook()}\n"${note}",,,\n`);
  for (const book of [`"${text}",,,,,\n${BOOK}`, ...below, ...form]) {
    const { agrees, problems } = comparedBook(book);
    expect(agrees, book).toBe(false);
    for (const { problem } of problems) expect(problem).toMatch(/got .*expected /);
  }
});

test.each([
  ...["the entry above is cancelled", "VOID", "see next page", "clocks advanced 1 hour"],
  ...["Signed by C/O: A 2026-10-05 10:00", "Checked: B discharge 300", "Total 300 MT", '"'],
  ...["Signature of master: times are LT", "Vessel: volumes are tonnes", "Notes"],
])("the line %s is told", (text) => {
  const line = `"${text.replaceAll('"', '""')}",,,,,\n`;
  for (const book of [`${BOOK}${line}`, BOOK.replace("\n", `\n${line}`)]) {
    const { agrees, problems } = comparedBook(book);
    expect(agrees, book).toBe(false);
    expect(problems.length).toBeGreaterThan(0);
  }
});

test.each([
  ...["Ballast Water Record Book", "Ballast water record book of the ship", "M/V EXAMPLE"],
  ...["MT EXAMPLE STAR", "Vessel: Example Star,,IMO No.,1234567", "Page 2 of 3", "October 2026"],
  ...[
    "All times UTC",
    "Times in UTC",
    "Volumes in m3",
    "Period: 1 October 2026 to 31 October 2026",
  ],
  ...[
    "Printed 2026-10-02 08:00 UTC",
    "Date format DD/MM/YYYY",
    "Libro registro del agua de lastre",
  ],
])("the title %s stands above a book that agrees", (title) => {
  const { agrees, problems } = comparedBook(`${title}\n${BOOK}`);
  expect(problems).toEqual([]);
  expect(agrees).toBe(true);
});

test.each([
  ...["TOTAL,,,,300", "Total volume (m3),,,,300", "Grand total: 300 m3", "Total uptake,,,,300 m3"],
  ...[
    "Signature of master:",
    "Verified by the master: J. Smith",
    "Checked by,C/O A. Lee,2026-10-31",
  ],
  ...[
    "Page 2",
    "Vessel: Example Star",
    "Firma del capitán",
    "-,-,-",
    "Master's signature",
    "Signature: J. van der Berg",
  ],
])("the line %s is left out", (line) => {
  const { agrees, problems, read } = comparedBook(`${BOOK}${line}\n`);
  expect(problems).toEqual([]);
  expect(read.left_out_lines).toEqual([3]);
  expect(agrees).toBe(true);
});

test("titles that a page repeats are left out, and an item of any length takes no time", () => {
  const title = "All times UTC,,,,,";
  expect(comparedBook(`${title}\n${BOOK}${title}\n`).agrees).toBe(true);
  const [line] = [`0600 hrs, TESTPORT${", ".repeat(50_000)}x`];
  expect(comparedBook(formBook({ 1: line })).agrees).toBe(false);
});

const UNTREATED = ["untreated uptake", "Ballasting with bypass", "Ballasting (bypass)"];
const TREATED = ["Ballasting (treated)", "Ballasting via BWTS", "A - uptake with UV treatment"];

test.each([
  ...[...UNTREATED, "Ballasting without treatment", "A: unmanaged ballasting"].map(
    (words) => [words, "bypassed", "within_limits"] as const,
  ),
  ...TREATED.map((words) => [words, "within_limits", "bypassed"] as const),
])("%s agrees with water that is %s, and not with that which is %s", (words, right, wrong) => {
  const table = BOOK.replace("\nA,", `\n${words},`);
  const form = formBook().replaceAll(",A,", `,${words},`);
  const parts = (part: typeof right | typeof wrong) =>
    partsFrom("2026-10-01T06:00:00.000Z", [[part, 30, 300]]);
  for (const book of [table, form]) {
    const found = comparedBook(book, { parts: parts(wrong) });
    expect(found.agrees).toBe(false);
    expect(found.results[0].uncompared).toEqual([{ fact: "code", lacks: "neither" }]);
    expect(comparedBook(book, { parts: parts(right) }).agrees).toBe(true);
  }
});

const WITH = (name: string, cell: string) =>
  `code,start,end,place,volume,${name}\nA,${TIMES},TESTPORT,300,"${cell}"\n`;

test.each([
  ...[
    ["bypassed m3", "300"],
    ["Bypass volume (m3)", "300"],
    ["ship clock", "+1"],
  ],
  ...[
    ["Ship time", "+1"],
    ["clock", "one hour ahead"],
    ["void", "yes"],
    ["deleted", "X"],
  ],
  ...[
    ["valid", "no"],
    ["pm", "x"],
    ["am", "x"],
    ["sign", "-"],
    ["month", "September"],
  ],
  ...[
    ["Struck", "x"],
    ["Remarks", "ENTRY CANCELLED - WRONG"],
    ["Note", "wrong entry"],
  ],
  ...[
    ["Remarks", "Void"],
    ["Remarks", "all times LT"],
    ["Officer notes", "entry made in error"],
  ],
])("a column %s with %s is told", (name, cell) => {
  const { agrees, problems } = comparedBook(WITH(name, cell));
  expect(agrees).toBe(false);
  expect(problems.map(({ problem }) => problem).join()).toMatch(/got .*expected /);
});

test.each([
  ...[
    ["bypassed m3", "0"],
    ["void", ""],
    ["Officer in charge", "A. Lee"],
    ["Bosun", "Lee"],
  ],
  ...[
    ["Minimum depth (m)", "12"],
    ["Total retained (m3)", "1200"],
    ["Page no.", "7"],
    ["Sea state (Bft)", "4"],
    ["Salinity (psu)", "35"],
    ["Draft fwd (m)", "7.2"],
  ],
  ...[
    ["Remarks", "BWTS alarm, sensor error, reset"],
    ["Signature date", "2026-10-02"],
  ],
  ...[
    ["Remarks", "Pilot on board 0600 LT"],
    ["Conducted as per approved plan (Y/N)", "Y"],
  ],
])("a column %s with %s is left out", (name, cell) => {
  const { agrees, problems } = comparedBook(WITH(name, cell));
  expect(problems).toEqual([]);
  expect(agrees).toBe(true);
});

test("a date that contradicts the start's own is told", () => {
  const book = (date: string) =>
    `date,code,start,end,place,volume\n${date},A,${TIMES},TESTPORT,300`;
  expect(comparedBook(book("2026-10-01")).agrees).toBe(true);
  const { agrees, problems } = comparedBook(book("2026-10-09"));
  expect(agrees).toBe(false);
  expect(problems).toMatchObject([{ line: 2, problem: expect.stringContaining("start: got") }]);
  expect(comparedBook(formBook({ 1: "09-OCT-2026 0600 hrs, TESTPORT" })).agrees).toBe(false);
});

test.each<Readonly<Record<number, string>>>([
  ...[{ 7: "Entry made in error" }, { 7: "see item 4" }, { 5: "Yes", 6: "VOID" }],
  ...[{ 6: "UV. This entry is cancelled" }, { 3: "1P, times are LT" }],
])("an item that isn't of the form, or takes the entry back, is told: %o", (items) => {
  const { agrees, problems } = comparedBook(formBook(items));
  expect(agrees).toBe(false);
  expect(problems[0].problem).toMatch(/^item \d: got .*expected /);
});
