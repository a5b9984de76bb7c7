// A tree of RFC 6962 that is built leaf by leaf and keeps only its edge: the roots of the whole
// subtrees of which it consists, the largest first. These are about log2(n) hashes, so that many
// states of a tree can be kept and continued.

import { hashOfNode } from "../codec/merkle.ts";
import { EMPTY_ROOT } from "./merkle-proof.ts";

export interface TreeEdge {
  readonly size: number;
  readonly peaks: readonly Uint8Array[];
}

export const NO_LEAVES: TreeEdge = { size: 0, peaks: [] };

/** The tree with one more leaf, given by its hash. */
export function withLeaf({ size, peaks }: TreeEdge, leaf: Uint8Array): TreeEdge {
  const kept = [...peaks];
  let hash = leaf;
  for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2)
    hash = hashOfNode(kept.pop() ?? hash, hash);
  return { size: size + 1, peaks: [...kept, hash] };
}

export function edgeRoot({ peaks }: TreeEdge): Uint8Array {
  return peaks.length === 0
    ? EMPTY_ROOT
    : peaks.reduceRight((right, left) => hashOfNode(left, right));
}
