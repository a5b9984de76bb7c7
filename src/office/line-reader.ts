// Opens segments of a ship's line to read them in order of time. Segments that the next piece of
// time needs too stay open. A segment that differs from what the ship sealed is left out and
// reported once.

import { DamagedError } from "../codec/bytes.ts";
import { messageOf } from "../ground/errors.ts";
import type { Block } from "../sqlite/sealed/block.ts";
import type { TimedSource } from "../sqlite/sealed/sweep.ts";
import type { Office } from "./office.ts";
import { openShoreSegment, type ShoreSegment } from "./segments.ts";

export interface LineReader {
  /** Sources for `runsOf`; fewer than the segments if some were left out. */
  sources(segments: readonly ShoreSegment[]): Promise<readonly TimedSource<Block>[]>;
}

export function openLineReader(
  office: Office,
  ship: string,
  onProblem: (problem: string) => void,
): LineReader {
  const blocks = new Map<ShoreSegment, Block | null>();
  const open = async (segment: ShoreSegment) => {
    try {
      return await openShoreSegment(office, ship, segment);
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error;
      onProblem(`segment ${segment.number}: ${messageOf(error)}`);
      return null;
    }
  };
  return {
    async sources(segments) {
      for (const segment of blocks.keys()) if (!segments.includes(segment)) blocks.delete(segment);
      for (const segment of segments)
        if (!blocks.has(segment)) blocks.set(segment, await open(segment));
      return segments
        .flatMap((segment) => {
          const block = blocks.get(segment) ?? null;
          if (block === null) return [];
          const { first_ms, last_ms, number: rank } = segment;
          return [{ first_ms, last_ms, rank, open: () => ({ block, from: 0, to: block.count }) }];
        })
        .sort((one, other) => one.first_ms - other.first_ms || one.rank - other.rank);
    },
  };
}
