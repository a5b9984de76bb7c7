// Books of nonsense that are as long as a file may be: each is compared with two years of
// operations in a time that grows with its lines, and not with their square.

import { expect, test } from "vitest";
import { Operation } from "../../../../src/bwts/operations/operation.ts";
import { OPERATION_EXAMPLE } from "../../../../src/bwts/operations/operation-example.ts";
import { BOOK_BYTES_MAX } from "../../../../src/bwts/record-book/book-bytes.ts";
import { reconciliation } from "../../../../src/sqlite/exchange/record-book.ts";
import { seededRandom } from "../../../rig/random.ts";
import { sampled } from "../../../rig/scale.ts";

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2024, 0, 1);
const HEAD = "code,start,end,place,volume,tanks\n";
/** A book took up to 88 s of a processor that now takes less than one. */
const PROCESSOR_MAX_S = 8;

const written = (minute: number) =>
  new Date(START_MS + minute * MINUTE_MS).toISOString().slice(0, 16).replace("T", " ");
const time = (minute: number) => new Date(START_MS + minute * MINUTE_MS).toISOString();

const operations = Array.from({ length: 1460 }, (_, index) => {
  const [start, end] = [time(index * 720), time(index * 720 + 100)];
  const example = { ...OPERATION_EXAMPLE, id: index + 1, start, end, parts: [], reasons: [] };
  return Operation.parse(example);
});

function filled(line: (index: number) => string, first = ""): string {
  const lines: string[] = [];
  let left = BOOK_BYTES_MAX - HEAD.length - first.length;
  for (let index = 0; left > 0; index += 1) {
    lines.push(line(index));
    left -= Buffer.byteLength(lines[index]) + 1;
  }
  return HEAD + first + lines.slice(0, -1).join("\n");
}

const random = seededRandom(7);
const LONG = { start: written(0), end: written(1_200_000) };
const BOOKS = {
  "all one operation, tank by tank": filled((at) => `A,${written(0)},${written(60)},x,1,t${at}`),
  "out of order": filled(() => `A,${written(random.between(0, 500_000))},${LONG.end},x,1,y`),
  "each over two years": filled(() => `A,${LONG.start},${LONG.end},busan,1,`),
  "no volumes": filled(() => `A,${LONG.start},${LONG.end},busan port,,`),
  "a place of spaces": filled((at) => `A,${LONG.start},${LONG.end},1${" ".repeat(900)}x,1,t${at}`),
  "a very long place": filled(
    (at) => `A,${LONG.start},${LONG.end},?,1,t${at}`,
    `A,${LONG.start},${LONG.end},${"aa bb ".repeat(80_000)},1,t\n`,
  ),
  "very many tanks": filled(
    (at) => `A,${written(at)},${written(at + 9)},x,1,t${at}`,
    `A,${LONG.start},${LONG.end},x,1,"${"a,b,".repeat(120_000)}"\n`,
  ),
};

test.each(sampled(2, Object.entries(BOOKS)))("%s: no book holds a thread for long", (_, csv) => {
  const before = process.cpuUsage();
  const range = { start_ms: null, end_ms: null };
  const tolerances = { time_minutes: 10, volume_percent: 5 };
  const found = reconciliation(() => operations, {
    csv,
    zone_minutes: 0,
    range,
    tolerances,
    ship: { vessel: null, imo: null },
  });
  const { user, system } = process.cpuUsage(before);
  expect(found.read.entries).toBeGreaterThan(900);
  expect((user + system) / 1e6).toBeLessThan(PROCESSOR_MAX_S);
});
