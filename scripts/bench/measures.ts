// The measured figures: every row of the table once, with its unit and its better direction. A
// contender fills those that it can; the others are empty cells.

export type Unit = "ms" | "s" | "readings/s" | "answers/s" | "bytes" | "MiB" | "MiB/s" | "times";
export type Better = "less" | "more";

interface Measure {
  readonly what: string;
  readonly unit: Unit;
  readonly better: Better;
}

const less = (what: string, unit: Unit): Measure => ({ what, unit, better: "less" });
const more = (what: string, unit: Unit): Measure => ({ what, unit, better: "more" });

/** The rows in the order of the table. */
export const MEASURES = {
  ingest: more("readings stored, each on disk before it is acknowledged", "readings/s"),
  puback: less("from PUBLISH to PUBACK under that load, median", "ms"),
  puback_max: less("the longest of them", "ms"),
  settle: less("until sealing and scoring are done after the load", "s"),
  disk: less("on disk, everything together, a reading", "bytes"),
  sealed: less("sealed segments alone, a reading", "bytes"),
  flash: less("flash written a reading, a commit each, an hour's worth with its sealing", "bytes"),
  flash_ratio: less("the same, against the reading's JSON", "times"),
  flash_live: less("flash written at one reading a second, against its JSON", "times"),
  day_raw: less("a day raw", "ms"),
  day_raw_http: less("a day raw, gzip", "ms"),
  day_raw_tls: less("a day raw, zstd", "ms"),
  raw_480: less("480 readings raw", "ms"),
  raw_480_http: less("480 readings raw, gzip", "ms"),
  raw_480_tls: less("480 readings raw, zstd", "ms"),
  day_buckets: less("day buckets over 720 h", "ms"),
  day_buckets_http: less("day buckets over 720 h, gzip", "ms"),
  day_buckets_tls: less("day buckets over 720 h, zstd", "ms"),
  hour_buckets: less("hour buckets over 720 h", "ms"),
  hour_buckets_http: less("hour buckets over 720 h, gzip", "ms"),
  hour_buckets_tls: less("hour buckets over 720 h, zstd", "ms"),
  all_days: less("day buckets over everything", "ms"),
  all_days_http: less("day buckets over everything, gzip", "ms"),
  all_days_tls: less("day buckets over everything, zstd", "ms"),
  page: less("a page of 500 at 90 % depth, with the total", "ms"),
  page_http: less("a page of 500 at 90 % depth, with the total, gzip", "ms"),
  page_tls: less("a page of 500 at 90 % depth, with the total, zstd", "ms"),
  runtime: less("10,000 readings of the runtime analysis", "ms"),
  runtime_http: less("10,000 readings of the runtime analysis, gzip", "ms"),
  runtime_tls: less("10,000 readings of the runtime analysis, zstd", "ms"),
  latest: more("the latest reading, 10 connections", "answers/s"),
  stats: more("stats, 10 connections", "answers/s"),
  stall: less("longest wait for /healthz during a full export and 100 readings/s", "ms"),
  export: more("the export meanwhile", "MiB/s"),
  memory_busy: less("memory at most (VmHWM)", "MiB"),
  memory_anonymous: less("of it anonymous (RssAnon), at most", "MiB"),
  memory_idle: less("memory when idle after the load (VmRSS)", "MiB"),
  start: less("from start to the first answer, with everything stored", "ms"),
  verify: less("verify, everything decoded", "s"),
  backup: less("a backup, verified", "s"),
  restore: less("its restore, verified", "s"),
} as const satisfies Record<string, Measure>;

export type MeasureKey = keyof typeof MEASURES;

/** Questions that are also asked as a browser asks them: over HTTP by gzip, over TLS by zstd. */
export type QuestionKey = {
  [Key in MeasureKey]: `${Key}_http` extends MeasureKey ? Key : never;
}[MeasureKey];

/** One measured value; of repeated ones the median. */
export interface Figure {
  readonly value: number;
  /** 95th percentile, null when it was measured once. */
  readonly p95: number | null;
  /** The first of the repetitions, before any cache was warm. */
  readonly first: number | null;
  /** A remark needed to read it right. */
  readonly note: string | null;
}

export type Figures = Partial<Record<MeasureKey, Figure>>;

/** One column of the table; `absent` says why there are no figures. */
export interface Contender {
  readonly name: string;
  readonly about: string;
  readonly absent: string | null;
  readonly figures: Figures;
}

/** A value that was measured once. */
export function once(value: number, note: string | null = null): Figure {
  return { value, p95: null, first: null, note };
}

/** Median and 95th percentile of values in the order in which they were measured. */
export function repeated(values: readonly number[], note: string | null = null): Figure {
  const sorted = Float64Array.from(values).sort();
  return {
    value: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    first: values[0] ?? null,
    note,
  };
}

/** The value that `share` of the sorted values don't exceed. */
export function quantile(sorted: Float64Array, share: number): number {
  if (sorted.length === 0) throw new Error("no values: expected at least one");
  return sorted[Math.ceil(share * sorted.length) - 1] ?? sorted[0];
}
