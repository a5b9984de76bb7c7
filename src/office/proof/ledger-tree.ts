// A ship's ledger, rebuilt at the office. A signed head has the kinds of the leaves since the head
// before it; the links and statements here have their texts. If a chain has branches, each is
// followed, and the head's root shows the right one.

import { readSegmentHead } from "../../codec/segment-reader.ts";
import { messageOf } from "../../ground/errors.ts";
import { type PlacedKey, requireNext } from "../../ledger/check-proof.ts";
import { readKeyStatement } from "../../ledger/key-statement.ts";
import { isSameHash, leafHash } from "../../ledger/merkle-proof.ts";
import { BadNote } from "../../ledger/note.ts";
import { edgeRoot, NO_LEAVES, type TreeEdge, withLeaf } from "../../ledger/tree-edge.ts";
import type { ChainName } from "../../sqlite/file/hash-chain.ts";
import { EMPTY_CHAIN } from "../../sqlite/file/hash-chain.ts";
import { leafText } from "../../sqlite/file/ledger.ts";

/** A link, proven by the walk over its chain. */
export interface LedgerLink {
  readonly number: number;
  readonly previous: Uint8Array;
  readonly hash: Uint8Array;
  readonly body: Uint8Array;
}

/** A statement from its document. */
export interface StatementAshore {
  /** The text of its leaf. */
  readonly leaf: string;
  readonly content: string;
}

interface Leaf {
  readonly text: string;
  /** The hash of a link, in hex. */
  readonly hash: string | null;
  readonly content: string | null;
}

/** The leaves that are here, found by the state of the tree before them. */
export interface LeavesAshore {
  link(chain: ChainName, link: LedgerLink): void;
  /** The texts of the links. */
  links(): Iterable<string>;
  statement(statement: StatementAshore): void;
  /** The leaves that may come next after a state of the tree. */
  next(kind: string, state: TreeState): readonly Leaf[];
}

/** The state of the tree up to a leaf. */
export interface TreeState {
  readonly edge: TreeEdge;
  /** Number of leaves of each kind. */
  readonly counts: Readonly<Record<string, number>>;
  /** Hash of the newest link of each chain, in hex. */
  readonly tips: Readonly<Record<string, string>>;
  /** The statements about keys, in their order. */
  readonly keys: readonly PlacedKey[];
  /** Its newest leaf; null without any. */
  readonly newest: PlacedLeaf | null;
  /** The roots at the requested sizes that this growth has passed. */
  readonly passed: readonly PassedTree[];
  /**
   * The fault of the first statement about a key that doesn't follow from those before; null
   * without one.
   */
  readonly fault: string | null;
}

/** A leaf's text, and the leaf before it, so that branches share their common leaves. */
export interface PlacedLeaf {
  readonly text: string;
  readonly before: PlacedLeaf | null;
}

/** A size that the tree passed, and its root then. */
interface PassedTree {
  readonly size: number;
  readonly root: Uint8Array;
}

export const NO_TREE: TreeState = {
  ...{ edge: NO_LEAVES, counts: {}, tips: {}, keys: [], newest: null, passed: [], fault: null },
};

const CHAIN_KINDS: ReadonlySet<string> = new Set(["segment", "event", "audit"]);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const FIRST = hex(EMPTY_CHAIN.hash);

export function openLeaves(): LeavesAshore {
  const links = new Map<string, Leaf[]>();
  const statements = new Map<string, Leaf[]>();
  const add = (to: Map<string, Leaf[]>, name: string, leaf: Leaf) => {
    const known = to.get(name);
    if (known === undefined) to.set(name, [leaf]);
    else if (known.every(({ text }) => text !== leaf.text)) known.push(leaf);
  };
  return {
    link(chain, { number, previous, hash, body }) {
      const rows = chain === "segment" ? readSegmentHead(body) : null;
      const text = leafText({ kind: chain, number }, hash, rows);
      add(links, `${chain} ${hex(previous)}`, { text, hash: hex(hash), content: null });
    },
    *links() {
      for (const known of links.values()) for (const { text } of known) yield text;
    },
    statement({ leaf: text, content }) {
      const [kind, number] = text.split(" ");
      add(statements, `${kind} ${number}`, { text, hash: null, content });
    },
    next(kind, { counts, tips }) {
      if (CHAIN_KINDS.has(kind)) return links.get(`${kind} ${tips[kind] ?? FIRST}`) ?? [];
      return statements.get(`${kind} ${(counts[kind] ?? 0) + 1}`) ?? [];
    },
  };
}

/** Maximum number of branches followed at a time: no ship's database was restored more often. */
const STATES_MAX = 64;

/** The states of a tree after further leaves. */
export interface Grown {
  readonly states: readonly TreeState[];
  /** The first leaf that is missing here, on any branch; null if none is. */
  readonly lacking: string | null;
}

/** An order of leaves such as `audit 3 event 1`, and the sizes at which the roots are wanted. */
interface Growth {
  readonly order: string;
  readonly sizes: ReadonlySet<number>;
}

/** The kinds and counts in an order of leaves. */
export function leafRuns(order: string): readonly { kind: string; count: number }[] {
  return [...order.matchAll(/([a-z]+) (\d+)/g)].map(([, kind, count]) => ({
    kind,
    count: Number(count),
  }));
}

/** The states of the tree after further leaves. */
export function grownTree(
  leaves: LeavesAshore,
  from: readonly TreeState[],
  { order, sizes }: Growth,
): Grown {
  let states = from.map((state): TreeState => ({ ...state, passed: [] }));
  let lacking: string | null = null;
  for (const { kind, count } of leafRuns(order))
    for (let left = count; left > 0; left -= 1) {
      const grown: TreeState[] = [];
      for (const state of states) {
        const next = leaves.next(kind, state);
        if (next.length === 0) lacking ??= `${kind} ${(state.counts[kind] ?? 0) + 1}`;
        for (const leaf of next) grown.push(withPassed(withNext(state, kind, leaf), sizes));
      }
      if (grown.length > STATES_MAX) lacking ??= `one of ${grown.length} branches`;
      states = grown.slice(0, STATES_MAX);
      if (states.length === 0) return { states, lacking };
    }
  return { states, lacking };
}

function withPassed(state: TreeState, sizes: ReadonlySet<number>): TreeState {
  const { edge, passed } = state;
  if (!sizes.has(edge.size)) return state;
  return { ...state, passed: [...passed, { size: edge.size, root: edgeRoot(edge) }] };
}

function withNext(state: TreeState, kind: string, { text, hash, content }: Leaf): TreeState {
  const { edge, counts, tips } = state;
  const placed =
    kind === "key" && content !== null
      ? keyAfter(state, content)
      : { keys: state.keys, fault: null };
  return {
    ...state,
    edge: withLeaf(edge, leafHash(text)),
    counts: { ...counts, [kind]: (counts[kind] ?? 0) + 1 },
    tips: hash === null ? tips : { ...tips, [kind]: hash },
    keys: placed.keys,
    newest: { text, before: state.newest },
    fault: state.fault ?? placed.fault,
  };
}

/** The keys after a statement at the end of a tree, and its fault. */
function keyAfter(
  { edge, keys, counts }: TreeState,
  content: string,
): Pick<TreeState, "keys" | "fault"> {
  const name = `key ${(counts.key ?? 0) + 1}`;
  try {
    const said = { ...readKeyStatement(content), index: edge.size };
    const { continues } = said;
    const now = [...keys, said];
    requireNext(keys.at(-1) ?? null, said);
    if (continues !== null && !isSameHash(continues.root, edgeRoot(edge)))
      return { keys: now, fault: `${name}: continues another tree than this` };
    return { keys: now, fault: null };
  } catch (error) {
    if (!(error instanceof BadNote)) throw error;
    return { keys, fault: `${name}: ${messageOf(error)}` };
  }
}
