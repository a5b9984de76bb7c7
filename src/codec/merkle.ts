// The Merkle tree of RFC 6962: with the root of a list and a path of some hashes, anybody can prove
// with SHA-256 alone that a leaf is in the list. Leaves and nodes begin with another byte, so that
// none can be taken for the other.

import { hash } from "node:crypto";

export const HASH_BYTES = 32;
export const LEAF = 0;
const NODE = 1;

/** The SHA-256 of `bytes`, by one call: preparing a hash object takes longer than a small hash. */
export function sha256(bytes: Uint8Array): Buffer {
  return hash("sha256", bytes, "buffer");
}

/**
 * Stores the SHA-256 of `bytes` in `hashes`, by way of a text: Node takes three times as long to
 * make a buffer for a small one.
 */
export function putSha256(bytes: Uint8Array, hashes: Buffer, at: number): void {
  hashes.write(hash("sha256", bytes, "binary"), at, "binary");
}

/** The hash of a leaf with these bytes. */
export function hashOfLeaf(bytes: Uint8Array): Buffer {
  return sha256(Buffer.concat([Buffer.of(LEAF), bytes]));
}

/** The hash of the node above two others. */
export function hashOfNode(left: Uint8Array, right: Uint8Array): Buffer {
  return sha256(Buffer.concat([Buffer.of(NODE), left, right]));
}

/** The root over `count` (1 or more) leaf hashes, stored one after another in `hashes`. */
export function rootOf(hashes: Uint8Array, count: number): Buffer {
  const level = Buffer.from(hashes);
  const node = Buffer.alloc(1 + 2 * HASH_BYTES, NODE);
  for (let left = count; left > 1; left = Math.ceil(left / 2))
    for (let pair = 0; 2 * pair < left; pair += 1) {
      const at = 2 * pair * HASH_BYTES;
      const isAlone = 2 * pair + 1 === left;
      level.copy(node, 1, at, at + 2 * HASH_BYTES);
      if (isAlone) level.copyWithin(pair * HASH_BYTES, at, at + HASH_BYTES);
      else putSha256(node, level, pair * HASH_BYTES);
    }
  return level.subarray(0, HASH_BYTES);
}
