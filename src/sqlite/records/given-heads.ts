// The ledger on the inspection sheet: the newest signed head, and the heads that left the ship
// before, each compared with the present tree. A tree that was rewritten has other roots.

import { createHash } from "node:crypto";
import { sha256 } from "../../codec/merkle.ts";
import { isSameHash } from "../../ledger/merkle-proof.ts";
import { withoutDamage } from "../file/damage.ts";
import { leafText, leavesOf, ledgerRoot, ledgerSize } from "../file/ledger.ts";
import { type Connection, prepare } from "../file/open.ts";
import { headAnswer, ledgerKeys } from "./ledger-answers.ts";

/** Maximum number of heads compared for a sheet; `ballastd ledger check` compares all. */
const COMPARED_MAX = 100;
const TOLD_MAX = 3;

/** A head that left the ship, by its statement in the ledger. */
interface GivenHead {
  readonly reason: string;
  readonly at: string;
  readonly size: number;
  readonly in_tree: boolean;
}

/**
 * The newest signed head; null before the first, and if it is damaged, so that the sheet can still
 * be made.
 */
export function newestHead(db: Connection) {
  const stored = prepare(db, "ledger_head.newest").get({});
  const answer = stored && withoutDamage(db, () => headAnswer(stored, ledgerKeys(db)));
  if (answer === undefined || answer === null) return null;
  const { origin, size, root, timestamp, reason, ...told } = answer;
  const { checkpoint, verifier_key } = told;
  const fingerprint = fingerprintOf(told.allowed_signers);
  return { origin, size, root, signed: timestamp, reason, checkpoint, fingerprint, verifier_key };
}

/**
 * The fingerprint of a key, as `ssh-keygen -l` prints it, from a line of allowed_signers; ""
 * without one.
 */
function fingerprintOf(allowed_signers: string): string {
  const blob = allowed_signers.split(" ").at(-1) ?? "";
  if (blob === "") return "";
  const hash = createHash("sha256").update(Buffer.from(blob, "base64")).digest("base64");
  return `SHA256:${hash.replace(/=+$/, "")}`;
}

/**
 * The heads that left the ship before one of `size` leaves, and whether this tree grew from them.
 */
export function givenHeads(db: Connection, size: number) {
  const limit = COMPARED_MAX;
  const rows = prepare(db, "ledger.newest_statements").all({ kind: "head", limit });
  const leaves = ledgerSize(db);
  const told = rows.map((row) => {
    const isSound = row.leaf === leafText(row, sha256(Buffer.from(String(row.content))));
    return givenHead(db, isSound ? String(row.content) : "", leaves);
  });
  const before = told.filter((head) => head.size !== size);
  const count = leavesOf(db, "head") - (told.length - before.length);
  return {
    ...{ count, compared: before.length },
    in_tree: before.filter(({ in_tree }) => in_tree).length,
    last_print: told.find(({ reason }) => reason === "print")?.at ?? null,
    newest: before.slice(0, TOLD_MAX),
  };
}

const STATEMENT = /^head given out: (\w+)\nat (\S+)\norigin \S+\nsize (\d+)\nroot (\S+)\n$/;

function givenHead(db: Connection, content: string, leaves: number): GivenHead {
  const [, reason = "damaged", at = "", digits = "0", root = ""] = STATEMENT.exec(content) ?? [];
  const size = Number(digits);
  const isPart = size > 0 && size <= leaves;
  const in_tree = isPart && isSameHash(ledgerRoot(db, size), Buffer.from(root, "base64"));
  return { reason, at: at === "" ? new Date(0).toISOString() : at, size, in_tree };
}
