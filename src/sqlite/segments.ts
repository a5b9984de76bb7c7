// The sealed segments as a connection sees them: a list of when they begin and end, kept in memory
// and extended by what has been sealed since, and the few that were opened last.

import { DAY_MS } from "../clock.ts";
import type { Block } from "./block.ts";
import { type Connection, prepare } from "./open.ts";
import type { ClosedRange } from "./query.ts";
import { segmentBlock } from "./segment-block.ts";

/** A segment, without its readings. */
export interface SegmentSpan {
  readonly id: number;
  readonly first_ms: number;
  readonly last_ms: number;
  readonly count: number;
}

/** Opened segments kept: about 2 MB each once all their columns have been asked for. */
const OPEN_MAX = 6;
/**
 * A segment over more than this is one of late readings, or of a clock that jumped: it cuts ranges
 * in which it has nothing, and is asked for its times before it is opened.
 */
export const DENSE_MS = 31 * DAY_MS;
/** Of so many segments the times are kept, 16 kB each. */
const TIMES_MAX = 256;

export interface Segments {
  /** Brings the list up to date; call it first in a transaction that reads segments. */
  refresh(): void;
  /**
   * Those that a range cuts, by their first reading, without such as are known to have nothing in
   * it. Valid as of the last `refresh`.
   */
  within(range: { readonly start_ms: number; readonly end_ms: number }): readonly SegmentSpan[];
  /** The oldest and the newest reading of all, null without one. */
  first_ms(): number | null;
  last_ms(): number | null;
  /** Forgets the list, after a rollback that took a segment back. */
  forget(): void;
  /** A segment's readings; null when they have expired. */
  open(id: number): Block | null;
}

const byConnection = new WeakMap<Connection, Segments>();

/** The connection's segments; one list and one cache a connection. */
export function segmentsOf(db: Connection): Segments {
  const known = byConnection.get(db) ?? newSegments(db);
  byConnection.set(db, known);
  return known;
}

function newSegments(db: Connection): Segments {
  const since = prepare<{ id: number }, SegmentSpan>(db, "segment.since");
  const bytes = prepare<{ id: number }, { header: Uint8Array; payload: Uint8Array | null }>(
    db,
    "segment.bytes",
  );
  /** By their first reading. */
  let spans: SegmentSpan[] = [];
  /** Beside each the newest reading of it and those before: it ascends, as their first ones do. */
  let reach_ms: readonly number[] = [];
  let newest_id = 0;
  let newest_ms: number | null = null;
  const opened = new Map<number, Block>();
  const timesOf = new Map<number, Float64Array>();

  const open = (id: number): Block | null => {
    const known = opened.get(id);
    opened.delete(id);
    const block = known ?? read(bytes.get({ id }));
    if (block === null) return null;
    opened.set(id, block);
    const [oldest] = opened.keys();
    if (opened.size > OPEN_MAX) opened.delete(oldest);
    return block;
  };
  /** Beyond the most whose times are kept it may be any, as with the others. */
  const mayHave = ({ id }: SegmentSpan, range: ClosedRange): boolean => {
    let times = timesOf.get(id);
    if (times === undefined) {
      if (timesOf.size >= TIMES_MAX) return true;
      times = timesIn(open(id));
      timesOf.set(id, times);
    }
    const first = firstIndex(times.length, (index) => times[index] >= range.start_ms);
    return first < times.length && times[first] <= range.end_ms;
  };

  return {
    refresh() {
      const added = since.all({ id: newest_id });
      if (added.length === 0) return;
      for (const span of added) {
        newest_id = span.id;
        newest_ms = Math.max(newest_ms ?? span.last_ms, span.last_ms);
      }
      spans = [...spans, ...added].sort((a, b) => a.first_ms - b.first_ms || a.id - b.id);
      reach_ms = reachOf(spans);
    },
    within({ start_ms, end_ms }) {
      const from = firstIndex(spans.length, (index) => reach_ms[index] >= start_ms);
      const to = firstIndex(spans.length, (index) => spans[index].first_ms > end_ms);
      const isShort = end_ms - start_ms < DENSE_MS;
      return spans
        .slice(from, to)
        .filter((span) => span.last_ms >= start_ms)
        .filter((span) => !isShort || isDense(span) || mayHave(span, { start_ms, end_ms }));
    },
    first_ms: () => spans.at(0)?.first_ms ?? null,
    last_ms: () => newest_ms,
    forget() {
      spans = [];
      reach_ms = [];
      newest_id = 0;
      newest_ms = null;
      opened.clear();
      timesOf.clear();
    },
    open,
  };
}

function timesIn(block: Block | null): Float64Array {
  if (block === null) return new Float64Array();
  return Float64Array.from({ length: block.count }, (_, index) => block.at_ms(index));
}

function isDense({ first_ms, last_ms }: SegmentSpan): boolean {
  return last_ms - first_ms <= DENSE_MS;
}

function reachOf(spans: readonly SegmentSpan[]): readonly number[] {
  let newest_ms = Number.NEGATIVE_INFINITY;
  return spans.map(({ last_ms }) => {
    newest_ms = Math.max(newest_ms, last_ms);
    return newest_ms;
  });
}

/** The first of `count` indices for which `holds`, as it does for all after it; `count`: none. */
function firstIndex(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function read(row: { header: Uint8Array; payload: Uint8Array | null } | undefined): Block | null {
  return row === undefined || row.payload === null ? null : segmentBlock(row.header, row.payload);
}
