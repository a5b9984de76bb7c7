// The list of segments, read from their places: small rows with a checksum, for the list is read at
// every start and in every thread, and 30,000 segments' own rows lie 60 kB apart. Where a place is
// damaged or missing, the segment's own row tells it, proven by the chain; where that is damaged
// too, the place lies between its neighbours, so that whoever asks for its times is told.

import { crc32 } from "node:zlib";
import { damageOf } from "../file/damage.ts";
import { chainHead, EMPTY_CHAIN } from "../file/hash-chain.ts";
import { type Connection, prepare } from "../file/open.ts";
import {
  isBytes,
  isSameSegment,
  type ListedSegment,
  listedSegment,
  type SegmentSpan,
  segmentName,
} from "./segment-proof.ts";

export interface Links {
  /** The segments that came since the last call, in the order of the chain. */
  added(): readonly SegmentSpan[];
  /** The problem with a row that the list was read from; null without one. */
  problemOf(id: number): string | null;
  /** True if the segment is listed by its place. */
  isPlaced(id: number): boolean;
}

/** The chain's links in order, as far as it was read. */
export function openList(db: Connection): Links {
  let last: SegmentSpan | null = null;
  const problems = new Map<number, string>();
  const unplaced = new Set<number>();
  /** Lists the segments that `rows` tells of, up to the place `next`. */
  const take = (rows: readonly Placed[], next: SegmentSpan | null): readonly SegmentSpan[] =>
    rows.map(({ id, span, problem }, index) => {
      const after = () => rows.slice(index + 1).find((later) => later.span)?.span ?? next;
      unplaced.add(id);
      last = span ?? unknownSpan({ id, before: last, after: after() });
      if (problem !== null) {
        const text = `${segmentName(last)}: ${problem}`;
        problems.set(last.id, text);
        damageOf(db).note(text);
      }
      return last;
    });
  return {
    problemOf: (id) => problems.get(id) ?? null,
    isPlaced: (id) => !unplaced.has(id),
    added() {
      const added: SegmentSpan[] = [];
      for (const place of placesAfter(db, last?.id ?? 0)) {
        const from: number = last?.id ?? 0;
        if (place.id > from + 1) added.push(...take(rowsBetween(db, from, place.id), place));
        added.push(place);
        last = place;
      }
      added.push(...take(rowsBetween(db, last?.id ?? 0, null), null));
      return added;
    },
  };
}

/** A segment in the list; its span is null if no row tells the times of its readings. */
type Placed = ListedSegment & { readonly id: number };

/** The segments after number `from` and before `to`, by their own rows; null: up to the last. */
function rowsBetween(db: Connection, from: number, to: number | null): readonly Placed[] {
  let previous = hashOf(db, from);
  const listed: Placed[] = [];
  const end = to ?? Number.MAX_SAFE_INTEGER;
  const since = prepare(db, "segment.since");
  for (const link of since.iterate({ id: from, end })) {
    const id: number = (listed.at(-1)?.id ?? from) + 1;
    const one = listedSegment(id, link, previous);
    if (one.problem !== null && link.id > id) {
      listed.push(missing(link.id - 1));
      listed.push({ id: link.id, ...listedSegment(link.id, link, null) });
    } else listed.push({ id, ...one });
    previous = link.hash instanceof Uint8Array ? link.hash : null;
  }
  const id: number = listed.at(-1)?.id ?? from;
  if (to !== null) return id < to - 1 ? [...listed, missing(to - 1)] : listed;
  const head = chainHead(db, "segment");
  return isCutOff(head, { id, hash: previous }) ? [...listed, missing(head.count)] : listed;
}

/** Stands for the segments up to number `id`, of which no row is left. */
function missing(id: number): Placed {
  return { id, span: null, problem: null };
}

/** The hash that the segment after number `id` is chained to; null if its row is damaged. */
function hashOf(db: Connection, id: number): Uint8Array | null {
  if (id === 0) return EMPTY_CHAIN.hash;
  const row = prepare(db, "segment.hash").get({ id });
  return isBytes(row?.hash) ? row.hash : null;
}

/** True if the chain goes on behind its last row: then the rows at its end are missing. */
function isCutOff(
  head: { readonly count: unknown; readonly hash: unknown },
  last: { readonly id: number; readonly hash: Uint8Array | null },
): head is { readonly count: number; readonly hash: Uint8Array } {
  const { count, hash } = head;
  if (!Number.isSafeInteger(count) || !isBytes(hash)) return false;
  // If the last row has the head's hash, the head's count is what is damaged.
  return Number(count) > last.id && (last.hash === null || !isSameSegment(hash, last.hash));
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

/** Stores a new segment's place, in the transaction that stores the segment. */
export function putPlace(db: Connection, { id, first_ms, last_ms, count }: SegmentSpan): void {
  const place = { id, first_ms, last_ms, count };
  prepare(db, "segment.put_place").run({ ...place, checksum: checksumOf(place) });
}

/** The undamaged places after segment number `id`, in order. */
function placesAfter(db: Connection, id: number): readonly SegmentSpan[] {
  const rows = prepare(db, "segment.places").iterate({ id });
  const places: SegmentSpan[] = [];
  for (const { checksum, ...place } of rows) if (checksumOf(place) === checksum) places.push(place);
  return places;
}

function checksumOf({ id, first_ms, last_ms, count }: SegmentSpan): number {
  return crc32(`${id} ${first_ms} ${last_ms} ${count}`);
}
