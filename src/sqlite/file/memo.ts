// Caches results computed from the current database, until it changes. SQLite reports commits of
// other connections (data_version) and changes of this one (total_changes), so a result is never
// older than the database. A rollback changes neither number: results computed in the transaction
// are dropped with it.

import { type Connection, mirrored, prepare } from "./open.ts";

interface DataVersion {
  readonly others: number;
  readonly own: number;
}

interface Memory {
  version: DataVersion;
  values: Map<string, unknown>;
}

const UNKNOWN: DataVersion = { others: -1, own: -1 };

const memories = new WeakMap<Connection, () => Memory>();

/** Returns `compute()`, or its earlier result if the database hasn't changed since. */
export function memo<Result>(db: Connection, key: string, compute: () => Result): Result;
export function memo(db: Connection, key: string, compute: () => unknown): unknown {
  const { values } = currentMemory(db);
  if (!values.has(key)) values.set(key, compute());
  return values.get(key);
}

function currentMemory(db: Connection): Memory {
  const memoryOf =
    memories.get(db) ?? mirrored(db, (): Memory => ({ version: UNKNOWN, values: new Map() }));
  memories.set(db, memoryOf);
  const memory = memoryOf();
  const now = prepare<"state.version", DataVersion>(db, "state.version").get({}) ?? UNKNOWN;
  const { others, own } = memory.version;
  if (others !== now.others || own !== now.own) memory.values = new Map();
  memory.version = now;
  return memory;
}
