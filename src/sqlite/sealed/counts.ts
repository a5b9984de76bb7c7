// Exact counts of distinct readings by hour and day: from stored buckets for sealed readings,
// counted for hot ones. A total, and a page at any depth, cost the same everywhere.

import { DamagedError } from "../../codec/bytes.ts";
import { DAY_MS, floorTo, HOUR_MS } from "../../ground/clock.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange, Interval } from "../file/query.ts";
import { isWholeReading, type ReadingRow, unsealedProblem } from "./block.ts";
import { bucketHeads, WIDTH_MS } from "./buckets.ts";
import { hotReadings, hotWithin } from "./hot.ts";
import type { SegmentSpan } from "./segment-proof.ts";
import { segmentsOf } from "./segments.ts";
import {
  type BlockRun,
  rawFrom,
  SEALED,
  type TimelineOptions,
  timeline,
  VISIBLE,
} from "./timeline.ts";
import { visibleParts, voidedSpans } from "./voids.ts";

/** A stretch of a range, with its number of readings. */
export interface Piece extends ClosedRange {
  readonly count: number;
}

/** Number of sealed readings in the hour that begins at `start_ms`. */
export function sealedInHour(db: Connection, start_ms: number): number {
  return bucketHeads(db, "hour", { start_ms, end_ms: start_ms })[0]?.count ?? 0;
}

/** Number of sealed readings in the days that start in a range, without expired ones. */
export function sealedInDays(db: Connection, { start_ms, end_ms }: ClosedRange): number {
  const days = { start_ms: Math.max(start_ms, rawFrom(db)), end_ms };
  return prepare(db, "bucket.sealed").get(days)?.count ?? 0;
}

/**
 * Number of distinct sealed readings that are neither expired nor hidden, without the stored days.
 * A segment that overlaps no other has its own count; the rest are opened.
 */
export function countSealed(db: Connection): number {
  const segments = segmentsOf(db);
  segments.refresh();
  const kept = { start_ms: rawFrom(db), end_ms: Number.MAX_SAFE_INTEGER };
  const empty = new Set(
    prepare(db, "segment.empty")
      .all({ start_ms: kept.start_ms })
      .map(({ id }) => id),
  );
  const voided = voidedSpans(db);
  let count = 0;
  for (const { alone, ...range } of clustersOf(segments.within(kept))) {
    const [part] = visibleParts(voided, range);
    const isWhole =
      range.start_ms >= kept.start_ms &&
      part?.start_ms === range.start_ms &&
      part.end_ms === range.end_ms;
    // A segment whose times are damaged has no count.
    const isTold = isWhole && alone !== null && alone.count > 0 && !empty.has(alone.id);
    count += isTold ? alone.count : countIn(db, range, SEALED);
  }
  return count;
}

/** A range of segments that overlap; `alone` if there is only one. */
interface Cluster extends ClosedRange {
  readonly alone: SegmentSpan | null;
}

/** The clusters of segments, which are in order of their first readings. */
function* clustersOf(spans: readonly SegmentSpan[]): Generator<Cluster> {
  let cluster: Cluster | null = null;
  for (const span of spans) {
    const { first_ms: start_ms, last_ms: end_ms } = span;
    if (cluster !== null && start_ms <= cluster.end_ms) {
      const last_ms: number = Math.max(cluster.end_ms, end_ms);
      cluster = { start_ms: cluster.start_ms, end_ms: last_ms, alone: null };
      continue;
    }
    if (cluster !== null) yield cluster;
    cluster = { start_ms, end_ms, alone: span };
  }
  if (cluster !== null) yield cluster;
}

/** Splits a range into days, hours and at most two parts of hours, ascending, with their counts. */
export function countedPieces(db: Connection, range: ClosedRange): readonly Piece[] {
  const hoursFrom_ms = ceilTo(range.start_ms, HOUR_MS);
  const hoursTo_ms = floorTo(range.end_ms + 1, HOUR_MS);
  if (hoursFrom_ms > hoursTo_ms) return [countedPart(db, range)];
  const daysFrom_ms = Math.min(ceilTo(hoursFrom_ms, DAY_MS), hoursTo_ms);
  const daysTo_ms = Math.max(floorTo(hoursTo_ms, DAY_MS), daysFrom_ms);
  const part = (start_ms: number, end_ms: number) =>
    start_ms > end_ms ? [] : [countedPart(db, { start_ms, end_ms })];
  return [
    ...part(range.start_ms, hoursFrom_ms - 1),
    ...counted(db, { start_ms: hoursFrom_ms, end_ms: daysFrom_ms - 1 }, "hour"),
    ...counted(db, { start_ms: daysFrom_ms, end_ms: daysTo_ms - 1 }, "day"),
    ...counted(db, { start_ms: daysTo_ms, end_ms: hoursTo_ms - 1 }, "hour"),
    ...part(hoursTo_ms, range.end_ms),
  ];
}

/** The number of readings in all pieces. */
export function countOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { count }) => sum + count, 0);
}

function counted(db: Connection, range: ClosedRange, of: Interval): readonly Piece[] {
  if (range.start_ms > range.end_ms) return [];
  const width_ms = WIDTH_MS[of];
  // Buckets of expired readings are kept.
  const kept = { ...range, start_ms: Math.max(range.start_ms, rawFrom(db)) };
  const counts = new Map(bucketHeads(db, of, kept).map(({ start_ms, count }) => [start_ms, count]));
  const hot = hotReadings(db);
  const { from, to } = hotWithin(hot, range);
  const segments = segmentsOf(db);
  segments.refresh();
  const sealed_ms = segments.last_ms() ?? -1;
  for (const row of hot.rows.slice(from, to)) {
    if (isCounted(row, sealed_ms)) continue;
    const start_ms = floorTo(row.at_ms, width_ms);
    counts.set(start_ms, (counts.get(start_ms) ?? 0) + 1);
  }
  return [...counts]
    .sort(([one], [other]) => one - other)
    .map(([start_ms, count]) => ({ start_ms, end_ms: start_ms + width_ms - 1, count }));
}

/** True if a sealed reading of its instant is counted already; none is newer than `sealed_ms`. */
function isCounted(row: ReadingRow, sealed_ms: number): boolean {
  if (row.at_ms > sealed_ms) return false;
  if (!isWholeReading(row)) throw new DamagedError(unsealedProblem(row));
  return row.supersedes === 1;
}

function countedPart(db: Connection, range: ClosedRange): Piece {
  return { ...range, count: countIn(db, range, VISIBLE) };
}

/** The runs with `limit` readings after the first `offset` of a range with these `pieces`. */
export function* runsFrom(
  db: Connection,
  pieces: readonly Piece[],
  page: { readonly offset: number; readonly limit: number },
): Generator<BlockRun> {
  const start = seek(db, pieces, page.offset);
  if (start === null) return;
  let skip = start.offset;
  let left = page.limit;
  // Only up to the page's last reading: the cost of a timeline grows with its segments.
  const end_ms = endOf(pieces, page.offset + page.limit);
  for (const run of timeline(db, { start_ms: start.start_ms, end_ms })) {
    const from = Math.min(run.to, run.from + skip);
    skip -= from - run.from;
    const to = Math.min(run.to, from + left);
    left -= to - from;
    if (from < to) yield { block: run.block, from, to };
    if (left === 0) return;
  }
}

/** The end of the piece that contains reading number `count`, or of the last piece. */
function endOf(pieces: readonly Piece[], count: number): number {
  let left = count;
  for (const piece of pieces) {
    left -= piece.count;
    if (left <= 0) return piece.end_ms;
  }
  return pieces.at(-1)?.end_ms ?? 0;
}

/** Finds the reading that follows the first `offset` readings from `start_ms` on. */
function seek(
  db: Connection,
  pieces: readonly Piece[],
  offset: number,
): { readonly start_ms: number; readonly offset: number } | null {
  let left = offset;
  for (const piece of pieces) {
    if (left < piece.count)
      return piece.end_ms - piece.start_ms < HOUR_MS
        ? { start_ms: piece.start_ms, offset: left }
        : seek(db, counted(db, piece, "hour"), left);
    left -= piece.count;
  }
  return null;
}

function ceilTo(at_ms: number, width_ms: number): number {
  return Math.ceil(at_ms / width_ms) * width_ms;
}

/** Counts the readings of a timeline by walking over it, where no counts are stored. */
export function countIn(db: Connection, range: ClosedRange, options: TimelineOptions): number {
  let count = 0;
  for (const { from, to } of timeline(db, range, options)) count += to - from;
  return count;
}
