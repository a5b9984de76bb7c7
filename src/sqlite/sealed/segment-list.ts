// The list of segments, read from their places: small rows with a checksum, because every start and
// every thread reads the list, and the segments' own rows lie 60 kB apart. If a place is damaged or
// missing, the segment's own row replaces it, proven by the chain; if that is damaged too, the
// place spans the time between its neighbours, so that queries of that time report it.

import { crc32 } from "node:zlib";
import { valueAt } from "../../codec/column.ts";
import { RECEIVED_MS } from "../../codec/segment-columns.ts";
import type { Segment } from "../../codec/segment-reader.ts";
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
  /** The segments sealed since the last call, in the order of the chain. */
  added(): readonly SegmentSpan[];
  /** The problem with a row from which the list was read; null without one. */
  problemOf(id: number): string | null;
  /** True if the segment is listed by its place. */
  isPlaced(id: number): boolean;
}

/** The chain's links in order, as far as it was read. */
export function openList(db: Connection): Links {
  let last: SegmentSpan | null = null;
  const problems = new Map<number, string>();
  const unplaced = new Set<number>();
  /** Lists the segments of `rows`, up to the place `next`. */
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
      for (const { id, first_ms, last_ms, count } of placesAfter(db, last?.id ?? 0)) {
        const place = { id, first_ms, last_ms, count };
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

/** A segment in the list; its span is null if no row has the times of its readings. */
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

/** An entry for segments up to number `id` of which no row exists. */
function missing(id: number): Placed {
  return { id, span: null, problem: null };
}

/** The hash that the segment after number `id` is chained to; null if its row is damaged. */
function hashOf(db: Connection, id: number): Uint8Array | null {
  if (id === 0) return EMPTY_CHAIN.hash;
  const row = prepare(db, "segment.hash").get({ id });
  return isBytes(row?.hash) ? row.hash : null;
}

/** True if the chain is longer than its rows: then rows at its end are missing. */
function isCutOff(
  head: { readonly count: unknown; readonly hash: unknown },
  last: { readonly id: number; readonly hash: Uint8Array | null },
): head is { readonly count: number; readonly hash: Uint8Array } {
  const { count, hash } = head;
  if (!Number.isSafeInteger(count) || !isBytes(hash)) return false;
  // If the last row has the head's hash, it is the head's count that is damaged.
  return Number(count) > last.id && (last.hash === null || !isSameSegment(hash, last.hash));
}

/**
 * A span for segments up to number `id` that are missing or have no times: the time between their
 * neighbours, or from the last segment until now.
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
  // Late readings: any time that was sealed by then is possible.
  if (first_ms > last_ms) return { id, first_ms: 0, last_ms: first_ms - 1, count: 0 };
  return { id, first_ms, last_ms, count: 0 };
}

/** A segment's place. */
export interface SegmentPlace extends SegmentSpan {
  /** Time of its newest receipt; 0 if its readings are lost. */
  readonly newest_received_ms: number;
}

/** Stores a new segment's place, in the transaction that stores the segment. */
export function putPlace(db: Connection, place: SegmentPlace): void {
  const { id, first_ms, last_ms, count, newest_received_ms } = place;
  const row = { id, first_ms, last_ms, count, newest_received_ms };
  prepare(db, "segment.put_place").run({ ...row, checksum: checksumOf(row) });
}

/** The undamaged places after segment number `id`, in order; at most `limit`, -1 for all. */
export function placesAfter(db: Connection, id: number, limit = -1): readonly SegmentPlace[] {
  const rows = prepare(db, "segment.places").iterate({ id, limit });
  const places: SegmentPlace[] = [];
  for (const { checksum, ...place } of rows) if (checksumOf(place) === checksum) places.push(place);
  return places;
}

/**
 * The problem with the stored place of a segment; null if there is none. Its receipts and its count
 * are compared if its readings are given.
 */
export function placeFault(
  db: Connection,
  span: SegmentSpan,
  readings: Segment | null,
): string | null {
  const { id, first_ms, last_ms } = span;
  const place = placesAfter(db, id - 1, 1).find((found) => found.id === id);
  if (place === undefined)
    return "its place in the list of segments isn't the one that was written";
  // A segment whose readings were lost has a count of 0 in its place.
  const { count, newest_received_ms } =
    readings === null
      ? place
      : { count: readings.count, newest_received_ms: newestReceiptIn(readings) };
  const expected = { id, first_ms, last_ms, count, newest_received_ms };
  return checksumOf(expected) === checksumOf(place)
    ? null
    : "its place in the list of segments differs from its readings";
}

/** Time of the newest receipt of a segment's readings. */
export function newestReceiptIn(segment: Segment): number {
  const column = segment.column(RECEIVED_MS);
  return newestReceipt(
    Array.from({ length: segment.count }, (_, row) => Number(valueAt(column, row))),
  );
}

/** Time of the newest of some receipts; 0 without one. */
export function newestReceipt(received_ms: Iterable<number>): number {
  let newest_ms = 0;
  for (const at_ms of received_ms) newest_ms = Math.max(newest_ms, at_ms);
  return newest_ms;
}

function checksumOf({ id, first_ms, last_ms, count, newest_received_ms }: SegmentPlace): number {
  return crc32(`${id} ${first_ms} ${last_ms} ${count} ${newest_received_ms}`);
}
