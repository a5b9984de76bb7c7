// Officers' files in many layouts: a right one agrees, a wrong fact differs, and one that isn't
// understood is told with its line. None of them agrees by a fact that wasn't compared.

import { describe, expect, test } from "vitest";
import type { Operation } from "../../../../src/bwts/operations/operation.ts";
import { BOOK_LAYOUTS, type WrittenFacts } from "../../../rig/book-layouts.ts";
import { comparedBook, comparedWith, HALF_HOUR } from "../../../rig/compared-book.ts";
import { anOperation } from "../../../rig/record-book.ts";

describe.each(BOOK_LAYOUTS)("$name", ({ right, book, wrong, unreadable, zone_minutes = null }) => {
  const compared = (facts: Partial<WrittenFacts>) =>
    comparedBook(book({ ...right, ...facts }), {}, zone_minutes);

  test("a right entry agrees", () => {
    const { problems, faults, results, agrees } = compared({});
    expect(problems).toEqual([]);
    expect(faults).toEqual([]);
    expect(results.filter(({ log }) => log !== null)).toMatchObject([
      { result: "match", differences: [], uncompared: [] },
    ]);
    expect(agrees).toBe(true);
  });

  test.each([
    ["code", { code: "B" }],
    ["place", { place: "OTHERPORT" }],
    ["volume", { volume: right.volume.replace("3", "9") }],
    ["fact of the layout", wrong ?? { start: right.start, volume: "9" }],
  ] as const)("a wrong %s differs", (_, facts) => {
    const { results, agrees } = compared(facts);
    expect(agrees).toBe(false);
    expect(results.map(({ result }) => result)).not.toContain("match");
  });

  test.each([
    ["code", { code: "Ballast op." }],
    ["volume", { volume: "some" }],
    ["start", { start: "morning" }],
    ["end", { end: "soon" }],
    ["fact of the layout", unreadable ?? { volume: "3-5" }],
  ] as const)("a %s that isn't understood is told", (_, facts) => {
    const { results, agrees, problems, faults } = compared(facts);
    expect(agrees).toBe(false);
    expect(results.map(({ result }) => result)).not.toContain("match");
    expect(problems.length + faults.length).toBeGreaterThan(0);
    for (const { line, problem } of problems) {
      expect(line).toBeGreaterThan(0);
      expect(problem).toMatch(/got .*expected /);
    }
  });

  test.each(["place", "volume", "end"] as const)("an entry without its %s never agrees", (fact) => {
    const { results, agrees } = compared({ [fact]: "" });
    expect(agrees).toBe(false);
    expect(results.map(({ result }) => result)).not.toContain("match");
  });
});

const LINE = "A,2026-10-01 06:00,2026-10-01 06:30,TESTPORT";

test.each([
  ["volume", "code,start,end,place", LINE],
  ["volume", "code,start,end,place,Pump rate (m3/h)", `${LINE},300`],
  ["volume", "code,start,end,place,Initial volume (m3)", `${LINE},300`],
  ["volume", "code,start,end,place,Total retained (m3)", `${LINE},300`],
  ["volume", "code,start,end,place,Tank volume", `${LINE},300`],
  ...["planned", "of sediment", "untreated", "difference", "%", "in BWRB", "計画", "±"].map(
    (words) => [...["volume", `code,start,end,place,Volume ${words}`, `${LINE},300`]],
  ),
  ["volume", "code,start,end,place,Amt", `${LINE},300`],
  ["place", "code,start,end,Next port,volume", `${LINE},300`],
  ["end", "code,start,Duration,place,volume", `${LINE},300`],
])("a file without a column of the %s is told so: %s", (fact, header, line) => {
  const { agrees, problems, results } = comparedBook(`${header}\n${line}\n`);
  expect(agrees).toBe(false);
  expect(problems).toContainEqual({
    line: 1,
    problem: expect.stringContaining(`${fact}: got the`),
  });
  expect(results).toMatchObject([{ result: "partly_compared" }]);
  expect(results[0].uncompared).toContainEqual({ fact, lacks: "book" });
});

test.each([
  ["code,start,end,place,volume,volume (m3)", `${LINE},300,900`, "volume: got"],
  ["code,start,end,place,Volume m3,Volume out m3", `${LINE},300,900`, "expected one volume"],
  ["code,start,end,place,Volume out m3", `${LINE},300`, "expected none in the column of B"],
  ["code,start,end,place,Volume (x1000 m3),Volume m3", `${LINE},300,`, '"Volume (x1000 m3)": got'],
  ["code,start,end,place,volume,", `${LINE},300,600`, "column 6: got no name"],
  ["code,start,end,place,volume", `${LINE},300,600`, "more cells than names"],
  ["code,start,end,place,Volume (MT)", `${LINE},300`, "of another unit"],
  ["code,start,end,place,Volume (LT)", `${LINE},300`, "of another unit"],
  ["code,start,end,place,Volume dm3", `${LINE},300`, "of another unit"],
  ["code,start,end,place,Volume HL", `${LINE},300`, "of another unit"],
  ["code,start,end,place,volume", `${LINE},"1,200"`, "1200 or 1.2"],
  ["code,start,end,place,volume", `${LINE},300 m3/h`, "cubic metres"],
  ["code,start,end,place,volume", `${LINE},300/450`, "cubic metres"],
  ["code,start,end,place,volume", `${LINE},(300)`, "it is negative"],
  ["code,start,end,place,volume", `${LINE},(300) m3`, "it is negative"],
  ["Clocks 9 hours ahead of GMT\ncode,start,end,place,volume", `${LINE},300`, "no offset"],
  ["Clocks 9 hours east of UTC\ncode,start,end,place,volume", `${LINE},300`, "no offset"],
  ["Times in UTC 9\ncode,start,end,place,volume", `${LINE},300`, "no offset"],
  ["Other than UTC\ncode,start,end,place,volume", `${LINE},300`, "no offset"],
  ["Not in UTC\ncode,start,end,place,volume", `${LINE},300`, "no offset"],
  ["code,start (LT),end (LT),place,volume", `${LINE},300`, "LT is no offset"],
  ["code,start,end,zone,place,volume", `${LINE.replace(",TEST", ",ZD-9,TEST")},300`, "zone: got"],
  ["code,start,end,AM/PM,place,volume", `${LINE.replace(",TEST", ",PM,TEST")},300`, '"AM/PM": got'],
  ["code,start,end,place,volume,Standing", `${LINE},300,cancelled`, '"Standing": got'],
  ["code,start,end,place,volume,Sorte", `${LINE},300,Deballasting`, '"Sorte": got'],
  ...["Duration", "Duration (hours)", "Total duration hh:mm", "Duración"].map((name) => [
    ...[`code,start,end,place,volume,${name}`, `${LINE},300,9`, `"${name}": got`],
  ]),
  ["code,start,end,place,volume,Factor", `${LINE},300,10`, '"Factor": got'],
  ["code,start,end,place,Volume (x10 m3)", `${LINE},300`, "volume: got the columns"],
  ["code,start,end,start,place,volume", `${LINE.replace(",TEST", ",x,TEST")},300`, "start: got"],
])("%s / %s is told", (header, line, words) => {
  const { agrees, problems, faults } = comparedBook(`${header}\n${line}\n`);
  expect(agrees).toBe(false);
  const told = [...problems.map(({ problem }) => problem), ...faults.map(({ fault }) => fault)];
  expect(told.join("\n")).toContain(words);
});

test("days that could be months are told, unless another date tells which", () => {
  const line = "A,01/10/2026 06:00,01/10/2026 06:30,TESTPORT,300\n";
  const both = comparedBook(`code,start,end,place,volume\n${line}`);
  expect(both.read.is_date_order_told).toBe(false);
  expect(both.problems).toMatchObject([
    { line: 2, problem: expect.stringContaining("could be read with the day or the month first") },
  ]);
  expect(both.agrees).toBe(false);
});

test("columns that aren't known are told, and so are lines that are no entries", () => {
  const text = `code,start,end,place,volume,Bosun\n${LINE},300,Lee\nTOTAL,,,,300,\n`;
  const { agrees, read } = comparedBook(text);
  expect(read).toMatchObject({ unknown_columns: ["Bosun"], left_out_lines: [3] });
  expect(read).toMatchObject({ zones: ["UTC"], is_zone_told: false });
  expect(agrees).toBe(true);
});

test("a book in ship's time is told as such, and its entries stand beside their operations", () => {
  const days = [0, 1, 2].map((index) => {
    const at = (hours: number, minutes: number) =>
      new Date(Date.UTC(2026, 9, 1, hours + index * 5, minutes)).toISOString();
    return { start: at(6, 0), end: at(6, 30), volume_m3: 300 + 50 * index };
  });
  const operations = days.map((day, index) =>
    anOperation({ ...HALF_HOUR, ...day, id: index + 1, parts: [] }),
  );
  const moved = (time: string) => new Date(Date.parse(time) + 9 * 3_600_000).toISOString();
  const written = (time: string) => time.slice(0, 16).replace("T", " ");
  const lines = days.map(
    ({ start, end, volume_m3 }) =>
      `A,${written(moved(start))},${written(moved(end))},TESTPORT,${volume_m3}`,
  );
  const text = ["code,start,end,place,volume", ...lines.slice(0, 2)].join("\n");
  const { agrees, shift, results } = comparedWith(operations.slice(0, 2), text);
  expect(agrees).toBe(false);
  expect(shift).toEqual({ minutes: 540, entries: 2, zone: "+09:00" });
  expect(results.map(({ log }) => log?.operation_id)).toEqual([1, 2]);
  for (const { differences } of results)
    expect(differences).toMatchObject([
      { differs: "start", by: 540 },
      { differs: "end", by: 540 },
    ]);
  expect(comparedWith(operations.slice(0, 2), text, 540)).toMatchObject({
    ...{ agrees: true, shift: null },
  });
});

test.each([
  ["Busan", "PUSAN", true],
  ["Busan", "Port of Busan, KR", true],
  ["KRPUS", "Busan, South Korea", true],
  ["Singapore", "Jurong, Singapore", true],
  ["Antwerp", "Amberes", true],
  ["Ho Chi Minh City", "Saigon", true],
  ["Busan", "Busan New Port", true],
  ["Los Angeles", "Port Angeles", null],
  ["New York", "York", null],
  ["Busan", "Korea", null],
  ["Busan", "35-06N 129-02E", null],
  ["Busan", "Ulsan", false],
  ["Tampa, Florida", "Miami, Florida", false],
])("%s and %s are one place: %s", (location, place, isOne) => {
  const text = `code,start,end,place,volume\nA,2026-10-01 06:00,2026-10-01 06:30,"${place}",300\n`;
  const { agrees, results } = comparedBook(text, { location });
  expect(agrees).toBe(isOne === true);
  const word = isOne === null ? "partly_compared" : isOne ? "match" : "differs";
  expect(results[0].result).toBe(word);
});

test.each(["UTC9", "IST", "ZD -9", "zone I"])("times in %s aren't taken for UTC", (zone) => {
  const header = `code,start (${zone}),end (${zone}),place,volume`;
  const named = comparedBook(`${header}\n${LINE},300\n`);
  const titled = comparedBook(`Times ${zone}\ncode,start,end,place,volume\n${LINE},300\n`);
  const form = comparedBook(
    "Date,Code,Item,Record\n" +
      `2026-10-01,A,1,"0600 ${zone}, TESTPORT"\n,,2,"0630 ${zone}, TESTPORT"\n,,4,300 m3\n`,
  );
  for (const { agrees } of [named, titled, form]) expect(agrees).toBe(false);
  for (const { problems } of [named, titled])
    expect(problems[0]?.problem).toMatch(/^start: got .*expected /);
});

test("two titles with two zones tell none", () => {
  const titles = "Printed 2026-10-02 08:00 UTC\nAll times are LT\n";
  const { agrees, problems } = comparedBook(`${titles}code,start,end,place,volume\n${LINE},300\n`);
  expect(agrees).toBe(false);
  expect(problems[0].problem).toContain("LT is no offset");
});

test("lines of one operation, tank by tank, are of one place", () => {
  const lines = ["TESTPORT,150,1P", "TESTPORT,150,1S"].map((rest) => `${LINE.slice(0, -8)}${rest}`);
  const header = "code,start,end,place,volume,tanks";
  expect(comparedBook([header, ...lines].join("\n")).agrees).toBe(true);
  const other = lines[1].replace("TESTPORT", "North Testport");
  const { agrees, results } = comparedBook([header, lines[0], other].join("\n"));
  expect(agrees).toBe(false);
  expect(results.map(({ result }) => result)).not.toContain("match");
});

test("a completion at another place differs", () => {
  const header = "code,start,end,start place,place of completion,volume";
  const line = "A,2026-10-01 06:00,2026-10-01 06:30,TESTPORT,OTHER,300";
  const { results } = comparedBook(`${header}\n${line}\n`);
  expect(results[0].differences).toMatchObject([{ differs: "place", book: "TESTPORT - OTHER" }]);
});

test.each([
  ["place", { location: null }],
  ["volume", { volume_m3: null }],
  ["end", { end: null, parts: [] }],
  ["code", { operation_type: null }],
] satisfies [string, Partial<Operation>][])("a log without its %s doesn't agree", (fact, given) => {
  const text = `code,start,end,place,volume\n${LINE},300\n`;
  const { agrees, results } = comparedBook(text, given);
  expect(agrees).toBe(false);
  expect(results[0].uncompared).toContainEqual({ fact, lacks: "log" });
});
