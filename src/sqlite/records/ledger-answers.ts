// Heads and proofs of the ledger as JSON. The answer is null if no proof is possible: no signed
// head includes the link, or the tree doesn't have the size.

import type { LedgerHead } from "../../bwts/ledger.ts";
import { readCheckpoint } from "../../ledger/checkpoint.ts";
import { consistencyPath, rootAt } from "../../ledger/merkle-proof.ts";
import { isSignedBy, type NoteKey, verifierKey } from "../../ledger/note.ts";
import { pathTexts } from "../../ledger/proof.ts";
import { allowedSigner } from "../../ledger/ssh-signature.ts";
import { withoutDamage } from "../file/damage.ts";
import { ledgerSize, nodesOf } from "../file/ledger.ts";
import { type Connection, prepare } from "../file/open.ts";
import { type PageText, pageText } from "../file/query.ts";
import { shownTime } from "../sealed/segment-proof.ts";
import type { SignedHead } from "./head-rows.ts";
import { keyStatements, storedNote } from "./key-statements.ts";
import { makeProof, NotProvable, type ProofQuery } from "./ledger-proofs.ts";

/** A stored head as the API answers it; `keys` are those that the ledger names. */
export function headAnswer(stored: SignedHead, keys: readonly NoteKey[]) {
  const { origin, at_ms, reason, checkpoint, ssh_signature } = stored;
  const { head, key } = storedNote(`a head of ${stored.size} leaves`, () => {
    const read = readCheckpoint(checkpoint);
    return { head: read, key: keys.find((one) => isSignedBy(read.note, one)) ?? null };
  });
  const [root] = pathTexts([head.root]);
  return {
    ...{ origin, size: head.size, root, timestamp: shownTime(at_ms), reason },
    ...{ checkpoint, ssh_signature },
    verifier_key: key === null ? "" : verifierKey(key),
    allowed_signers: key === null ? "" : allowedSigner(origin, key.key),
  } satisfies Omit<LedgerHead, "reason"> & { readonly reason: string };
}

/** The keys that the ledger names, in their order. */
export function ledgerKeys(db: Connection): readonly NoteKey[] {
  return keyStatements(db).map(({ key }) => key);
}

/** The newest signed head; null before the first. */
export function ledgerHeadJson(db: Connection): string | null {
  return db.transaction(() => {
    const newest = prepare(db, "ledger_head.newest").get({});
    return newest === undefined ? null : JSON.stringify(headAnswer(newest, ledgerKeys(db)));
  })();
}

/** A page of the signed heads, newest first. A damaged one is left out, and the damage is noted. */
export function ledgerHeadsJson(
  db: Connection,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): PageText {
  return db.transaction(() => {
    const keys = ledgerKeys(db);
    const total = prepare(db, "ledger_head.count").get({})?.count ?? 0;
    const rows = prepare(db, "ledger_head.page").all({ limit, offset });
    const data = rows.flatMap((row) => withoutDamage(db, () => headAnswer(row, keys)) ?? []);
    return pageText(data, { offset, limit, total });
  })();
}

/** The proof of a leaf, and of the growth since a size. */
export function ledgerProofJson(
  db: Connection,
  { kind, number, since }: ProofQuery["leaves"][number] & Pick<ProofQuery, "since">,
): string | null {
  try {
    const asked = { leaves: [{ kind, number }], rows: [], since };
    return db.transaction(() => JSON.stringify(makeProof(db, asked)))();
  } catch (error) {
    if (error instanceof NotProvable) return null;
    throw error;
  }
}

/**
 * The proof that the tree of `from` leaves is the beginning of that of `to`; null if `to` exceeds
 * the newest signed head, since nobody vouches for that root.
 */
export function ledgerConsistencyJson(
  db: Connection,
  { from, to }: { readonly from: number; readonly to: number },
): string | null {
  return db.transaction(() => {
    const newest = prepare(db, "ledger_head.newest").get({});
    const size = Math.min(newest?.size ?? 0, ledgerSize(db));
    if (from < 1 || from > to || to > size) return null;
    const node = nodesOf(db);
    const [root_from, root_to] = pathTexts([rootAt(node, from), rootAt(node, to)]);
    const path = pathTexts(consistencyPath(node, from, to));
    return JSON.stringify({ from, to, root_from, root_to, path });
  })();
}
