// V8's garbage collection in the service, for all threads of the process. By default a heap grows
// to several times its live data before it is collected, keeps that size, and uses four helper
// threads. What runs for months on a shared PC had better stay small; a command that ends soon
// keeps the defaults, with which `verify` takes half of the processor's time. It is imported before
// the rest of the program: loading that makes the young generation grow to 16 MiB.

import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** The commands that run for months. */
const LASTING = ["serve", "demo"];

/** A heap is collected after this growth since the last time. */
const GROWING_PERCENT = 30;

/**
 * The young generation has two halves of so many MiB in threads, and doesn't grow: it would never
 * be given back.
 */
const HALF_MIB = 2;

const FLAGS = [
  `--heap-growing-percent=${GROWING_PERCENT}`,
  // The helpers' waiting for one another took a quarter of the time of ingest.
  "--no-parallel-scavenge",
  `--min-semi-space-size=${HALF_MIB}`,
  "--semi-space-growth-factor=1",
] as const;

/** Its values live for a while and then go: 24 months took 411 MB at most, and so take 210. */
const isParquet =
  process.argv[2] === "export" && process.argv.some((word) => word.endsWith("parquet"));

/**
 * Quiet, heaps are compacted as they are collected: idle, 16 MiB less of 86. A flood of messages
 * takes 40 % more of the processor so; then it is left out.
 */
export function compactHeaps(isQuiet: boolean): void {
  setFlagsFromString(isQuiet ? "--optimize-for-size" : "--no-optimize-for-size");
}

/** Collections after a start; code that ran once is forgotten when it lies unused at several. */
const COLLECTIONS = 3;
const COLLECTIONS_EVERY_MS = 10_000;
/** Share of the time in which a thread works, above which it isn't idle. */
const BUSY_SHARE = 0.1;

/**
 * Collects all of this thread's heap once it is idle after its start: a heap that nothing allocates
 * in is never collected, and keeps what the start needed, some 6 MiB of 84. Each takes some 50 ms.
 */
export function collectOnceIdle(): void {
  // Made at the first collection: a start, and a thread that soon ends, needs none.
  let collect: unknown = null;
  let left = COLLECTIONS;
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > BUSY_SHARE) return;
    collect ??= collectorOfThread();
    if (typeof collect === "function")
      collect({ type: "major", execution: "sync", flavor: "last-resort" });
    left -= 1;
    if (left === 0) clearInterval(timer);
  }, COLLECTIONS_EVERY_MS);
  timer.unref();
}

function collectorOfThread(): unknown {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}

const isLasting = LASTING.includes(process.argv[2]);
if (isParquet || isLasting) for (const flag of FLAGS) setFlagsFromString(flag);
if (isLasting) {
  compactHeaps(true);
  collectOnceIdle();
}
