// The aggregated rows of the blocks of buckets that were asked for last: a page that shows months
// of days asks for the same again each minute. A block is known by its bytes, so that one made anew
// is never taken for the one before; to read them costs a tenth of decoding them.

import type { Connection } from "./open.ts";
import { proven } from "./row-checksum.ts";
import { type BucketBlock, openBuckets } from "./segment/bucket-block.ts";

/** What answers need of a block. */
export interface KnownBlock {
  readonly bytes: Uint8Array;
  /** By bucket, when it starts, when its last reading was, and how many it has. */
  readonly starts: Float64Array;
  readonly lasts: Float64Array;
  readonly counts: Float64Array;
  /** The aggregated rows one after another. */
  readonly rows: Float64Array;
}

/** 24 months of days and a month of hours are 17 blocks, about 1 MB. */
const KNOWN_MAX = 18;

const byConnection = new WeakMap<Connection, Map<string, KnownBlock>>();

/**
 * Blocks that a range cuts are asked for single buckets: with all columns they take 400 kB each.
 */
const OPENED_MAX = 2;

interface OpenedBlock {
  readonly bytes: Uint8Array;
  readonly block: BucketBlock;
}

const openedByConnection = new WeakMap<Connection, OpenedBlock[]>();

/**
 * The block of `bytes` under `key`, opened, with what was decoded of it before if that was not long
 * ago. Throws a DamagedError.
 */
export function openedBlock(
  db: Connection,
  { key, bytes }: { readonly key: string; readonly bytes: Uint8Array },
): BucketBlock {
  const opened = openedByConnection.get(db) ?? [];
  openedByConnection.set(db, opened);
  const at = opened.findIndex((one) => Buffer.compare(one.bytes, bytes) === 0);
  const [known] = at === -1 ? [] : opened.splice(at, 1);
  const last = known ?? { bytes, block: openBuckets(proven(bytes, "bucket_block", key)) };
  opened.push(last);
  if (opened.length > OPENED_MAX) opened.shift();
  return last.block;
}

/** The block under `key` if it still consists of `bytes`, else null. */
export function recallBlock(db: Connection, key: string, bytes: Uint8Array): KnownBlock | null {
  const blocks = byConnection.get(db);
  const known = blocks?.get(key);
  if (blocks === undefined || known === undefined) return null;
  blocks.delete(key);
  if (Buffer.compare(known.bytes, bytes) !== 0) return null;
  blocks.set(key, known);
  return known;
}

/** Keeps a block under `key`, and forgets the one that wasn't asked for longest. */
export function rememberBlock(db: Connection, key: string, block: KnownBlock): KnownBlock {
  const blocks = byConnection.get(db) ?? new Map<string, KnownBlock>();
  byConnection.set(db, blocks);
  blocks.set(key, block);
  const [oldest] = blocks.keys();
  if (blocks.size > KNOWN_MAX) blocks.delete(oldest);
  return block;
}
