// Makes proofs by the newest signed head: of links and statements, of readings, and that the tree
// only grew since an earlier size. Damaged data isn't proven: it causes a DamagedError.

import { DamagedError } from "../../codec/bytes.ts";
import { readCheckpoint } from "../../ledger/checkpoint.ts";
import { consistencyPath, inclusionPath, rootAt } from "../../ledger/merkle-proof.ts";
import { type LeafAbout, type LedgerProof, PROOF_FORMAT, pathTexts } from "../../ledger/proof.ts";
import { auditContent, EMPTY_CHAIN, eventFacts } from "../file/hash-chain.ts";
import { type LeafKind, ledgerSize, nodesOf } from "../file/ledger.ts";
import { type Connection, prepare } from "../file/open.ts";
import { isBytes, provenBytes } from "../sealed/segment-proof.ts";
import { provenData } from "./event-proof.ts";
import { keyStatements, storedNote } from "./key-statements.ts";
import { openLeafProof } from "./leaf-proof.ts";
import { identityText } from "./records.ts";
import type { SegmentRows } from "./sealed-rows.ts";

interface LeafAsked {
  readonly kind: LeafKind;
  readonly number: number;
}

/** A proof to be made. */
export interface ProofQuery {
  /** Leaves to prove, each with its content. */
  readonly leaves: readonly LeafAsked[];
  /** Runs of readings, in the order of their lines. */
  readonly rows: readonly SegmentRows[];
  /** An earlier size of the tree; null for none. */
  readonly since: number | null;
}

/** Thrown if there is no such data, or no signed head includes it yet. */
export class NotProvable extends Error {}

/** Makes the proof, in the caller's transaction. Throws NotProvable or a DamagedError. */
export function makeProof(db: Connection, { leaves, rows, since }: ProofQuery): LedgerProof {
  const newest = prepare(db, "ledger_head.newest").get({});
  const statements = keyStatements(db);
  if (newest?.origin === undefined || newest.origin !== statements.at(-1)?.key.name)
    throw new NotProvable("no head of the ledger is signed yet: it is at the next start");
  const head = storedNote("the newest signed head", () => readCheckpoint(newest.checkpoint));
  const node = nodesOf(db);
  const { size } = head;
  const path = (index: number) => pathTexts(inclusionPath(node, index, size));
  const growth = (before: number) => pathTexts(consistencyPath(node, before, size));
  const leafOf = openLeaf(db, size);
  const asked: LeafAsked[] = [...leaves];
  const places = new Map<number, number>();
  for (const [place, { kind, number }] of leaves.entries())
    if (kind === "segment") places.set(number, place);
  for (const { segment: number } of rows)
    if (!places.has(number)) places.set(number, asked.push({ kind: "segment", number }) - 1);
  return {
    earlier: since === null ? null : earlierOf(since, { size, node, growth }),
    format: PROOF_FORMAT,
    head: newest.checkpoint,
    keys: statements
      .filter(({ index }) => index < size)
      .map(({ index, continues, content }) => ({
        grown: continues === null ? null : growth(continues.size),
        ...{ index, path: path(index), statement: content },
      })),
    leaves: asked.map((one, place) => {
      const { index, leaf } = leafOf(one);
      const about = place < leaves.length ? aboutOf(db, one) : null;
      return { about, index, leaf, path: path(index) };
    }),
    rows: rows.map(({ segment, from, count, path: beside }) => ({
      ...{ count, from },
      leaf: places.get(segment) ?? 0,
      path: pathTexts(beside),
    })),
  };
}

/** Throws NotProvable if even the next head can't prove it, or a DamagedError. */
export function requireProvable(
  db: Connection,
  { leaves, since }: Pick<ProofQuery, "leaves" | "since">,
): void {
  const size = ledgerSize(db);
  const leafOf = openLeaf(db, size);
  // Leaves about keys aren't required: the next head may add a statement about its key.
  for (const leaf of leaves) if (leaf.kind !== "key") leafOf(leaf);
  if (since !== null && since > size)
    throw new NotProvable(`size ${since}: expected 1 to ${size}, the ledger's`);
}

function earlierOf(
  before: number,
  tree: {
    readonly size: number;
    readonly node: ReturnType<typeof nodesOf>;
    readonly growth: (before: number) => string[];
  },
): LedgerProof["earlier"] {
  if (before < 1 || before > tree.size)
    throw new NotProvable(`size ${before}: expected 1 to ${tree.size}, the newest signed head's`);
  const [root] = pathTexts([rootAt(tree.node, before)]);
  return { path: tree.growth(before), root, size: before };
}

function openLeaf(db: Connection, size: number) {
  const proof = openLeafProof(db);
  const page = prepare(db, "ledger.page");
  const find = prepare(db, "ledger.of");
  return ({ kind, number }: LeafAsked) => {
    const id = find.get({ kind, number })?.id;
    if (id === undefined) throw new NotProvable(`${kind} ${number}: there is none in the ledger`);
    if (id > size)
      throw new NotProvable(
        `${kind} ${number}: is leaf ${id - 1}, the newest signed head has ${size} leaves; ` +
          "ballastd ledger head signs one",
      );
    const [row] = page.all({ id: id - 1, limit: 1 });
    const fault = proof(row);
    if (fault !== null) throw new DamagedError(fault);
    return { index: id - 1, leaf: row.leaf };
  };
}

/** The content of a leaf, in the parts that its hash is made of. */
function aboutOf(db: Connection, leaf: LeafAsked): LeafAbout {
  const { kind, number: id } = leaf;
  const base64 = (bytes: unknown) => {
    const known = isBytes(bytes) ? bytes : EMPTY_CHAIN.hash;
    return Buffer.from(known).toString("base64");
  };
  const gone = () => new DamagedError(`${kind} ${id} is missing`);
  switch (kind) {
    case "segment": {
      const row = prepare(db, "segment.bytes").get({ id });
      const { header } = provenBytes(id, row);
      const [payload_hash, previous] = [row?.payload_hash, row?.previous].map(base64);
      return { header: base64(header), payload_hash, previous };
    }
    case "event": {
      const row = prepare(db, "ledger.event_link").get({ id });
      if (row === undefined) throw gone();
      const identity = identityText({ ...row, data: provenData(row) });
      return { facts: eventFacts(row), identity, previous: base64(row.previous) };
    }
    case "audit": {
      const row = prepare(db, "ledger.audit_link").get({ id });
      if (row === undefined) throw gone();
      return { entry: auditContent(row), previous: base64(row.previous) };
    }
    default:
      return { statement: prepare(db, "ledger.of").get({ kind, number: id })?.content ?? "" };
  }
}
