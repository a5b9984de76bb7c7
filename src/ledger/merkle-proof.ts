// Proofs of the Merkle tree of RFC 6962 (sections 2.1.1 and 2.1.2), made from the hashes of whole
// subtrees: a tree of n leaves needs about log2(n) of them for its root and for any proof. Proofs
// for a stretch of leaves, which RFC 6962 doesn't define, are written in the same order.

import { HASH_BYTES, hashOfLeaf, hashOfNode } from "../codec/merkle.ts";

/** Reads the hash over the 2^level leaves from leaf `index` on, which is a multiple of 2^level. */
export type NodeAt = (level: number, index: number) => Uint8Array;

/** The root of the empty tree: SHA-256 of nothing. */
export const EMPTY_ROOT = Buffer.from(
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "hex",
);

/** The root over the first `size` leaves. */
export function rootAt(node: NodeAt, size: number): Uint8Array {
  return size === 0 ? EMPTY_ROOT : subtree(node, 0, size);
}

/** The hash over the leaves from `from` up to, not including, `to`. */
function subtree(node: NodeAt, from: number, to: number): Uint8Array {
  const half = leftSize(to - from);
  const level = Math.log2(to - from);
  if (Number.isInteger(level)) return node(level, from);
  return hashOfNode(node(Math.log2(half), from), subtree(node, from + half, to));
}

/** The largest power of two below `size`; 0 for one leaf. */
export function leftSize(size: number): number {
  return size < 2 ? 0 : 2 ** (Math.ceil(Math.log2(size)) - 1);
}

/** The hashes beside the path from leaf `index` (from 0) to the root of `size` leaves. */
export function inclusionPath(node: NodeAt, index: number, size: number): Uint8Array[] {
  const path: Uint8Array[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + leftSize(to - from);
    if (index < middle) {
      path.push(subtree(node, middle, to));
      to = middle;
    } else {
      path.push(subtree(node, from, middle));
      from = middle;
    }
  }
  return path.reverse();
}

/**
 * The hashes that prove that the tree of `before` leaves (1 or more) is the beginning of that of
 * `size`.
 */
export function consistencyPath(node: NodeAt, before: number, size: number): Uint8Array[] {
  const path: Uint8Array[] = [];
  let [from, to] = [0, size];
  while (to !== before) {
    const middle = from + leftSize(to - from);
    if (before <= middle) {
      path.push(subtree(node, middle, to));
      to = middle;
    } else {
      path.push(subtree(node, from, middle));
      from = middle;
    }
  }
  // The old tree itself needs no hash: the verifier has its root.
  if (from > 0) path.push(subtree(node, from, to));
  return path.reverse();
}

/** A leaf's place in a tree, and the hashes beside its path. */
export interface Inclusion {
  readonly index: number;
  readonly size: number;
  readonly path: readonly Uint8Array[];
}

/**
 * The root that a leaf's hash and its path lead to; null if the path can't be one of such a leaf.
 */
export function rootOfInclusion(leaf: Uint8Array, inclusion: Inclusion): Uint8Array | null {
  const { index, size, path } = inclusion;
  if (!isPlace(index, size) || [leaf, ...path].some(({ length }) => length !== HASH_BYTES))
    return null;
  let at = 0;
  const rootOver = (from: number, to: number): Uint8Array => {
    if (to - from === 1) return leaf;
    const middle = from + leftSize(to - from);
    const inner = index < middle ? rootOver(from, middle) : rootOver(middle, to);
    const beside = path[at] ?? leaf;
    at += 1;
    return index < middle ? hashOfNode(inner, beside) : hashOfNode(beside, inner);
  };
  const root = rootOver(0, size);
  return at === path.length ? root : null;
}

function isPlace(index: number, size: number): boolean {
  return Number.isSafeInteger(size) && Number.isSafeInteger(index) && index >= 0 && index < size;
}

/** Two sizes of a tree and their roots, with the hashes between them. */
export interface Consistency {
  readonly before: number;
  readonly size: number;
  readonly root_before: Uint8Array;
  readonly root: Uint8Array;
  readonly path: readonly Uint8Array[];
}

/** True if the path proves that the tree only grew from the one root to the other. */
export function isConsistent(consistency: Consistency): boolean {
  const { before, size, root_before, root, path } = consistency;
  // 0 isn't a valid size: every tree begins with the empty one, so nothing would be proven.
  const areSizes = [before, size].every(Number.isSafeInteger) && 0 < before && before <= size;
  if (!areSizes || path.some(({ length }) => length !== HASH_BYTES)) return false;
  let at = 0;
  const next = () => path[at++] ?? root;
  // Both roots over a stretch of leaves: in the tree of `before`, and in that of `size`.
  const roots = (from: number, to: number): readonly [Uint8Array, Uint8Array] => {
    if (to === before) {
      const known = from === 0 ? root_before : next();
      return [known, known];
    }
    const middle = from + leftSize(to - from);
    if (before <= middle) {
      const [old, grown] = roots(from, middle);
      return [old, hashOfNode(grown, next())];
    }
    const [old, grown] = roots(middle, to);
    const left = next();
    return [hashOfNode(left, old), hashOfNode(left, grown)];
  };
  const [old, grown] = roots(0, size);
  return at === path.length && isSameHash(old, root_before) && isSameHash(grown, root);
}

export function isSameHash(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

/** A stretch of leaves, from `from` up to, not including, `to`. */
export interface LeafRun {
  readonly from: number;
  readonly to: number;
}

/**
 * The hashes that lead from the leaves of a stretch to the root of `leaves`: one for each largest
 * subtree outside the stretch, from left to right.
 */
export function stretchPath(leaves: readonly Uint8Array[], { from, to }: LeafRun): Uint8Array[] {
  const path: Uint8Array[] = [];
  const hash = (begin: number, end: number): Uint8Array => {
    if (end - begin === 1) return leaves[begin];
    const middle = begin + leftSize(end - begin);
    return hashOfNode(hash(begin, middle), hash(middle, end));
  };
  const walk = (begin: number, end: number): void => {
    if (begin >= from && end <= to) return;
    if (end <= from || begin >= to) {
      path.push(hash(begin, end));
      return;
    }
    const middle = begin + leftSize(end - begin);
    walk(begin, middle);
    walk(middle, end);
  };
  walk(0, leaves.length);
  return path;
}

/**
 * The root of `size` leaves, from the leaves of a stretch and their path; null if the path can't be
 * one.
 */
export function rootOfStretch(
  known: readonly Uint8Array[],
  { from, size, path }: { from: number; size: number; path: readonly Uint8Array[] },
): Uint8Array | null {
  const to = from + known.length;
  if (!isPlace(from, size) || known.length === 0 || to > size) return null;
  let at = 0;
  const walk = (begin: number, end: number): Uint8Array => {
    if (end <= from || begin >= to) return path[at++] ?? EMPTY_ROOT;
    if (end - begin === 1) return known[begin - from];
    const middle = begin + leftSize(end - begin);
    const left = walk(begin, middle);
    return hashOfNode(left, walk(middle, end));
  };
  const root = walk(0, size);
  return at === path.length ? root : null;
}

/** The hash of a leaf's text. */
export function leafHash(text: string): Buffer {
  return hashOfLeaf(Buffer.from(text));
}
