// The segments of a ship at the office: the line that its chain continued last, the branches beside
// it, and the readings of a segment, which are used only after its hashes were recomputed.

import { DamagedError } from "../codec/bytes.ts";
import type { Block } from "../sqlite/sealed/block.ts";
import { segmentBlock } from "../sqlite/sealed/segment-block.ts";
import { provenBytes } from "../sqlite/sealed/segment-proof.ts";
import type { Office } from "./office.ts";
import { payloadAt } from "./payloads.ts";

/** A row of office.segments. */
export interface ShoreSegment {
  readonly number: number;
  readonly branch: number;
  /** Hash of the link in hex; so is `previous`. */
  readonly hash: string;
  readonly previous: string;
  readonly first_ms: number;
  readonly last_ms: number;
  readonly count: number;
  /** False if the payload hasn't arrived, or had expired aboard. */
  readonly is_here: boolean;
}

/** Segments in the order of their numbers. */
export interface ShoreLine {
  /** Null for the line that the ship continued last; else the number of another branch. */
  readonly fork: number | null;
  readonly segments: readonly ShoreSegment[];
}

/** A ship's segments by line, the current one first. */
export async function shoreLines(office: Office, ship: string): Promise<readonly ShoreLine[]> {
  const all = await office.ask<ShoreSegment>("office.segments", [ship]);
  const [head] = await office.ask<Pick<ShoreSegment, "number" | "hash">>("office.segment_head", [
    ship,
  ]);
  const byHash = new Map(all.map((segment) => [`${segment.number} ${segment.hash}`, segment]));
  const current = new Set<ShoreSegment>();
  let at = byHash.get(head === undefined ? "" : `${head.number} ${head.hash}`);
  while (at !== undefined) {
    current.add(at);
    at = byHash.get(`${at.number - 1} ${at.previous}`);
  }
  const parted = Map.groupBy(
    all.filter((segment) => !current.has(segment)),
    ({ branch }) => branch,
  );
  return [
    { fork: null, segments: all.filter((segment) => current.has(segment)) },
    ...[...parted].map(([fork, segments]) => ({ fork, segments })),
  ];
}

/** A row of office.segment. */
interface StoredSegment {
  readonly previous: Buffer;
  readonly hash: Buffer;
  readonly header: Buffer;
  readonly payload_hash: Buffer;
  readonly payload: Buffer | null;
  readonly object: string | null;
}

/**
 * The readings of a segment; null without payload. Throws a DamagedError if it differs from what
 * the ship sealed.
 */
export async function openShoreSegment(
  office: Office,
  ship: string,
  { number, hash, ...span }: ShoreSegment,
): Promise<Block | null> {
  const [stored] = await office.ask<StoredSegment>("office.segment", [ship, number, hash]);
  const row = stored && {
    ...stored,
    payload: await payloadAt(office.objects, { ...stored, digest: stored.payload_hash }),
  };
  const { header, payload } = provenBytes(number, row && { id: number, ...span, ...row });
  if (payload === null) return null;
  const block = segmentBlock(header, payload);
  const { count } = block;
  // The columns in the database only repeat the header, so they are compared with it.
  const found = [block.at_ms(0), block.at_ms(count - 1), count].join();
  if (found !== [span.first_ms, span.last_ms, span.count].join())
    throw new DamagedError("its row has other times or another count than its header");
  return block;
}
