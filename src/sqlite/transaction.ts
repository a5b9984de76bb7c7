// The writer's transactions, and what its parts keep in memory of the disk. A part registers when
// it is made, with its connection: whatever transaction fails, all of them are taken back, and none
// can be left out by who writes. What isn't registered changes only after the commit.

import type { Connection } from "./open.ts";

/** A part's memory of the disk, at the end of a transaction. */
export interface Mirror {
  /** The transaction was committed. */
  keep(): void;
  /** The transaction was rolled back. */
  forget(): void;
}

const mirrorsOf = new WeakMap<Connection, Mirror[]>();

/** From now on `mirror` is told how each transaction of the connection ended. */
export function register(db: Connection, mirror: Mirror): void {
  const mirrors = mirrorsOf.get(db) ?? [];
  mirrorsOf.set(db, mirrors);
  mirrors.push(mirror);
}

/** `read`'s value in memory: the caller changes it as it changes the disk; a rollback drops it. */
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

/** Carries out a transaction. Throws, with nothing changed on disk or in memory, when it fails. */
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
