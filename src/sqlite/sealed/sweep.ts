// Sweeps over readings from several sources, in time order. Of two with one instant, the one of the
// higher rank counts. Only a source's first and last times are used, so the readings between aren't
// read where nothing overlaps.

import { firstIndex } from "../../bwts/ranks.ts";
import type { ClosedRange } from "../file/query.ts";
import type { BlockStretch } from "./block.ts";

/** Times in ascending order, addressed by index. */
export interface TimeColumn {
  readonly count: number;
  /** The time of reading `index`. */
  at_ms(index: number): number;
}

/** A stretch of a block. */
export interface TimedRun<Of extends TimeColumn> extends BlockStretch {
  readonly block: Of;
}

/** A source of readings. */
export interface TimedSource<Of extends TimeColumn> {
  readonly first_ms: number;
  readonly last_ms: number;
  /** Rank: of two readings of one instant that of the higher rank counts. */
  readonly rank: number;
  /** Opens the readings; null if they have expired. */
  readonly open: () => TimedRun<Of> | null;
}

interface Cursor<Of extends TimeColumn> {
  readonly block: Of;
  readonly rank: number;
  readonly to: number;
  at: number;
}

/** The first index in the block at or after `instant_ms`; `count` if there is none. */
export function indexAt({ count, at_ms }: TimeColumn, instant_ms: number): number {
  if (count === 0 || at_ms(0) >= instant_ms) return 0;
  if (at_ms(count - 1) < instant_ms) return count;
  return firstIndex(count, (index) => at_ms(index) >= instant_ms);
}

/**
 * The runs of `sources` (in order of their first times) within a range. A source is open from its
 * first reading to its last.
 */
export function* runsOf<Of extends TimeColumn>(
  sources: readonly TimedSource<Of>[],
  range: ClosedRange,
): Generator<TimedRun<Of>> {
  let open: Cursor<Of>[] = [];
  let next = 0;
  for (;;) {
    const isDue = ({ first_ms }: TimedSource<Of>) =>
      open.length === 0 || first_ms <= Math.min(...open.map(timeOf));
    while (next < sources.length && isDue(sources[next])) {
      open.push(...cursorOf(sources[next], range));
      next += 1;
    }
    if (open.length === 0) return;
    const pending_ms = sources[next]?.first_ms ?? Number.POSITIVE_INFINITY;
    yield advance(open, pending_ms);
    open = open.filter(({ at, to }) => at < to);
  }
}

function cursorOf<Of extends TimeColumn>(
  { open, rank }: TimedSource<Of>,
  range: ClosedRange,
): readonly Cursor<Of>[] {
  const run = open();
  if (run === null) return [];
  const { block } = run;
  const at = Math.max(run.from, indexAt(block, range.start_ms));
  const to = Math.min(run.to, indexAt(block, range.end_ms + 1));
  return at < to ? [{ block, rank, at, to }] : [];
}

function timeOf({ block, at }: Cursor<TimeColumn>): number {
  return block.at_ms(at);
}

/** The next run: up to the next reading of another cursor, or of a source that isn't open yet. */
function advance<Of extends TimeColumn>(
  open: readonly Cursor<Of>[],
  pending_ms: number,
): TimedRun<Of> {
  const first_ms = Math.min(...open.map(timeOf));
  const [best, ...same] = open
    .filter((cursor) => timeOf(cursor) === first_ms)
    .sort((one, other) => other.rank - one.rank);
  const others = open.filter((cursor) => cursor !== best && !same.includes(cursor));
  const from = best.at;
  for (const cursor of same) cursor.at += 1;
  const stop_ms = Math.min(pending_ms, ...others.map(timeOf));
  const end = same.length > 0 ? from + 1 : indexAt(best.block, stop_ms);
  best.at = Math.min(best.to, Math.max(end, from + 1));
  return { block: best.block, from, to: best.at };
}
