// The process that inside.ts watches: runs the cases one after the other, says each one's number in
// a file before it begins, and prints findings and counts as lines of JSON.

import { openSync, writeSync } from "node:fs";
import { setImmediate as breath } from "node:timers/promises";
import { fuzzCodec } from "./codec.ts";
import { fuzzDatabase } from "./database.ts";
import { progressFile } from "./inside.ts";
import { chanceOf, numbersOf, type Span } from "./run.ts";

/** Cases between two turns of the event loop. */
const TURN = 16;

const span: Span & { readonly folder: string } = JSON.parse(process.argv[2] ?? "");
const fuzz = span.fuzzer === "codec" ? fuzzCodec() : fuzzDatabase(span.folder);
const at = openSync(progressFile(span.folder), "w");
const counts = new Map<string, number>();

for (const number of numbersOf(span)) {
  writeSync(at, String(number).padEnd(20), 0);
  const what = fuzz(chanceOf(span, number), (kind) => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  });
  if (what !== null) print(["found", number, what]);
  // Collected memory is returned only between two turns.
  if (number % TURN === 0) await breath();
}
for (const count of counts) print(["tally", ...count]);

function print(line: readonly unknown[]): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
