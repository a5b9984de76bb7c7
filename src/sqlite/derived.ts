// What is made of readings and kept beside them, and how a row of it proves itself: by a checksum
// behind its bytes. A start looks through all of it, which is little beside the readings, so that
// no wrong sum is answered; what is damaged can be made again.

import { DAY_MS } from "../clock.ts";
import { type Connection, prepare } from "./open.ts";
import { isWhole } from "./row-checksum.ts";
import { rawFrom } from "./timeline.ts";

interface Proof {
  /** The statement that gives all rows. */
  readonly rows: string;
  /** The column with the bytes, and those beside it that the checksum covers, in order. */
  readonly bytes: string;
  readonly beside: readonly string[];
}

const SUM = { bytes: "fields", beside: ["start_ms", "last_ms", "count"] } as const;

/** By table. */
const PROOFS: ReadonlyMap<string, Proof> = new Map([
  ["day_count", { rows: "derived.counts", bytes: "hours", beside: ["start_ms", "count"] }],
  ["bucket_hour", { rows: "derived.hours", ...SUM }],
  ["bucket_day", { rows: "derived.days", ...SUM }],
  ["bucket_block", { rows: "derived.blocks", bytes: "buckets", beside: ["interval", "start_ms"] }],
  ["health_day", { rows: "derived.health", bytes: "records", beside: ["day_ms"] }],
  ["forecast", { rows: "derived.forecasts", bytes: "forecasts", beside: ["at_ms"] }],
  ["lamp_state", { rows: "derived.lamps", bytes: "state", beside: ["through_ms", "version"] }],
  ["lamp_score", { rows: "derived.scores", bytes: "score", beside: ["position", "began_ms"] }],
]);

/** A row with all its columns. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** Whether a row of any table is what was stored, as far as it proves itself. */
export function isWholeRow(table: string, row: StoredRow): boolean {
  const proof = PROOFS.get(table);
  return proof === undefined || isProven(row, proof);
}

/** The first that isn't what was stored; null when everything is. An older schema lacks tables. */
export function derivedProblem(db: Connection): string | null {
  const raw_from_ms = rawFrom(db);
  if (raw_from_ms % DAY_MS !== 0)
    return `raw readings can't have expired up to ${raw_from_ms}, which is no whole day`;
  const tables = prepare<object, { name: string }>(db, "derived.tables").all({});
  const isThere = ([table]: readonly [string, Proof]) => tables.some(({ name }) => name === table);
  for (const [table, proof] of [...PROOFS].filter(isThere))
    for (const row of prepare<object, StoredRow>(db, proof.rows).iterate({}))
      if (!isProven(row, proof)) {
        const beside = proof.beside.map((column) => `${column} ${row[column]}`).join(", ");
        return `${table}: the row of ${beside} isn't what was stored`;
      }
  return null;
}

function isProven(row: StoredRow, { bytes, beside }: Proof): boolean {
  return isWhole(row[bytes], beside.map((column) => String(row[column])).join(" "));
}
