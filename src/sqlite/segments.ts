// The sealed segments as a connection sees them: a list of when they begin and end, kept in memory
// and extended by what has been sealed since, and the few that were opened last.

import type { Block } from "./block.ts";
import { type Connection, prepare } from "./open.ts";
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

export interface Segments {
  /** Brings the list up to date; call it first in a transaction that reads segments. */
  refresh(): void;
  /** Those that a range cuts, by their first reading. Valid as of the last `refresh`. */
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
      return spans.slice(from, to).filter(({ last_ms }) => last_ms >= start_ms);
    },
    first_ms: () => spans.at(0)?.first_ms ?? null,
    last_ms: () => newest_ms,
    forget() {
      spans = [];
      reach_ms = [];
      newest_id = 0;
      newest_ms = null;
      opened.clear();
    },
    open(id) {
      const known = opened.get(id);
      opened.delete(id);
      const block = known ?? read(bytes.get({ id }));
      if (block === null) return null;
      opened.set(id, block);
      const [oldest] = opened.keys();
      if (opened.size > OPEN_MAX) opened.delete(oldest);
      return block;
    },
  };
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
