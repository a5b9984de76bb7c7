// Verifies the signed heads of a ship's ledger: each signature by the key that the ledger names
// then, each root against the tree that the links ashore make, and that the heads of an origin are
// of one tree that only grew. A head whose leaves aren't all here is told, and is no fault: it may
// have come before them.

import { isDeepStrictEqual } from "node:util";
import { HeadDocument, StatementDocument } from "../bwts/shore/document.ts";
import { VerdictDocument, verdictColumns } from "../bwts/shore/verdict-document.ts";
import { sha256 } from "../codec/merkle.ts";
import { unpackStatement } from "../codec/packed-statement.ts";
import { messageOf } from "../ground/errors.ts";
import { type Checkpoint, readCheckpoint, signerOfHead } from "../ledger/checkpoint.ts";
import { type KeyStatement, readKeyStatement } from "../ledger/key-statement.ts";
import { isSameHash } from "../ledger/merkle-proof.ts";
import { BadNote, verifierKey } from "../ledger/note.ts";
import { edgeRoot } from "../ledger/tree-edge.ts";
import { grownTree, type LeavesAshore, NO_TREE, type TreeState } from "./ledger-tree.ts";
import type { Office } from "./office.ts";

/** The key that signs from a statement on. */
interface KeyVerified {
  readonly number: number;
  readonly verifier_key: string;
  /** True of a first key, and of one that the key before signed. */
  readonly is_signed_before: boolean;
  readonly reason: string;
  readonly at: string;
}

export interface HeadsVerified {
  /** Signed heads that are here. */
  readonly heads: number;
  /** Heads whose tree is the one that the links here make. */
  readonly proven: number;
  /** Heads of which a leaf isn't here. */
  readonly waiting: number;
  /** For what the first of these waits. */
  readonly waits_for: string | null;
  readonly keys: readonly KeyVerified[];
  readonly faults: readonly string[];
}

/** A row of office.heads. */
interface AshoreRow {
  readonly key: string;
  readonly number: number;
  readonly instance: string;
  readonly body: unknown;
}

interface HeadAshore extends Omit<AshoreRow, "body">, Pick<HeadDocument, "after" | "leaves"> {
  readonly head: Checkpoint;
  readonly name: string;
}

/** `leaves` has all links that are here. */
export async function verifyHeads(
  office: Office,
  ship: string,
  leaves: LeavesAshore,
): Promise<HeadsVerified> {
  const faults = new Set<string>();
  const found = (fault: string) => void faults.add(fault);
  const keys = await takeStatements(office, ship, { leaves, found });
  const rows = await office.ask<AshoreRow>("office.heads", [ship]);
  const heads = rows.flatMap((row) => headOf(row, found) ?? []);
  for (const fault of [...forks(heads), ...rollbacks(heads)]) found(fault);
  const { proven, waiting } = comparedHeads(heads, { leaves, found });
  const others = heads.filter(({ key }) => !proven.has(key));
  for (const { name, head } of others)
    faultOf(
      () =>
        signerOfHead(
          head,
          keys.map(({ key }) => key),
        ),
      (fault) => found(`${name}: ${fault}`),
    );
  const names = new Set(heads.map(({ key }) => key));
  const waits = others.filter(({ key }) => waiting.has(key));
  return {
    ...{ heads: names.size, proven: proven.size },
    waiting: new Set(waits.map(({ key }) => key)).size,
    waits_for: waiting.get(waits[0]?.key ?? "") ?? null,
    keys: keys.map(({ key, number, before, isSignedBefore, reason, at }) => ({
      ...{ number, verifier_key: verifierKey(key), reason, at },
      is_signed_before: before === null || isSignedBefore,
    })),
    faults: [...faults],
  };
}

interface Verifying {
  readonly leaves: LeavesAshore;
  readonly found: (fault: string) => void;
}

/** Tells of a BadNote. */
function faultOf(check: () => unknown, told: (fault: string) => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof BadNote)) throw error;
    told(messageOf(error));
  }
}

type NumberedKey = KeyStatement & { readonly number: number };

/** Takes the statements among the leaves; returns those about keys. */
async function takeStatements(
  office: Office,
  ship: string,
  { leaves, found }: Verifying,
): Promise<readonly NumberedKey[]> {
  const keys = new Map<string, NumberedKey>();
  for (const { key: leaf, body } of await office.ask<AshoreRow>("office.statements", [ship])) {
    const content = contentOf(body);
    const [, kind, number, hash] = /^([a-z]+) ([1-9]\d{0,8}) ([0-9a-f]{64})$/.exec(leaf) ?? [];
    if (content === null || hash !== hashOf(content)) {
      found(`the statement ${leaf.slice(0, 30)} isn't what its key names`);
      continue;
    }
    leaves.statement({ leaf, content });
    if (kind !== "key") continue;
    faultOf(
      () => keys.set(leaf, { ...readKeyStatement(content), number: Number(number) }),
      (fault) => found(`key ${number}: ${fault}`),
    );
  }
  return [...keys.values()];
}

/** The statement of a document; null if there is none, or if a verdict's columns say otherwise. */
function contentOf(body: unknown): string | null {
  const { data: plain } = StatementDocument.safeParse(body);
  if (plain !== undefined) return plain.content;
  const { data } = VerdictDocument.safeParse(body);
  if (data === undefined) return null;
  const { statement, ...columns } = data;
  const content = unpackStatement(statement);
  return content !== null && isDeepStrictEqual(verdictColumns(content), columns) ? content : null;
}

const hashOf = (text: string) => sha256(Buffer.from(text)).toString("hex");

function headOf({ body, ...row }: AshoreRow, found: Verifying["found"]): HeadAshore | null {
  const { data } = HeadDocument.safeParse(body);
  if (data === undefined || hashOf(data.checkpoint) !== row.key) {
    found(`the head ${row.key.slice(0, 16)} isn't what its key names`);
    return null;
  }
  const { checkpoint, after, leaves } = data;
  let read: HeadAshore | null = null;
  faultOf(
    () => {
      const head = readCheckpoint(checkpoint);
      read = {
        ...row,
        after,
        leaves,
        head,
        name: `the head of ${head.size} leaves of ${head.origin}`,
      };
    },
    (fault) => found(`the head ${row.key.slice(0, 16)}: ${fault}`),
  );
  return read;
}

/** Two roots under one origin and size. */
function forks(heads: readonly HeadAshore[]): readonly string[] {
  const known = new Map<string, Checkpoint>();
  return heads.flatMap(({ head }) => {
    const place = `${head.origin} ${head.size}`;
    const same = known.get(place) ?? head;
    known.set(place, same);
    return isSameHash(same.root, head.root) ? [] : [forkText(head)];
  });
}

const forkText = ({ origin, size }: Checkpoint) =>
  `two trees of ${size} leaves were signed: ${origin} is a fork`;

/**
 * Heads that were signed later than a larger one of their origin. They come in their order, and a
 * file that was carried here may come late; but a number that stands twice was given anew.
 */
function rollbacks(heads: readonly HeadAshore[]): readonly string[] {
  return [...Map.groupBy(heads, ({ head }) => head.origin).values()].flatMap((own) => {
    const uses = Map.groupBy(own, ({ number }) => number);
    let [largest] = own;
    return own.flatMap((one) => {
      if (one.head.size >= largest.head.size) {
        largest = one;
        return [];
      }
      const isLate = one.number < largest.number && uses.get(one.number)?.length === 1;
      return isLate ? [] : [`${one.name}: was signed after one of ${largest.head.size}`];
    });
  });
}

/** Makes the tree of each head again; by their keys, the proven ones and those that wait. */
function comparedHeads(heads: readonly HeadAshore[], { leaves, found }: Verifying) {
  const proven = new Map<string, readonly TreeState[]>();
  const waiting = new Map<string, string>();
  const children = Map.groupBy(heads, ({ after }) => after);
  const byOrigin = Map.groupBy(heads, ({ head }) => head.origin);
  const wrong = new Map<string, string>();
  const first: readonly TreeState[] = [NO_TREE];
  const queue = (children.get(null) ?? []).map((one) => ({ one, from: first }));
  for (const { one, from } of queue) {
    const { key, head, name } = one;
    const peers = byOrigin.get(head.origin) ?? [];
    const { states, lacking } = treeOf(one, { leaves, from, peers });
    const fitting = states.filter(
      ({ edge }) => edge.size === head.size && isSameHash(edgeRoot(edge), head.root),
    );
    if (fitting.length > 0) {
      if (proven.has(key)) continue;
      proven.set(key, fitting);
      for (const fault of proofFaults(one, fitting[0], peers)) found(fault);
      for (const child of children.get(key) ?? []) queue.push({ one: child, from: fitting });
    } else if (lacking === null)
      wrong.set(key, `${name}: its root isn't that of the links that are here`);
    else if (!waiting.has(key)) waiting.set(key, lacking);
  }
  for (const [key, fault] of wrong) if (!proven.has(key)) found(fault);
  for (const { key } of heads)
    if (!proven.has(key) && !wrong.has(key) && !waiting.has(key))
      waiting.set(key, "the head before it");
  return { proven, waiting };
}

function treeOf(
  { leaves: order }: HeadAshore,
  {
    leaves,
    from,
    peers,
  }: {
    readonly leaves: LeavesAshore;
    readonly from: readonly TreeState[];
    readonly peers: readonly HeadAshore[];
  },
) {
  if (order === null) return { states: [], lacking: "an order of leaves that nobody knows" };
  const sizes = new Set(peers.map(({ head }) => head.size));
  return grownTree(leaves, from, { order, sizes });
}

/** The faults of a head whose tree is the one here. */
function proofFaults(
  { head, name }: HeadAshore,
  { key, fault, passed }: TreeState,
  peers: readonly HeadAshore[],
): readonly string[] {
  const faults = fault === null ? [] : [fault];
  faultOf(
    () => signerOfHead(head, key === null ? [] : [key.key]),
    (wrong) => faults.push(`${name}: ${wrong}`),
  );
  for (const { size, root } of passed)
    if (peers.some((peer) => peer.head.size === size && !isSameHash(peer.head.root, root)))
      faults.push(forkText({ ...head, size }));
  return faults;
}
