// Verifies the ledger as a whole: every leaf in its place, a leaf for every link of the chains, and
// every signed head a head of this tree, signed by a key that the ledger names.

import { DamagedError } from "../../codec/bytes.ts";
import { sha256 } from "../../codec/merkle.ts";
import { messageOf } from "../../ground/errors.ts";
import { readCheckpoint, signerOfHead } from "../../ledger/checkpoint.ts";
import { type KeyStatement, readKeyStatement } from "../../ledger/key-statement.ts";
import { isSameHash, type NodeAt, rootAt } from "../../ledger/merkle-proof.ts";
import { BadNote } from "../../ledger/note.ts";
import { isSshSignature } from "../../ledger/ssh-signature.ts";
import { CHAINS, chainHead } from "../file/hash-chain.ts";
import { leafText, ledgerRoot, nodesOf } from "../file/ledger.ts";
import { type Connection, prepare, type RowOf } from "../file/open.ts";
import { verdictFault } from "../records/operation-rows.ts";
import { openLeafProof } from "./leaf-proof.ts";

export interface VerifiedLedger {
  readonly leaves: number;
  /** The root of the whole tree in hexadecimal; null if the leaves are damaged. */
  readonly root: string | null;
  readonly problem: string | null;
}

/** Leaves, or heads, fetched at a time. */
const PAGE = 500;

/** Verifies all of it, in the caller's transaction; `each` is called for each leaf. */
export function verifyLedger(db: Connection, each: () => void = () => {}): VerifiedLedger {
  const { count } = chainHead(db, "ledger");
  const fault = leavesFault(db, each);
  if (fault !== null) return { leaves: count, root: null, problem: fault };
  const root = Buffer.from(ledgerRoot(db, count)).toString("hex");
  return { leaves: count, root, problem: headsFault(db) ?? verdictFault(db) };
}

function leavesFault(db: Connection, each: () => void): string | null {
  const proof = openLeafProof(db);
  const counts = new Map<string, number>();
  let last = 0;
  for (const row of paged((id) => prepare(db, "ledger.page").all({ id, limit: PAGE }))) {
    if (row.id !== last + 1) return `leaf ${last + 1} of the ledger is missing`;
    const fault = proof(row);
    if (fault !== null) return fault;
    const number = (counts.get(row.kind) ?? 0) + 1;
    if (row.number !== number)
      return `leaf ${row.id} of the ledger: is of ${row.kind} ${row.number}, expected ${number}`;
    counts.set(row.kind, number);
    last = row.id;
    each();
  }
  const head = chainHead(db, "ledger");
  if (head.count !== last)
    return `leaf ${last + 1} of the ledger is missing: the head counts ${head.count}`;
  const lacking = CHAINS.find((chain) => chainHead(db, chain).count !== (counts.get(chain) ?? 0));
  if (lacking === undefined) return null;
  return `${lacking} ${(counts.get(lacking) ?? 0) + 1} has no leaf in the ledger`;
}

/** Rows that have ids, in their order. */
function* paged<Row extends { readonly id: number }>(
  page: (id: number) => readonly Row[],
): Generator<Row> {
  for (let id = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = page(id);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    ({ id } = last);
  }
}

/** Reads a stored note. Throws a DamagedError that begins with `name` if it isn't one. */
export function storedNote<Result>(name: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof BadNote)) throw error;
    throw new DamagedError(`${name}: ${messageOf(error)}`);
  }
}

/** The statements about keys, in their order. Throws a DamagedError if one isn't sound. */
export function keyStatements(
  db: Connection,
): readonly (KeyStatement & { readonly index: number; readonly content: string })[] {
  const rows = prepare(db, "ledger.statements").all({ kind: "key" });
  return rows.map(({ id, kind, number, leaf, content }) => {
    const text = String(content);
    const name = `leaf ${id} of the ledger (${kind} ${number})`;
    if (leaf !== leafText({ kind, number }, sha256(Buffer.from(text))))
      throw new DamagedError(`${name}: its statement isn't what was written`);
    const said = storedNote(name, () => readKeyStatement(text));
    return { ...said, index: id - 1, content: text };
  });
}

function headsFault(db: Connection): string | null {
  try {
    const [first] = faultyHeads(db);
    return first === undefined ? null : `head ${first.id} of the ledger: ${first.fault}`;
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error;
    return messageOf(error);
  }
}

/** The signed heads that aren't what was signed, or not heads of this tree. */
export function* faultyHeads(db: Connection): Generator<{ id: number; fault: string }> {
  const keys = keyStatements(db).map(({ key }) => key);
  const known = { keys, node: nodesOf(db), leaves: chainHead(db, "ledger").count };
  for (const row of paged((id) => prepare(db, "ledger_head.after").all({ id, limit: PAGE }))) {
    const fault = headFault(row, known);
    if (fault !== null) yield { id: row.id, fault };
  }
}

interface KnownTree {
  readonly keys: readonly KeyStatement["key"][];
  readonly node: NodeAt;
  readonly leaves: number;
}

function headFault(
  { origin, size, checkpoint, ssh_signature }: RowOf<"ledger_head.after">,
  { keys, node, leaves }: KnownTree,
): string | null {
  try {
    const head = readCheckpoint(checkpoint);
    if (head.origin !== origin || head.size !== size) return "its row isn't what was signed";
    // A head of a tree that a salvage couldn't keep.
    if (!keys.some(({ name }) => name === origin)) return null;
    const { key } = signerOfHead(head, keys);
    if (size > leaves) return `it has ${size} leaves, the ledger ${leaves}`;
    if (!isSameHash(head.root, rootAt(node, size))) return "its root isn't that of its leaves";
    return isSshSignature(ssh_signature, checkpoint, key) ? null : "its SSH signature isn't one";
  } catch (error) {
    if (!(error instanceof BadNote)) throw error;
    return messageOf(error);
  }
}
