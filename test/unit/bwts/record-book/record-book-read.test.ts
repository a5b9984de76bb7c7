// Officers' files as they come: separators, encodings, names of columns, dates and numbers; and
// text that is none, which is told and never breaks anything.

import { expect, test } from "vitest";
import { bookText } from "../../../../src/bwts/record-book/book-bytes.ts";
import { bookHeader, NoBookHeader } from "../../../../src/bwts/record-book/book-header.ts";
import { readBook } from "../../../../src/bwts/record-book/read-book.ts";
import { bookCsv, rightBook } from "../../../rig/officers-book.ts";
import { printedRandom } from "../../../rig/random.ts";
import { someOperations } from "../../../rig/record-book.ts";

const START_MS = Date.parse("2026-05-01T05:08:00Z");
const END_MS = Date.parse("2026-05-01T11:20:00Z");

test.each([
  ["code,start,end,place,volume", "A,2026-05-01 05:08,2026-05-01T11:20Z,Busan,2013.5"],
  [
    "Código;Inicio (dd/mm/aaaa);Fin;Lugar;Volumen (m3)",
    "A;01/05/2026 05:08;01/05/2026 11:20;Busan;2.013,5",
  ],
  ["Lettre;Début;Fin;Lieu;Volume", '"A";1er mai 2026 5h08;1 mai 2026 11h20;Busan;2 013,5'],
  ["Code\tDate\tStart time\tEnd time\tPort\tVol", "A1\t1-MAY-26\t0508\t11.20\tBusan\t2,013.5 m3"],
  [
    "Item,Start (UTC),Completion (UTC),Port,Qty",
    "3.1,May 1 2026 5:08 AM,2026/05/01 1120,Busan,2013.5",
  ],
  ["operation;from;to;location;m3", "Uptake;2026-05-01 14:08+09:00;2026-05-01 11:20;Busan;2013,5"],
])("%s is read", (header, line) => {
  const { entries, problems } = readBook(`${header}\r\n${line}\r\n`, 0);
  expect(problems).toEqual([]);
  expect(entries).toMatchObject([
    {
      line: 2,
      code: "A",
      start_ms: START_MS,
      end_ms: END_MS,
      location: "Busan",
      volume_m3: 2013.5,
    },
  ]);
});

test.each(["utf-8", "latin1", "utf16le"] as const)(
  "a file in %s is read, with its mark",
  (form) => {
    const text = "Código;Inicio;Lugar\nA;01/05/2026 05:08;La Coruña\n";
    const mark = form === "latin1" ? "" : "\ufeff";
    const bytes = Uint8Array.from(Buffer.from(mark + text, form));
    expect(readBook(bookText(bytes), 0).entries).toMatchObject([{ location: "La Coruña" }]);
  },
);

test("names of columns are looked for in the beginning: a file of nothing costs no time", () => {
  const names = "code,start,end\n";
  expect(bookHeader("\n".repeat(30_000) + names).line).toBe(30_001);
  expect(() => bookHeader("\n".repeat(40_000) + names)).toThrow(NoBookHeader);
  expect(() => bookHeader(`${",".repeat(40_000)}\n${names}`)).toThrow(NoBookHeader);
});

test("a line that can't be read is told with what is allowed, and the next one is read", () => {
  const lines = ["code,start,volume", "Q,x,y", 'A,"2026', "A,soon,few", "A,2026-05-01 05:08,12"];
  const { entries, problems } = readBook(lines.join("\n"), 0);
  expect(problems.map(({ line }) => line)).toEqual([1, 1, 2, 2, 2, 3, 4, 4]);
  for (const { problem } of problems) expect(problem).toMatch(/got .*expected /);
  expect(entries.at(-1)).toMatchObject({ line: 5, start_ms: START_MS, volume_m3: 12 });
});

test("ship's time, the day after, and the month first are as the file tells", () => {
  const at = (line: string, zone_minutes: number) =>
    readBook(`code,date,start time,end time\nA,${line}\n`, zone_minutes).entries[0];
  expect(at("2026-05-01,14:08,20:20", 9 * 60)).toMatchObject({
    start_ms: START_MS,
    end_ms: END_MS,
  });
  const night = at("05/13/2026,22:00,04:30", 0);
  expect(night.start_ms).toBe(Date.parse("2026-05-13T22:00:00Z"));
  expect(night.end_ms).toBe(Date.parse("2026-05-14T04:30:00Z"));
});

test("2,000 spoilt files are read or refused in words", () => {
  const random = printedRandom("spoilt record books");
  const whole = bookCsv(rightBook(someOperations(random, 12), random));
  const odd = ['"', ",", ";", "\n", "\r", "\0", "\ufeff", "é", "99999", "-", "\t", " "];
  for (let run = 0; run < 2_000; run += 1) {
    let text = whole;
    for (let change = random.between(1, 12); change > 0; change -= 1) {
      const at = random.between(0, text.length);
      text = text.slice(0, at) + random.pick(odd) + text.slice(at + random.between(0, 9));
    }
    try {
      const { entries, problems } = readBook(text, 0);
      expect(entries.length).toBeLessThanOrEqual(text.split(/[\n\r]/).length);
      for (const { problem } of problems) expect(problem).toMatch(/expected/);
    } catch (error) {
      expect(error).toBeInstanceOf(NoBookHeader);
    }
  }
});
