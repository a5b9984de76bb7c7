// The ledger: one Merkle tree (RFC 6962) over all data that must not change. Every link of the
// chains is a leaf, written in the transaction that stores the link, and so is every statement.
// Each row has the hashes of the subtrees that it completes, so that appending a leaf, computing a
// root and making a proof need about log2(n) rows. Keeping the tree's edge in memory was rejected:
// it would have to be restored after a failed transaction.

import { DamagedError } from "../../codec/bytes.ts";
import { HASH_BYTES, hashOfNode, sha256 } from "../../codec/merkle.ts";
import { leafHash, type NodeAt, rootAt } from "../../ledger/merkle-proof.ts";
import { putMark } from "./mark.ts";
import { type Connection, prepare } from "./open.ts";

/** A leaf's kind: the chain of its link, or the kind of its statement. */
export type LeafKind = "segment" | "event" | "audit" | StatementKind;

/**
 * Kinds of statements. `key`: the key that signs from here on; `head`: a head that left the ship;
 * `verdict`: a version of an operation's judgement; `given`: versions that left the ship. A new
 * kind needs only a name here, and a call of `appendStatement`.
 */
export const STATEMENT_KINDS = ["key", "head", "verdict", "given"] as const;
export type StatementKind = (typeof STATEMENT_KINDS)[number];

/** The number of rows of a segment and their root, as in its leaf. */
export interface LeafRows {
  readonly count: number;
  readonly root: Uint8Array;
}

/** The text of a leaf; `hash` is that of the link, or the SHA-256 of the statement. */
export function leafText(
  { kind, number }: { readonly kind: string; readonly number: number },
  hash: Uint8Array,
  rows: LeafRows | null = null,
): string {
  const beside = rows === null ? "" : ` ${rows.count} ${hex(rows.root)}`;
  return `${kind} ${number} ${hex(hash)}${beside}`;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

/** Appends the leaf of a chain's link, in the caller's transaction. */
export function appendLink(
  db: Connection,
  link: { readonly kind: LeafKind; readonly number: number; readonly hash: Uint8Array },
  rows: LeafRows | null = null,
): void {
  appendLeaf(db, link, leafText(link, link.hash, rows), null);
}

/** Appends a statement, in the caller's transaction; returns its number. */
export function appendStatement(db: Connection, kind: StatementKind, content: string): number {
  const number = leavesOf(db, kind) + 1;
  const leaf = leafText({ kind, number }, sha256(Buffer.from(content)));
  appendLeaf(db, { kind, number }, leaf, content);
  return number;
}

/** Appends a leaf with its text. */
export function appendLeaf(
  db: Connection,
  { kind, number }: { readonly kind: string; readonly number: number },
  leaf: string,
  content: string | null,
): void {
  const index = ledgerSize(db);
  const nodes = completedNodes(nodesOf(db), index, leafHash(leaf));
  prepare(db, "ledger.add").run({ id: index + 1, kind, number, leaf, content, nodes });
  const hash = nodes.subarray(0, HASH_BYTES);
  prepare(db, "chain.move").run({ chain: "ledger", count: index + 1, hash });
}

/**
 * Requests a signed head that includes the newest leaf, in the transaction that appends the leaf.
 */
export function wantHead(db: Connection, reason: "stop" | "export"): void {
  putMark(db, `ledger_${reason}`, ledgerSize(db));
}

/** The hash of leaf `index` and of the subtrees that it completes, the smallest first. */
export function completedNodes(node: NodeAt, index: number, leaf: Uint8Array): Buffer {
  const nodes = [leaf];
  let hash = leaf;
  for (let level = 0; index % 2 ** (level + 1) === 2 ** (level + 1) - 1; level += 1) {
    hash = hashOfNode(node(level, index + 1 - 2 ** (level + 1)), hash);
    nodes.push(hash);
  }
  return Buffer.concat(nodes);
}

/** Number of leaves. */
export function ledgerSize(db: Connection): number {
  return prepare(db, "chain.head").get({ chain: "ledger" })?.count ?? 0;
}

/** Number of leaves of a kind. */
export function leavesOf(db: Connection, kind: LeafKind): number {
  return prepare<"ledger.kinds", { count: number }>(db, "ledger.kinds").get({ kind })?.count ?? 0;
}

/** A function that reads the stored hashes of whole subtrees. */
export function nodesOf(db: Connection): NodeAt {
  const stored = prepare(db, "ledger.nodes");
  return (level, index) => {
    const id = index + 2 ** level;
    const nodes = stored.get({ id })?.nodes;
    const at = level * HASH_BYTES;
    if (!(nodes instanceof Uint8Array) || nodes.length < at + HASH_BYTES)
      throw new DamagedError(`leaf ${id} of the ledger isn't what was written`);
    return nodes.subarray(at, at + HASH_BYTES);
  };
}

/** The root over the first `size` leaves. */
export function ledgerRoot(db: Connection, size: number): Uint8Array {
  return rootAt(nodesOf(db), size);
}
