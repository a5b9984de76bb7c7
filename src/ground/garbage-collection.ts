// V8's garbage collection in the service, for all threads of the process. By default a heap grows
// to several times its live data before it is collected, keeps that size, and uses four helper
// threads. What runs for months on a shared PC had better stay small; a command that ends soon
// keeps the defaults, with which `verify` takes half of the processor's time. It is imported before
// the rest of the program: loading that makes the young generation grow to 16 MiB.

import { setFlagsFromString } from "node:v8";

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

const isLasting = LASTING.includes(process.argv[2]);
if (isParquet || isLasting) for (const flag of FLAGS) setFlagsFromString(flag);
if (isLasting) compactHeaps(true);
