// Words, notes, columns and units that an officer may write and that aren't understood, or that
// contradict the entry: each is told, and the book agrees with nothing.

import { expect, test } from "vitest";
import { comparedBook } from "../../../rig/compared-book.ts";

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
