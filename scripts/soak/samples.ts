// Samples of the soaked program every few seconds, and the verdict, by bounds that are stated here
// before the measurement.

import type { Load } from "./load.ts";

/** One look; what took time is since the look before. */
export interface Sample {
  readonly at_s: number;
  readonly anonymous_mib: number;
  readonly descriptors: number;
  readonly wal_mib: number;
  readonly database_mib: number;
  /** The longest wait for /healthz, asked every 5 ms. */
  readonly stall_ms: number;
  readonly puback_ms: number;
  readonly puback_max_ms: number;
  readonly readings: number;
}

export interface Verdict {
  readonly what: string;
  readonly found: string;
  readonly bound: string;
  readonly holds: boolean;
}

/** From the run's second quarter to its last: a warm program's memory comes and goes. */
const MEMORY_GROWTH_MAX_MIB = 48;
/** At any moment, exports and reader threads included. */
const MEMORY_MAX_MIB = 512;
const DESCRIPTORS_GROWTH_MAX = 16;
/** Four times what is kept of it (journal_size_limit): a long reader holds it up. */
const WAL_MAX_MIB = 64;
/** Ten times what a sealed reading takes, and what is hot, free or in the indexes. */
const READING_BYTES_MAX = 400;
const DATABASE_BASE_MIB = 24;
const STALL_MAX_MS = 1000;
const PUBACK_MAX_MS = 5000;

/** Each bound, and whether it was kept. */
export function verdicts(samples: readonly Sample[], done: Load["done"]): readonly Verdict[] {
  const all = (value: (sample: Sample) => number) => Math.max(...samples.map(value));
  const quarter = (number: number) =>
    samples.slice(
      Math.floor((samples.length * (number - 1)) / 4),
      Math.ceil((samples.length * number) / 4),
    );
  const [early, late] = [quarter(2), quarter(4)];
  const memory = (some: readonly Sample[]) => mean(some.map((sample) => sample.anonymous_mib));
  const descriptors = (some: readonly Sample[]) =>
    Math.max(...some.map((sample) => sample.descriptors));
  const database_max_mib = DATABASE_BASE_MIB + (done.readings * READING_BYTES_MAX) / 2 ** 20;
  return [
    bounded("memory, last quarter less second, MiB", {
      found: memory(late) - memory(early),
      bound: MEMORY_GROWTH_MAX_MIB,
    }),
    bounded("memory at most, MiB", {
      found: all((one) => one.anonymous_mib),
      bound: MEMORY_MAX_MIB,
    }),
    bounded("file descriptors, last quarter less second", {
      found: descriptors(late) - descriptors(early),
      bound: DESCRIPTORS_GROWTH_MAX,
    }),
    bounded("write-ahead log at most, MiB", {
      found: all((one) => one.wal_mib),
      bound: WAL_MAX_MIB,
    }),
    bounded("database at most, MiB", {
      found: all((one) => one.database_mib),
      bound: database_max_mib,
    }),
    bounded("longest wait for /healthz, ms", {
      found: all((one) => one.stall_ms),
      bound: STALL_MAX_MS,
    }),
    bounded("longest PUBACK, ms", { found: all((one) => one.puback_max_ms), bound: PUBACK_MAX_MS }),
  ];
}

function bounded(what: string, { found, bound }: { found: number; bound: number }): Verdict {
  return { what, found: found.toFixed(1), bound: bound.toFixed(0), holds: found <= bound };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

const COLUMNS: readonly (keyof Sample)[] = [
  "at_s",
  "anonymous_mib",
  "descriptors",
  "wal_mib",
  "database_mib",
  "stall_ms",
  "puback_ms",
  "puback_max_ms",
  "readings",
];
const ROWS_MAX = 40;

/** The samples, thinned to some forty lines, and the verdicts. */
export function printed(samples: readonly Sample[], judged: readonly Verdict[]): string {
  const step = Math.ceil(samples.length / ROWS_MAX);
  const rows = samples.filter((_, index) => index % step === 0 || index === samples.length - 1);
  const cell = (text: string) => text.padStart(13);
  const lines = rows.map((row) => COLUMNS.map((name) => cell(row[name].toFixed(0))).join(" "));
  const words = judged.map(
    ({ what, found, bound, holds }) =>
      `${holds ? "ok  " : "FAIL"} ${what}: ${found}, at most ${bound}`,
  );
  return [COLUMNS.map(cell).join(" "), ...lines, "", ...words, ""].join("\n");
}
