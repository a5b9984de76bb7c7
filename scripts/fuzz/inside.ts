// The fuzzers of our own code run in a process of their own, because what they look for may end it:
// a crash of native code, an endless loop. It says in a file which case it is at; here it is
// watched, and after a crash started again with the case after.

import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { SECOND_MS } from "../../src/ground/clock.ts";
import { memoryOf, processor_ms } from "../../test/rig/process-facts.ts";
import type { Run } from "./run.ts";

/** Maximum processor time of a case, which takes some milliseconds. */
const CASE_MAX_MS = 30 * SECOND_MS;
/** Readings of a whole segment, decoded twice, and the compiler's code beside them. */
const MEMORY_MAX_MIB = 1024;
const WATCH_EVERY_MS = 250;

/** Runs `codec` or `database` until its time is over. */
export async function fuzzInside(run: Run): Promise<void> {
  let { first } = run;
  const last = run.first + run.count;
  while (first < last && Date.now() < run.end_ms) {
    const stopped = await watched({ ...run, first, count: last - first });
    if (stopped === null) return;
    run.found(stopped.number, stopped.how);
    first = stopped.number + 1;
  }
}

/** File in which the process writes the number of its case. */
export function progressFile(folder: string): string {
  return path.join(folder, "case");
}

interface Stopped {
  readonly number: number;
  readonly how: string;
}

async function watched(run: Run): Promise<Stopped | null> {
  const { program: _, ...span } = run;
  const file = path.join(import.meta.dirname, "inside-process.ts");
  const child = spawn(process.execPath, [file, JSON.stringify(span)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = (): void => void child.kill("SIGKILL");
  process.prependOnceListener("exit", kill);
  createInterface({ input: child.stdout }).on("line", (line) => {
    const [kind, ...rest] = JSON.parse(line);
    if (kind === "found") run.found(rest[0], rest[1]);
    else run.tally(rest[0], rest[1]);
  });
  let at = run.first;
  let since_ms = 0;
  let most_mib = 0;
  let ended = "";
  const timer = setInterval(() => {
    const now = numberIn(progressFile(run.folder)) ?? run.first;
    const used_ms = processorMs(child.pid);
    if (now !== at) [at, since_ms] = [now, used_ms];
    most_mib = Math.max(most_mib, anonymousMib(child.pid));
    if (used_ms - since_ms > CASE_MAX_MS) ended = `took more than ${CASE_MAX_MS / SECOND_MS} s`;
    if (most_mib > MEMORY_MAX_MIB) ended = `took ${most_mib.toFixed(0)} MiB`;
    if (ended !== "") kill();
  }, WATCH_EVERY_MS);
  const how = await new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  clearInterval(timer);
  process.off("exit", kill);
  run.note("RssAnon at most, MiB", most_mib.toFixed(0));
  if (how === "exit code 0") return null;
  const number = numberIn(progressFile(run.folder)) ?? run.first;
  return { number, how: ended === "" ? `the process ended by ${how}` : ended };
}

/** 0 once it has ended. */
function anonymousMib(pid = 0): number {
  try {
    return memoryOf(pid).anonymous_mib;
  } catch {
    return 0;
  }
}

function processorMs(pid = 0): number {
  try {
    return processor_ms(pid);
  } catch {
    return 0;
  }
}

function numberIn(file: string): number | null {
  return existsSync(file) ? Number.parseInt(readFileSync(file, "utf8"), 10) : null;
}
