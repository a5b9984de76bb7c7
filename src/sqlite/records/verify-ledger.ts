// Verifies the ledger as a whole: every leaf is in its place, every link of the chains has a leaf,
// every signed head is one of this tree and signed by a key that the ledger names, and every stored
// operation is as the ledger states it.

import { DamagedError } from "../../codec/bytes.ts";
import { HASH_BYTES, sha256 } from "../../codec/merkle.ts";
import { messageOf } from "../../ground/errors.ts";
import { readCheckpoint, signerOfHead } from "../../ledger/checkpoint.ts";
import type { KeyStatement } from "../../ledger/key-statement.ts";
import { isSameHash, type NodeAt, rootAt } from "../../ledger/merkle-proof.ts";
import { BadNote } from "../../ledger/note.ts";
import { isSshSignature } from "../../ledger/ssh-signature.ts";
import { CHAINS, chainHead, EMPTY_CHAIN } from "../file/hash-chain.ts";
import { ledgerRoot, nodesOf } from "../file/ledger.ts";
import { type Connection, prepare } from "../file/open.ts";
import { isWholeRow } from "../file/row-checksum.ts";
import { givenOut, type StoredHead } from "./head-rows.ts";
import { keyStatements, storedNote } from "./key-statements.ts";
import { openLeafProof } from "./leaf-proof.ts";
import { faultyOperations } from "./operation-faults.ts";

export interface VerifiedLedger {
  readonly leaves: number;
  /** The root of the whole tree in hexadecimal; null if the leaves are damaged. */
  readonly root: string | null;
  readonly problem: string | null;
}

/** Number of leaves, or of heads, fetched at a time. */
const PAGE = 500;

/** Verifies the whole ledger, in the caller's transaction; `each` is called for each leaf. */
export function verifyLedger(db: Connection, each: () => void = () => {}): VerifiedLedger {
  const { count } = chainHead(db, "ledger");
  const fault = leavesFault(db, each);
  if (fault !== null) return { leaves: count, root: null, problem: fault };
  const root = Buffer.from(ledgerRoot(db, count)).toString("hex");
  return { leaves: count, root, problem: headsFault(db) ?? operationsFault(db) };
}

function operationsFault(db: Connection): string | null {
  for (const { fault } of faultyOperations(db)) return fault;
  return null;
}

function leavesFault(db: Connection, each: () => void): string | null {
  const proof = openLeafProof(db);
  const counts = new Map<string, number>();
  let last = 0;
  let lastNodes: Uint8Array = EMPTY_CHAIN.hash;
  for (const row of paged((id) => prepare(db, "ledger.page").all({ id, limit: PAGE }))) {
    if (row.id !== last + 1) return `leaf ${last + 1} of the ledger is missing`;
    const fault = proof(row);
    if (fault !== null) return fault;
    const number = (counts.get(row.kind) ?? 0) + 1;
    if (row.number !== number)
      return `leaf ${row.id} of the ledger: is of ${row.kind} ${row.number}, expected ${number}`;
    counts.set(row.kind, number);
    last = row.id;
    lastNodes = row.nodes;
    each();
  }
  const head = chainHead(db, "ledger");
  if (head.count !== last)
    return `leaf ${last + 1} of the ledger is missing: the head counts ${head.count}`;
  if (!isSameHash(head.hash, lastNodes.subarray(0, HASH_BYTES)))
    return `leaf ${last} of the ledger: the head has another hash`;
  const lacking = CHAINS.find((chain) => chainHead(db, chain).count !== (counts.get(chain) ?? 0));
  if (lacking === undefined) return null;
  return `${lacking} ${(counts.get(lacking) ?? 0) + 1} has no leaf in the ledger`;
}

/** All rows of a table with ids, in their order, fetched page by page. */
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

function headsFault(db: Connection): string | null {
  try {
    const [first] = faultyHeads(db);
    return first?.fault ?? countedFault(db);
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error;
    return messageOf(error);
  }
}

/** The fault of missing heads, if all present rows are sound; null if there is none. */
function countedFault(db: Connection): string | null {
  const { count, hash } = chainHead(db, "head");
  let last = 0;
  let lastHash: Uint8Array = EMPTY_CHAIN.hash;
  for (const { id, checkpoint } of headRows(db)) {
    if (id !== last + 1) return `head ${last + 1} of the ledger is missing`;
    last = id;
    lastHash = sha256(Buffer.from(checkpoint));
  }
  if (count !== last) return `head ${last + 1} of the ledger is missing: ${count} were signed`;
  return isSameHash(hash, lastHash) ? null : `head ${last} of the ledger: isn't the last signed`;
}

/**
 * Number of heads that left the ship by the ledger, but aren't stored: a salvage can't restore
 * them.
 */
export function missingHeads(db: Connection): number {
  const stored = new Set([...headRows(db)].map((row) => storedNote("a head", () => givenOut(row))));
  const said = prepare(db, "ledger.statements").all({ kind: "head" });
  return said.filter(({ content }) => !stored.has(content)).length;
}

/** All signed heads, in their order. */
export function headRows(db: Connection): Iterable<StoredHead> {
  return paged((id) => prepare(db, "ledger_head.after").all({ id, limit: PAGE }));
}

/** The signed heads that were altered, or aren't of this tree. */
export function* faultyHeads(db: Connection): Generator<{ row: StoredHead; fault: string }> {
  const keys = keyStatements(db).map(({ key }) => key);
  const said = prepare(db, "ledger.statements").all({ kind: "head" });
  const known = {
    ...{ keys, node: nodesOf(db), leaves: chainHead(db, "ledger").count },
    given: new Set(said.map(({ content }) => content)),
  };
  let isOwn = false;
  let before: StoredHead | null = null;
  for (const row of headRows(db)) {
    // Heads of a tree that a salvage couldn't keep come before all heads of this one.
    const isFormer: boolean = !isOwn && !keys.some(({ name }) => name === row.origin);
    // Heads of different trees aren't compared: each tree began anew.
    if (isOwn === isFormer || (isFormer && before?.origin !== row.origin)) before = null;
    isOwn = !isFormer;
    const fault = headFault(row, isFormer, known) ?? orderFault(row, before);
    if (fault === null) before = row;
    else yield { row, fault: `head ${row.id} of the ledger: ${fault}` };
  }
}

/**
 * The fault of a head that isn't larger than the one before; null if there is none. A head of the
 * same tree is allowed again if it leaves the ship.
 */
function orderFault(row: StoredHead, before: StoredHead | null): string | null {
  if (before === null || row.size > before.size) return null;
  const isGivenNow = row.size === before.size && givenOut(row) !== null;
  const isSame = isGivenNow && givenOut(before) === null;
  return isSame ? null : "isn't of a larger tree than the head before it";
}

interface KnownTree {
  readonly keys: readonly KeyStatement["key"][];
  readonly node: NodeAt;
  readonly leaves: number;
  /** The statements about heads that left the ship. */
  readonly given: ReadonlySet<string | null>;
}

function headFault(
  row: StoredHead,
  isFormer: boolean,
  { keys, node, leaves, given }: KnownTree,
): string | null {
  const { origin, size, checkpoint, ssh_signature } = row;
  try {
    if (!isWholeRow(row)) return "its row isn't what was stored";
    const head = readCheckpoint(checkpoint);
    if (head.origin !== origin || head.size !== size) return "its row isn't what was signed";
    if (isFormer) return null;
    const { key } = signerOfHead(head, keys);
    if (size > leaves) return `it has ${size} leaves, the ledger ${leaves}`;
    if (!isSameHash(head.root, rootAt(node, size))) return "its root isn't that of its leaves";
    if (!isSshSignature(ssh_signature, checkpoint, key)) return "its SSH signature isn't one";
    const said = givenOut(row);
    return said === null || given.has(said)
      ? null
      : "the ledger doesn't tell that it was given out";
  } catch (error) {
    if (!(error instanceof BadNote)) throw error;
    return messageOf(error);
  }
}
