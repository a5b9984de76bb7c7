// The table of the bare keys in docs/dashboard.md, made of the table by which the page binds them
// and of the English texts that its own list has.

import {
  chartWords,
  lampsWords,
  overviewWords,
  partsWords,
  shellWords,
} from "../../src/dashboard/lang/words.ts";
import { KEYS } from "../../src/dashboard/parts/key-table.ts";
import { PAGE_NAMES } from "../../src/dashboard/shell/page-names.ts";
import { type Cells, code, markdownTable } from "./markdown-table.ts";

export function keyTable(): string {
  const { frame, overview, chart, lamps } = KEYS;
  const age = partsWords("hours", { n: 1 });
  const lastDigit = String(Math.min(10, PAGE_NAMES.length) % 10);
  const rows: readonly Cells[] = [
    ["everywhere", `${code("1")} to ${code(lastDigit)}`, "the pages in their order"],
    ...names(frame).map((name) => ["everywhere", keysOf(frame[name]), shellWords(name)]),
    [
      "Overview",
      keysOf(overview.step_back),
      `time machine: ${overviewWords("step_back", { age })}`,
    ],
    ["Overview", keysOf(overview.step_on), `time machine: ${overviewWords("step_on", { age })}`],
    ["Overview", keysOf(overview.evidence_close), "close the evidence"],
    ...names(chart).map((name) => [
      "Trends, Operations, Health",
      keysOf(chart[name]),
      chartWords(name),
    ]),
    ...names(lamps).map((name) => ["Lamps", keysOf(lamps[name]), lampsWords(name)]),
  ];
  return markdownTable(["on", "key", "does"], rows);
}

function names<T extends object>(table: T): readonly (keyof T)[] {
  return Object.keys(table).filter((name): name is string & keyof T => name in table);
}

/** As the page prints them: letters are capitals there. */
function keysOf(keys: readonly string[]): string {
  return keys.map((key) => code(key.length === 1 ? key.toUpperCase() : key)).join(" or ");
}
