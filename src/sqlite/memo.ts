// What was computed from the database as it is now, kept until it changes: SQLite itself says
// whether another connection has committed (data_version) or this one has written (total_changes),
// so that nothing remembered here is ever older than the database.

import { type Connection, prepare } from "./open.ts";

interface Version {
  readonly others: number;
  readonly own: number;
}

interface Memory {
  others: number;
  own: number;
  readonly values: Map<string, unknown>;
}

const memories = new WeakMap<Connection, Memory>();

/** `compute()`, or what it gave before if the database hasn't changed since. */
export function memo<Result>(db: Connection, key: string, compute: () => Result): Result;
export function memo(db: Connection, key: string, compute: () => unknown): unknown {
  const { values } = currentMemory(db);
  if (!values.has(key)) values.set(key, compute());
  return values.get(key);
}

function currentMemory(db: Connection): Memory {
  const now = prepare<object, Version>(db, "state.version").get({}) ?? { others: -1, own: -1 };
  const known = memories.get(db);
  if (known !== undefined && known.others === now.others && known.own === now.own) return known;
  const memory = { ...now, values: new Map() };
  memories.set(db, memory);
  return memory;
}
