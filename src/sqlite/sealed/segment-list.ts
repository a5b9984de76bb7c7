// The list of segments, read from their rows. A row that is damaged or missing still has its place
// in it, so that whoever asks for its times is told: the place that was stored beside it, when the
// segment was sealed, or else between its neighbours.

import { damageOf } from "../file/damage.ts";
import { chainHead, EMPTY_CHAIN } from "../file/hash-chain.ts";
import { type Connection, prepare } from "../file/open.ts";
import {
  isBytes,
  isSame,
  type LinkRow,
  type ListedSegment,
  listedSegment,
  type SegmentSpan,
  segmentName,
} from "./segment-proof.ts";

export interface Links {
  /** The segments that came since the last call, in the order of the chain. */
  added(): readonly SegmentSpan[];
  /** The problem with a listed row, not counting its payload; null without one. */
  problemOf(id: number): string | null;
}

/** The chain's links in order, as far as it was read. */
export function openList(db: Connection): Links {
  const since = prepare<{ id: number }, LinkRow>(db, "segment.since");
  let last: SegmentSpan | null = null;
  let previous: Uint8Array | null = EMPTY_CHAIN.hash;
  const problems = new Map<number, string>();
  const named = (span: SegmentSpan, problem: string) => {
    const text = `${segmentName(span)}: ${problem}`;
    problems.set(span.id, text);
    damageOf(db).note(text);
  };
  /** The rows since the last call, with an item for those missing between them or at the end. */
  const listedSince = (): readonly Placed[] => {
    const listed: Placed[] = [];
    for (const link of since.iterate({ id: last?.id ?? 0 })) {
      const id: number = (listed.at(-1)?.id ?? last?.id ?? 0) + 1;
      const one = listedSegment(id, link, previous);
      if (one.problem !== null && link.id > id) {
        listed.push({ id: link.id - 1, span: null, problem: null });
        listed.push({ id: link.id, ...listedSegment(link.id, link, null) });
      } else listed.push({ id, ...one });
      previous = link.hash instanceof Uint8Array ? link.hash : null;
    }
    const id: number = listed.at(-1)?.id ?? last?.id ?? 0;
    const head = chainHead(db, "segment");
    if (!isCutOff(head, { id, hash: previous })) return listed;
    previous = head.hash;
    return [...listed, { id: head.count, span: null, problem: null }];
  };
  return {
    problemOf: (id) => problems.get(id) ?? null,
    added() {
      const listed = listedSince();
      return listed.map(({ id, span, problem }, index) => {
        const after = () => listed.slice(index + 1).find((later) => later.span)?.span ?? null;
        const stored = problem === null && span !== null ? null : storedPlace(db, { id, last });
        last = covering(span, stored) ?? unknownSpan({ id, before: last, after: after() });
        if (problem !== null) named(last, problem);
        return last;
      });
    },
  };
}

/** A segment in the list; its span is null if no row tells the times of its readings. */
type Placed = ListedSegment & { readonly id: number };

/** True if the chain goes on behind its last row: then the rows at its end are missing. */
function isCutOff(
  head: { readonly count: unknown; readonly hash: unknown },
  last: { readonly id: number; readonly hash: Uint8Array | null },
): head is { readonly count: number; readonly hash: Uint8Array } {
  const { count, hash } = head;
  if (!Number.isSafeInteger(count) || !isBytes(hash)) return false;
  // If the last row has the head's hash, the head's count is what is damaged.
  return Number(count) > last.id && (last.hash === null || !isSame(hash, last.hash));
}

/** The place stored beside the segments up to number `id`; null without one. */
function storedPlace(
  db: Connection,
  { id, last }: { readonly id: number; readonly last: SegmentSpan | null },
): SegmentSpan | null {
  // A file that only an older version has written, and that is read as it is, has none.
  const table = prepare<object, { count: number }>(db, "segment.has_places").get({});
  if (table?.count !== 1) return null;
  const range = { after: last?.id ?? 0, id };
  const place = prepare<object, SegmentTimes>(db, "segment.place").get(range);
  const { first_ms = null, last_ms = null } = place ?? {};
  return first_ms === null || last_ms === null ? null : { id, first_ms, last_ms, count: 0 };
}

interface SegmentTimes {
  readonly first_ms: number | null;
  readonly last_ms: number | null;
}

/** The span of both; null if there is none. */
function covering(said: SegmentSpan | null, stored: SegmentSpan | null): SegmentSpan | null {
  if (said === null || stored === null) return said ?? stored;
  const first_ms = Math.min(said.first_ms, stored.first_ms);
  return { ...said, first_ms, last_ms: Math.max(said.last_ms, stored.last_ms) };
}

/**
 * Stands for segments up to number `id` that are missing, or that tell no times: their readings lay
 * between the others', behind the last segment until now at the latest.
 */
function unknownSpan({
  id,
  before,
  after,
}: {
  readonly id: number;
  readonly before: SegmentSpan | null;
  readonly after: SegmentSpan | null;
}): SegmentSpan {
  const first_ms = (before?.last_ms ?? -1) + 1;
  const last_ms = after === null ? Math.max(first_ms, Date.now()) : after.first_ms - 1;
  // Late readings: they may have any time that was sealed by then.
  if (first_ms > last_ms) return { id, first_ms: 0, last_ms: first_ms - 1, count: 0 };
  return { id, first_ms, last_ms, count: 0 };
}
