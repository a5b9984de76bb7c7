// The writer's transactions, and in-memory state that mirrors the disk. Each part registers its
// state with its connection, so that a failed transaction resets all of it. State that isn't
// registered changes only after the commit.

import type { Connection } from "./open.ts";

/** In-memory state of the disk, notified at the end of a transaction. */
export interface Mirror {
  /** Called after a commit. */
  keep(): void;
  /** Called after a rollback. */
  forget(): void;
}

const mirrorsOf = new WeakMap<Connection, Mirror[]>();

/** Notifies `mirror` at the end of each transaction of the connection. */
export function register(db: Connection, mirror: Mirror): void {
  const mirrors = mirrorsOf.get(db) ?? [];
  mirrorsOf.set(db, mirrors);
  mirrors.push(mirror);
}

/** `read`'s value in memory. The caller changes it along with the disk; a rollback drops it. */
export function mirrored<Value>(db: Connection, read: () => Value): () => Value {
  let known: { readonly value: Value } | null = null;
  register(db, {
    keep() {},
    forget() {
      known = null;
    },
  });
  return () => {
    known ??= { value: read() };
    return known.value;
  };
}

/** Runs a transaction. Throws, with nothing changed on disk or in memory, if it fails. */
export function write<Result>(db: Connection, transaction: () => Result): Result {
  if (db.inTransaction) throw new Error("a transaction was begun inside of another");
  const mirrors = mirrorsOf.get(db) ?? [];
  try {
    const result = db.transaction(transaction)();
    for (const mirror of mirrors) mirror.keep();
    return result;
  } catch (error) {
    for (const mirror of mirrors) mirror.forget();
    throw error;
  }
}
