// Adds up the reports of report-tests.ts for the end of scripts/test. Prints the ten slowest files,
// each file that was never reached, and last "<passed> <failed> <skipped>". A file that was planned
// and has no result is a failure, and so are an error outside of all tests and a runner that died:
// what didn't run can't have passed.

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";

const Planned = z.object({ planned: z.array(z.string()) });
const FileResult = z.object({
  file: z.string(),
  ...{ passed: z.number(), failed: z.number(), skipped: z.number(), seconds: z.number() },
});
const Ended = z.object({ ended: z.string(), errors: z.number() });
const Line = z.union([Planned, FileResult, Ended]);
/** A line of a report. */
export type Line = z.infer<typeof Line>;

const SLOWEST = 10;

/** Results of one run of vitest. */
interface Run {
  readonly results: readonly z.infer<typeof FileResult>[];
  readonly unreached: readonly string[];
  readonly errors: number;
  readonly died: boolean;
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
  };
}

/** The whole lines; the last one may be torn. */
function linesOf(report: string): readonly Line[] {
  if (!existsSync(report)) return [];
  const whole = readFileSync(report, "utf8").split("\n").slice(0, -1);
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
  const sum = (counted: (run: Run) => number) =>
    runs.reduce((total, run) => total + counted(run), 0);
  const of = (what: "passed" | "failed" | "skipped") =>
    results.reduce((total, result) => total + result[what], 0);
  const failed = of("failed") + sum((run) => run.unreached.length + run.errors);
  // One that died behind its last file has no file that says so.
  const told = sum((run) => (run.died && run.unreached.length === 0 ? 1 : 0));
  console.log(`${of("passed")} ${failed + told} ${of("skipped")}`);
}

function relative(file: string): string {
  return path.relative(path.resolve(import.meta.dirname, ".."), file);
}

if (import.meta.main) {
  const reports = process.argv.slice(2);
  if (reports.length === 0) throw new Error("usage: node scripts/count-tests.ts <report>...");
  print(reports.map(readRun));
}
