// A cache of aggregated rows from recently used blocks of buckets: a page that shows months of days
// requests the same again each minute. The key includes the block's bytes, so that a new block is
// never mistaken for an old one; comparing them costs a tenth of decoding.

import type { Connection } from "./open.ts";
import { proven } from "./row-checksum.ts";
import { type BucketBlock, openBuckets } from "./segment/bucket-block.ts";

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

const byConnection = new WeakMap<Connection, Map<string, KnownBlock>>();

/** Ranges that cut a block read single buckets of it; with all columns it takes 400 kB. */
const OPENED_MAX = 2;

interface OpenedBlock {
  readonly bytes: Uint8Array;
  readonly block: BucketBlock;
}

const openedByConnection = new WeakMap<Connection, OpenedBlock[]>();

/**
 * Opens the block of `bytes` under `key`, with recently decoded columns if they are cached. Throws
 * a DamagedError.
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

/** Caches a block under `key`, and drops the least recently used one. */
export function rememberBlock(db: Connection, key: string, block: KnownBlock): KnownBlock {
  const blocks = byConnection.get(db) ?? new Map<string, KnownBlock>();
  byConnection.set(db, blocks);
  blocks.set(key, block);
  const [oldest] = blocks.keys();
  if (blocks.size > KNOWN_MAX) blocks.delete(oldest);
  return block;
}
