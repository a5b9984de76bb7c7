// The signed heads of a ship at the office, and the tree of each, rebuilt from the leaves that are
// here.

import { HeadDocument } from "../../bwts/documents/document.ts";
import { sha256 } from "../../codec/merkle.ts";
import { messageOf } from "../../ground/errors.ts";
import { type Checkpoint, readCheckpoint, signerOfHead } from "../../ledger/checkpoint.ts";
import { isSameHash } from "../../ledger/merkle-proof.ts";
import { BadNote, verifierKey } from "../../ledger/note.ts";
import { edgeRoot } from "../../ledger/tree-edge.ts";
import { grownTree, type LeavesAshore, NO_TREE, type TreeState } from "./ledger-tree.ts";

/** A row of office.heads. */
export interface AshoreRow {
  readonly key: string;
  readonly number: number;
  readonly instance: string;
  readonly body: unknown;
}

export interface HeadAshore
  extends Omit<AshoreRow, "body">,
    Pick<HeadDocument, "after" | "leaves"> {
  readonly head: Checkpoint;
  readonly name: string;
}

/** The verifier key that signed a head; null, with the fault reported, if none of `keys` did. */
export function signerOf(
  head: Checkpoint,
  keys: Parameters<typeof signerOfHead>[1],
  told: (fault: string) => void,
): string | null {
  let signer: string | null = null;
  faultOf(() => {
    signer = verifierKey(signerOfHead(head, keys));
  }, told);
  return signer;
}

interface Verifying {
  readonly leaves: LeavesAshore;
  readonly found: (fault: string) => void;
}

/** Runs `check` and reports the fault of a BadNote that it throws. */
function faultOf(check: () => unknown, told: (fault: string) => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof BadNote)) throw error;
    told(messageOf(error));
  }
}

const hashOf = (text: string) => sha256(Buffer.from(text)).toString("hex");

export function headOf({ body, ...row }: AshoreRow, found: Verifying["found"]): HeadAshore | null {
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

/** Faults of different roots under the same origin and size. */
export function forks(heads: readonly HeadAshore[]): readonly string[] {
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
 * Faults of heads signed after a larger one of their origin. Heads are in order of arrival; a late
 * one may come from a file carried here. But if its number appears twice, the number was given
 * again.
 */
export function rollbacks(heads: readonly HeadAshore[]): readonly string[] {
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

/**
 * Rebuilds the tree of each head. Returns, by their keys, the proven heads with all their branches,
 * and those that wait for leaves.
 */
export function comparedHeads(heads: readonly HeadAshore[], { leaves, found }: Verifying) {
  const proven = new Map<string, readonly TreeState[]>();
  const made = new Set<string>();
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
      if (made.has(key)) continue;
      made.add(key);
      const faults = proofFaults(one, fitting[0], peers);
      const before = heads.find((other) => other.key === one.after);
      numberFault(one, before).forEach(found);
      faults.forEach(found);
      if (faults.length === 0) proven.set(key, fitting);
      for (const child of children.get(key) ?? []) queue.push({ one: child, from: fitting });
    } else if (lacking === null)
      wrong.set(key, `${name}: its root isn't that of the links that are here`);
    else if (!waiting.has(key)) waiting.set(key, lacking);
  }
  for (const [key, fault] of wrong) if (!made.has(key)) found(fault);
  for (const { key } of heads)
    if (!made.has(key) && !wrong.has(key) && !waiting.has(key))
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

/** The fault if a head's number isn't above that of the head from which its tree grew. */
function numberFault({ name, number }: HeadAshore, before: HeadAshore | undefined): string[] {
  if (before === undefined || number > before.number) return [];
  return [`${name}: is signed head ${number}, the one before it is ${before.number}`];
}

/** The faults of a head whose root is the one of the tree here. */
function proofFaults(
  { head, name }: HeadAshore,
  { keys, fault, passed }: TreeState,
  peers: readonly HeadAshore[],
): readonly string[] {
  const faults = fault === null ? [] : [fault];
  const newest = keys.at(-1);
  signerOf(head, newest === undefined ? [] : [newest.key], (wrong) =>
    faults.push(`${name}: ${wrong}`),
  );
  for (const { size, root } of passed)
    if (peers.some((peer) => peer.head.size === size && !isSameHash(peer.head.root, root)))
      faults.push(forkText({ ...head, size }));
  return faults;
}
