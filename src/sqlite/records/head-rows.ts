// The signed heads as rows. A row has a checksum, the ids have no gap, and the head of the chain
// `head` counts them: so a row that was altered or removed by hand is detected. Size and root are
// signed; time and reason of a head that left the ship are in its statement. A tree is signed once
// under an origin, because the office knows a head by its text alone.

import { sha256 } from "../../codec/merkle.ts";
import { printTime } from "../../ground/clock.ts";
import { readCheckpoint } from "../../ledger/checkpoint.ts";
import { chainHead } from "../file/hash-chain.ts";
import { type Connection, prepare, type RowOf } from "../file/open.ts";
import { withRowChecksum } from "../file/row-checksum.ts";

export type SignedHead = Omit<RowOf<"ledger_head.newest">, "id">;
export type StoredHead = RowOf<"ledger_head.after">;

/** Reasons for which a head leaves the ship, which the ledger then states. */
const GIVEN_OUT: readonly string[] = ["print", "export"];

/**
 * Stores a head, in the caller's transaction. If the newest row has the same tree, that row is
 * updated instead.
 */
export function putHead(db: Connection, head: SignedHead): void {
  const newest = prepare(db, "ledger_head.newest").get({});
  if (newest?.checkpoint !== head.checkpoint) addHead(db, head);
  else if (givenOut(head) !== null) {
    const { at_ms, reason } = head;
    const { checksum, id } = withRowChecksum({ ...newest, at_ms, reason });
    prepare(db, "ledger_head.give_out").run({ at_ms, reason, checksum, id });
  }
}

/** Appends the row of a signed head, in the caller's transaction. */
export function addHead(db: Connection, head: SignedHead): void {
  const { at_ms, origin, size, reason, checkpoint, ssh_signature } = head;
  const id = chainHead(db, "head").count + 1;
  const row = { id, at_ms, origin, size, reason, checkpoint, ssh_signature };
  prepare(db, "ledger_head.add").run(withRowChecksum(row));
  const hash = sha256(Buffer.from(checkpoint));
  prepare(db, "chain.move").run({ chain: "head", count: id, hash });
}

/** The ledger's statement about a head that left the ship; null for any other. */
export function givenOut({ reason, at_ms, checkpoint }: SignedHead): string | null {
  if (!GIVEN_OUT.includes(reason)) return null;
  const { origin, size, root } = readCheckpoint(checkpoint);
  const base64 = Buffer.from(root).toString("base64");
  return [
    `head given out: ${reason}`,
    `at ${printTime(at_ms)}`,
    ...[`origin ${origin}`, `size ${size}`, `root ${base64}`, ""],
  ].join("\n");
}
