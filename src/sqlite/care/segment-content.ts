// The content of a sealed segment. It is right if all of its readings can be decoded and agree with
// its columns, and if its payload has the chained hash.

import { memoryInTurns } from "../../codec/column-memory.ts";
import { EXTRAS } from "../../codec/segment-columns.ts";
import { openSegment, readSegmentHead, type Segment } from "../../codec/segment-reader.ts";
import { messageOf } from "../../ground/errors.ts";
import { hashOf } from "../file/hash-chain.ts";
import { isBytes, isSameSegment } from "../sealed/segment-proof.ts";

/** Thrown for a broken link of a chain; its message names the fault. */
export class Broken extends Error {}

export interface SegmentLink {
  readonly id: number;
  readonly first_ms: number;
  readonly last_ms: number;
  readonly count: number;
  readonly header: Uint8Array;
  readonly payload: Uint8Array | null;
  readonly payload_hash: Uint8Array;
  readonly hash: Uint8Array;
}

export function isPayload({ payload, payload_hash }: SegmentLink): boolean {
  return isBytes(payload) && isSameSegment(hashOf(payload), payload_hash);
}

/** The fault of a segment by itself, without the chain; null if there is none. */
export function segmentFault(link: SegmentLink): string | null {
  try {
    checkContent(link, `segment ${link.id}`);
    if (link.payload === null || isPayload(link)) return null;
    return `segment ${link.id}: its payload isn't the one that was sealed`;
  } catch (error) {
    return messageOf(error);
  }
}

/** Memory for one open segment at a time: each is read and left before the next. */
const begin = memoryInTurns();

/** The segment; null if its payload has expired. Throws Broken if it contradicts its row. */
export function checkContent(link: SegmentLink, name: string): Segment | null {
  try {
    const head = readSegmentHead(link.header);
    const columns = [link.count, link.first_ms, link.last_ms];
    if (columns.join() !== [head.count, head.first_ms, head.last_ms].join())
      throw new Broken(`${name}: its row has another ${columns.join()} than its header`);
    if (link.payload === null) return null;
    const segment = openSegment({ header: link.header, payload: link.payload }, begin());
    const columns_max = EXTRAS + segment.extraNames.length;
    for (let index = 0; index < columns_max; index += 1) segment.column(index);
    // Reading the times checks them against the header.
    void segment.at_ms;
    return segment;
  } catch (error) {
    if (error instanceof Broken) throw error;
    throw new Broken(`${name}: can't be decoded (${messageOf(error)})`);
  }
}
