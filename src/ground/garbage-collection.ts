// V8's garbage collection, for all threads of the process. By default a heap grows to several times
// its live data before it is collected, keeps that size, and uses four helper threads. On a shared
// PC, memory and processors matter more than the last per cent of speed.

import { setFlagsFromString } from "node:v8";

/** A heap is collected after this growth since the last time. */
const GROWING_PERCENT = 30;

/**
 * The young generation has two halves of so many MiB in threads, and doesn't grow: it would never
 * be given back.
 */
const HALF_MIB = 2;

for (const flag of [
  `--heap-growing-percent=${GROWING_PERCENT}`,
  // The helpers' waiting for one another took a quarter of the time of ingest.
  "--no-parallel-scavenge",
  `--min-semi-space-size=${HALF_MIB}`,
  "--semi-space-growth-factor=1",
])
  setFlagsFromString(flag);
