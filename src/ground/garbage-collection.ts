// Settings of V8's garbage collection for all threads of the service. By default a heap grows to
// several times its live data before it is collected, keeps that size, and uses four helper
// threads. A service on a shared PC should stay small for months; a short command keeps the
// defaults, with which `verify` needs half of the processor's time. Imported before the rest of the
// program, whose loading lets the young generation grow to 16 MiB.

import { performance } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** The commands that run for months. */
const LASTING = ["serve", "demo"];

/**
 * Growth since the last collection, in percent, after which a heap is collected. With 30, half of
 * the processor's time for a runtime analysis was spent on collections.
 */
const GROWING_PERCENT = 100;

/**
 * Size of each half of a thread's young generation, in MiB. It doesn't grow: it would never be
 * given back.
 */
const HALF_MIB = 2;

const FLAGS = [
  `--heap-growing-percent=${GROWING_PERCENT}`,
  // Without helper threads: their waiting for one another took a quarter of the time of ingest.
  "--no-parallel-scavenge",
  `--min-semi-space-size=${HALF_MIB}`,
  "--semi-space-growth-factor=1",
] as const;

/** True for an export to Parquet: its values live only a while. 24 months took 411 MB, so 210. */
const isParquet =
  process.argv[2] === "export" && process.argv.some((word) => word.endsWith("parquet"));

/** Number of collections after a start; code that ran once is dropped if unused at several. */
const COLLECTIONS = 3;
const COLLECTIONS_EVERY_MS = 10_000;
/** Share of the time for which a thread works, above which it isn't idle. */
const BUSY_SHARE = 0.1;

/** Growth, in bytes, since the last of them, after which an idle heap is collected again. */
const GROWTH = 6 * 1024 * 1024;

/**
 * Collects this thread's whole heap once it is idle: after its start, and after work that has left
 * it larger. A heap without allocations is never collected, and keeps what the work left. Each
 * takes some 50 ms.
 */
export function collectWhenIdle(): void {
  // Created at the first collection: a start, and a thread that soon ends, don't need it.
  let collect: unknown = null;
  let left = COLLECTIONS;
  let settled = 0;
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > BUSY_SHARE) return;
    if (left === 0 && getHeapStatistics().used_heap_size < settled + GROWTH) return;
    collect ??= collectorOfThread();
    if (typeof collect === "function")
      collect({ type: "major", execution: "sync", flavor: "last-resort" });
    settled = getHeapStatistics().used_heap_size;
    left = Math.max(0, left - 1);
  }, COLLECTIONS_EVERY_MS);
  timer.unref();
}

function collectorOfThread(): unknown {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}

const isLasting = LASTING.includes(process.argv[2]);
if (isParquet || isLasting) for (const flag of FLAGS) setFlagsFromString(flag);
if (isLasting) collectWhenIdle();
