// Adds up the reports of report-tests.ts for the end of scripts/test. Prints the ten slowest files,
// each file that was never reached, and last "<passed> <failed> <skipped>". A file that was planned
// and has no result is a failure, and so are an error outside of all tests, a runner that died, and
// an exit status that nothing else explains: what didn't run can't have passed.

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";

const Planned = z.object({ planned: z.array(z.string()) });
const FileResult = z.object({
  file: z.string(),
  ...{ passed: z.number(), failed: z.number(), skipped: z.number(), seconds: z.number() },
});
const Ended = z.object({ ended: z.string(), errors: z.number() });
/** The exit status of a runner, if it isn't 0; scripts/test adds it. */
const Status = z.object({ status: z.number() });
const Line = z.union([Planned, FileResult, Ended, Status]);
/** A line of a report. */
export type Line = z.infer<typeof Line>;

const SLOWEST = 10;

/** Results of one run of vitest. */
interface Run {
  readonly results: readonly z.infer<typeof FileResult>[];
  readonly unreached: readonly string[];
  readonly errors: number;
  readonly died: boolean;
  readonly hasStatus: boolean;
}

function readRun(report: string): Run {
  const lines = linesOf(report);
  const results = lines.flatMap((line) => ("file" in line ? [line] : []));
  const reached = new Set(results.map(({ file }) => file));
  const planned = lines.flatMap((line) => ("planned" in line ? line.planned : []));
  const ended = lines.find((line) => "ended" in line);
  return {
    results,
    unreached: planned.filter((file) => !reached.has(file)),
    errors: ended === undefined ? 0 : ended.errors,
    died: ended === undefined || ended.ended === "interrupted",
    hasStatus: lines.some((line) => "status" in line),
  };
}

function failuresOf({ results, unreached, errors, died, hasStatus }: Run): number {
  // A runner that died after its last file left no file to name.
  const nameless = died && unreached.length === 0 ? 1 : 0;
  const inTests = results.reduce((sum, { failed }) => sum + failed, 0);
  const known = inTests + unreached.length + errors + nameless;
  return known === 0 && hasStatus ? 1 : known;
}

/** The whole lines, each a flat object. A runner that was killed may have torn its last one. */
function linesOf(report: string): readonly Line[] {
  if (!existsSync(report)) return [];
  const whole = readFileSync(report, "utf8")
    .split("\n")
    .filter((line) => line.endsWith("}"));
  return whole.map((line) => Line.parse(JSON.parse(line)));
}

function print(runs: readonly Run[]): void {
  const results = runs.flatMap((run) => run.results);
  const slowest = results.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST);
  if (slowest.length > 0) console.log("The slowest files, in seconds beside the others:");
  for (const { seconds, file } of slowest)
    console.log(`${seconds.toFixed(1).padStart(7)}  ${relative(file)}`);
  for (const file of runs.flatMap((run) => run.unreached))
    console.log(`never reached: ${relative(file)}`);
  const died = runs.filter((run) => run.died).length;
  if (died > 0) console.log(`test runners that ended before their tests: ${died}`);
  const of = (what: "passed" | "skipped") => results.reduce((sum, one) => sum + one[what], 0);
  const failed = runs.reduce((sum, run) => sum + failuresOf(run), 0);
  console.log(`${of("passed")} ${failed} ${of("skipped")}`);
}

function relative(file: string): string {
  return path.relative(path.resolve(import.meta.dirname, ".."), file);
}

if (import.meta.main) {
  const reports = process.argv.slice(2);
  if (reports.length === 0) throw new Error("usage: node scripts/count-tests.ts <report>...");
  print(reports.map(readRun));
}
