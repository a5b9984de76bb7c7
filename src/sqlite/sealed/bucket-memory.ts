// A cache of aggregated rows from recently used blocks of buckets: a page that shows months of days
// requests the same again each minute. The key includes the block's bytes, so that a new block is
// never mistaken for an old one; comparing them costs a tenth of decoding.

import { LRUCache } from "lru-cache";
import { type BucketBlock, openBuckets } from "../../codec/bucket-block.ts";
import type { Connection } from "../file/open.ts";
import { proven } from "../file/row-checksum.ts";

/** The columns of a block that answers use. */
export interface KnownBlock {
  readonly bytes: Uint8Array;
  /** By bucket: its start, the time of its last reading, and the number of readings. */
  readonly starts: Float64Array;
  readonly lasts: Float64Array;
  readonly counts: Float64Array;
  /** The aggregated rows one after another. */
  readonly rows: Float64Array;
}

/** 24 months of days and a month of hours are 17 blocks, about 1 MB. */
const KNOWN_MAX = 18;

const byConnection = new WeakMap<Connection, LRUCache<string, KnownBlock>>();

/** Ranges that cut a block read single buckets of it; with all columns it takes 400 kB. */
const OPENED_MAX = 2;

interface OpenedBlock {
  readonly bytes: Uint8Array;
  readonly block: BucketBlock;
}

const openedByConnection = new WeakMap<Connection, LRUCache<string, OpenedBlock>>();

/**
 * Opens the block of `bytes` under `key`, with recently decoded columns if they are cached. Throws
 * a DamagedError.
 */
export function openedBlock(
  db: Connection,
  { key, bytes }: { readonly key: string; readonly bytes: Uint8Array },
): BucketBlock {
  const opened = openedByConnection.get(db) ?? new LRUCache({ max: OPENED_MAX });
  openedByConnection.set(db, opened);
  const known = opened.get(key);
  if (known !== undefined && Buffer.compare(known.bytes, bytes) === 0) return known.block;
  const block = openBuckets(proven(bytes, "bucket_block", key));
  opened.set(key, { bytes, block });
  return block;
}

/** The block under `key` if it still consists of `bytes`, else null. */
export function recallBlock(db: Connection, key: string, bytes: Uint8Array): KnownBlock | null {
  const known = byConnection.get(db)?.get(key);
  return known !== undefined && Buffer.compare(known.bytes, bytes) === 0 ? known : null;
}

/** Caches a block under `key`, and drops the least recently used one. */
export function rememberBlock(db: Connection, key: string, block: KnownBlock): KnownBlock {
  const blocks = byConnection.get(db) ?? new LRUCache({ max: KNOWN_MAX });
  byConnection.set(db, blocks);
  blocks.set(key, block);
  return block;
}
