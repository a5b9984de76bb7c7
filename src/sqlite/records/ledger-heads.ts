// The ledger's heads in the database: the facts that a signer needs before it signs, the storing of
// heads, and the reason for which the next one is due.

import { DamagedError } from "../../codec/bytes.ts";
import { DAY_MS, HOUR_MS } from "../../ground/clock.ts";
import { readCheckpoint, type TreeHead } from "../../ledger/checkpoint.ts";
import { chainHead } from "../file/hash-chain.ts";
import { appendStatement, leavesOf, ledgerRoot, ledgerSize } from "../file/ledger.ts";
import { type Connection, prepare, write } from "../file/open.ts";
import { givenOut, putHead, type SignedHead } from "./head-rows.ts";
import { keyStatements, storedNote } from "./key-statements.ts";
import { openLeafProof } from "./leaf-proof.ts";

/** The present tree. */
export interface LedgerNow {
  readonly size: number;
  readonly root: Uint8Array;
  /** The newest statement about a key; null before the first. */
  readonly statement: string | null;
  /** The newest signed head; null before the first. */
  readonly newest: TreeHead | null;
  /** The root over the first `before` leaves; null if the tree has fewer. */
  readonly root_before: Uint8Array | null;
  /** Time of the last restore of the database from a backup; null if there was none. */
  readonly restored_ms: number | null;
  /** Number of signed heads that are stored. */
  readonly heads: number;
  /**
   * True if there are statements other than those about keys; the first head must be signed before
   * any.
   */
  readonly isStated: boolean;
  /** True if a salvage may have lost signed heads. */
  readonly isSalvaged: boolean;
}

/** True if a salvage of this database is recorded. */
export const wasSalvaged = (db: Connection): boolean =>
  prepare(db, "audit.newest_of_kind").get({ kind: "salvage" }) !== undefined;

/** The present tree. The nodes that its root is computed from are proven. Throws a DamagedError. */
export function ledgerNow(db: Connection, before: number | null): LedgerNow {
  return db.transaction(() => {
    const size = ledgerSize(db);
    requireEdge(db, size);
    if (before !== null && before < size) requireEdge(db, before);
    const newest = prepare(db, "ledger_head.newest").get({});
    return {
      size,
      root: ledgerRoot(db, size),
      statement: keyStatements(db).at(-1)?.content ?? null,
      newest:
        newest === undefined
          ? null
          : storedNote("the newest signed head", () => readCheckpoint(newest.checkpoint)),
      root_before: before === null || before > size ? null : ledgerRoot(db, before),
      restored_ms: prepare(db, "audit.newest_of_kind").get({ kind: "restore" })?.at_ms ?? null,
      heads: chainHead(db, "head").count,
      isStated: (["verdict", "head", "given"] as const).some((kind) => leavesOf(db, kind) > 0),
      isSalvaged: wasSalvaged(db),
    };
  })();
}

/**
 * Throws a DamagedError if a row on the tree's edge is damaged, because its root would be wrong.
 */
function requireEdge(db: Connection, size: number): void {
  const proof = openLeafProof(db);
  const page = prepare(db, "ledger.page");
  let from = 0;
  for (let width = 2 ** 40; width >= 1; width /= 2) {
    if (from + width > size) continue;
    from += width;
    const [row] = page.all({ id: from - 1, limit: 1 });
    const fault = row?.id === from ? proof(row) : `leaf ${from} of the ledger is missing`;
    if (fault !== null) throw new DamagedError(fault);
  }
}

/** Appends a statement about a key. */
export function storeKey(db: Connection, content: string): null {
  write(db, () => appendStatement(db, "key", content));
  return null;
}

/** Stores a signed head; if it leaves the ship, also the statement about that. */
export function storeHead(db: Connection, head: SignedHead): null {
  write(db, () => {
    putHead(db, head);
    const said = givenOut(head);
    if (said !== null) appendStatement(db, "head", said);
  });
  return null;
}

/**
 * The reason for which a head is due; null if none is. Exports within an hour share a head, so that
 * a program that exports each minute can't fill the disk with heads.
 */
export function dueHead(db: Connection, now_ms: number): "stop" | "export" | "daily" | null {
  const head = prepare(db, "ledger_head.newest").get({}) ?? { size: 0, at_ms: 0 };
  const wanted = prepare(db, "ledger.due")
    .all({})
    .filter(({ value }) => value > head.size);
  const isWanted = (reason: string) => wanted.some(({ name }) => name === `ledger_${reason}`);
  if (isWanted("export") && !isExportedLately(db, now_ms)) return "export";
  if (isWanted("stop")) return "stop";
  const isOld = Math.abs(now_ms - head.at_ms) >= DAY_MS;
  return isOld && ledgerSize(db) > head.size ? "daily" : null;
}

/**
 * True if a head was signed for an export within the last hour; false if the clock was set back,
 * because then the time since isn't known.
 */
function isExportedLately(db: Connection, now_ms: number): boolean {
  const last = prepare(db, "ledger_head.exported").get({});
  const ago_ms = now_ms - (last?.at_ms ?? 0);
  return ago_ms >= 0 && ago_ms < HOUR_MS;
}
