// Proves a leaf of the ledger from its row: its text names the stored link or statement, and its
// hashes follow from the text and from the leaves before.

import { DamagedError } from "../../codec/bytes.ts";
import { sha256 } from "../../codec/merkle.ts";
import { readSegmentHead } from "../../codec/segment-reader.ts";
import { messageOf } from "../../ground/errors.ts";
import { isSameHash, leafHash, type NodeAt } from "../../ledger/merkle-proof.ts";
import { completedNodes, leafText, nodesOf, STATEMENT_KINDS } from "../file/ledger.ts";
import { type Connection, prepare, type RowOf } from "../file/open.ts";
import { isBytes } from "../sealed/segment-proof.ts";

/** A leaf with its hashes; cells of a damaged row may be of any type. */
export type LeafRow = RowOf<"ledger.page">;

/** Returns a function that gives the reason why a leaf isn't as it was written; null if it is. */
export function openLeafProof(db: Connection): (row: LeafRow) => string | null {
  const node = nodesOf(db);
  const link = openLinkLeaves(db);
  return (row) => {
    const name = `leaf ${row.id} of the ledger (${row.kind} ${row.number})`;
    try {
      const fault = textFault(row, link(row)) ?? nodesFault(row, node);
      return fault === null ? null : `${name}: ${fault}`;
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error;
      return `${name}: ${messageOf(error)}`;
    }
  };
}

function textFault({ kind, number, leaf, content }: LeafRow, link: string | null): string | null {
  if (STATEMENT_KINDS.some((known) => known === kind)) {
    const hash = sha256(Buffer.from(String(content)));
    return leaf === leafText({ kind, number }, hash)
      ? null
      : "its statement isn't what was written";
  }
  if (link === null) return `there is no ${kind} ${number}`;
  if (content !== null) return "it has a statement, and is of a link";
  return leaf === link ? null : `it isn't the leaf of the stored ${kind}`;
}

function nodesFault({ id, leaf, nodes }: LeafRow, node: NodeAt): string | null {
  const expected = completedNodes(node, id - 1, leafHash(leaf));
  return isBytes(nodes) && isSameHash(nodes, expected)
    ? null
    : "its hashes aren't those of its text";
}

/**
 * Returns a function that gives the text of the leaf for a chain's link; null if there is no such
 * link.
 */
export function openLinkLeaves(db: Connection) {
  const [segment, event, audit] = [
    prepare(db, "segment.bytes"),
    prepare(db, "shore.event_hash"),
    prepare(db, "audit.hash"),
  ] as const;
  return ({ kind, number }: LeafRow): string | null => {
    const found =
      kind === "segment"
        ? segment.get({ id: number })
        : (kind === "event" ? event : audit).get({ id: number });
    if (found === undefined) return null;
    const header = "header" in found ? found.header : null;
    if (!isBytes(found.hash) || !(header === null || isBytes(header)))
      throw new DamagedError(`the stored ${kind} isn't one`);
    const rows = header === null ? null : readSegmentHead(header);
    return leafText({ kind, number }, found.hash, rows);
  };
}
