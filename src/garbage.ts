// How V8 collects garbage, for all threads of the process. By default a heap may grow to several
// times of what lives in it before it is collected, what it has once grown to it keeps, and four
// helpers share what is done in a millisecond: on a PC that does more than this, memory and
// processors matter more than the last per cent of speed.

import { setFlagsFromString } from "node:v8";

/** A heap is collected when it has grown by so much since the last time. */
const GROWING_PERCENT = 30;

/**
 * The young generation is in two halves of so many MiB, in the threads, and doesn't grow: it would
 * never be given back.
 */
const HALF_MIB = 2;

for (const flag of [
  `--heap-growing-percent=${GROWING_PERCENT}`,
  // The helpers' waiting for one another was a quarter of what taking a reading in cost.
  "--no-parallel-scavenge",
  `--min-semi-space-size=${HALF_MIB}`,
  "--semi-space-growth-factor=1",
])
  setFlagsFromString(flag);
