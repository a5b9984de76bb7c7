// All readings of a range in time order: sealed segments, hot rows, late segments that overlap
// others. If two have one instant, the later stored counts: hot before sealed, a later segment
// before an earlier one. The result is runs, uninterrupted stretches of one block, so that the
// usual case (one segment after the other) costs nothing a reading.

import type { Reading } from "../../bwts/reading.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import type { Block, BlockStretch } from "./block.ts";
import {
  type HotReadings,
  hotReadings,
  hotWithin,
  indexAt,
  storedHotReadings,
  wholeHotReadings,
} from "./hot.ts";
import { DamagedSegment, type SegmentSpan } from "./segment-proof.ts";
import { type Segments, segmentsOf } from "./segments.ts";
import { isVoided, visibleParts, voidedSpans } from "./voids.ts";

/** A stretch of a block. */
export interface BlockRun extends BlockStretch {
  readonly block: Block;
}

/** The choice of readings for a timeline. */
export interface TimelineOptions {
  /** False for sealed readings only, as buckets on disk count them. */
  readonly withHot: boolean;
  /** True to include readings that a void hides. */
  readonly withVoided: boolean;
  /**
   * At a damaged segment or hot reading: "throw" ends the timeline in a DamagedError, "skip" leaves
   * it out and continues.
   */
  readonly damaged: "throw" | "skip";
}

/** The readings that answers show. */
export const VISIBLE: TimelineOptions = { withHot: true, withVoided: false, damaged: "throw" };
/** The visible readings, without damaged ones. */
export const UNDAMAGED: TimelineOptions = { ...VISIBLE, damaged: "skip" };
/** The readings that counts and sums on disk include. */
export const SEALED: TimelineOptions = { withHot: false, withVoided: false, damaged: "throw" };
/** All stored readings. */
export const STORED: TimelineOptions = { withHot: true, withVoided: true, damaged: "throw" };
/** All sealed readings. */
export const ALL_SEALED: TimelineOptions = { ...STORED, withHot: false };

/** The readings of a range, one by one. */
export function* readingsIn(
  db: Connection,
  range: ClosedRange,
  options: TimelineOptions = VISIBLE,
): Generator<Reading> {
  for (const { block, from, to } of timeline(db, range, options))
    for (let index = from; index < to; index += 1) yield block.reading(index);
}

interface ReadingSource {
  readonly first_ms: number;
  readonly last_ms: number;
  /** The higher rank counts if two sources have one instant. */
  readonly rank: number;
  /** Null if the readings have expired. */
  readonly open: () => BlockRun | null;
}

/**
 * The runs of a range, both ends included. The call takes one snapshot of the readings; segments
 * are opened while the runs are taken.
 */
export function timeline(
  db: Connection,
  range: ClosedRange,
  options: TimelineOptions = VISIBLE,
): Generator<BlockRun> {
  return runsOfAll(db.transaction(() => partsOf(db, range, options))());
}

/** Time of the newest visible reading; null without one. */
export function newestTime(db: Connection, options: TimelineOptions = VISIBLE): number | null {
  return db.transaction(() => {
    const stored_ms =
      options.damaged === "skip"
        ? laterOf(db, wholeHotReadings(db).rows.at(-1)?.at_ms ?? null)
        : newestStored(db);
    if (stored_ms === null || !isVoided(voidedSpans(db), stored_ms)) return stored_ms;
    const parts = partsOf(db, { start_ms: 0, end_ms: Number.MAX_SAFE_INTEGER }, options);
    for (const part of parts.toReversed()) {
      const at_ms = lastTime(part);
      if (at_ms !== null) return at_ms;
    }
    return null;
  })();
}

/** Time of the newest reading, hidden or not; null without one. */
export function newestStored(db: Connection): number | null {
  const newest = prepare(db, "reading.newest").get({});
  return laterOf(db, newest?.at_ms ?? null);
}

/** The later of the newest hot reading and the newest sealed one. */
function laterOf(db: Connection, hot_ms: number | null): number | null {
  const segments = segmentsOf(db);
  segments.refresh();
  const newest_ms = Math.max(hot_ms ?? -1, segments.last_ms() ?? -1);
  return newest_ms < 0 ? null : newest_ms;
}

/** A range, and its readings. */
interface RangePart {
  readonly range: ClosedRange;
  readonly sources: readonly ReadingSource[];
}

function partsOf(
  db: Connection,
  range: ClosedRange,
  options: TimelineOptions,
): readonly RangePart[] {
  const kept = { ...range, start_ms: Math.max(range.start_ms, rawFrom(db)) };
  const spans = options.withVoided ? [] : voidedSpans(db);
  return visibleParts(spans, kept).map((part) => ({
    range: part,
    sources: sourcesOf(db, part, options),
  }));
}

function* runsOfAll(parts: readonly RangePart[]): Generator<BlockRun> {
  for (const { sources, range } of parts) yield* runsOf(sources, range);
}

function lastTime({ sources, range }: RangePart): number | null {
  const endIn = ({ last_ms }: ReadingSource) => Math.min(last_ms, range.end_ms);
  const byEnd = [...sources].sort((one, other) => endIn(other) - endIn(one));
  let newest_ms: number | null = null;
  for (const source of byEnd) {
    if (newest_ms !== null && endIn(source) <= newest_ms) break;
    for (const { block, to } of cursorOf(source, range))
      newest_ms = Math.max(newest_ms ?? 0, block.at_ms(to - 1));
  }
  return newest_ms;
}

/** Counts the readings of a timeline by walking it, where the disk has no counts. */
export function countIn(db: Connection, range: ClosedRange, options: TimelineOptions): number {
  let count = 0;
  for (const { from, to } of timeline(db, range, options)) count += to - from;
  return count;
}

/** Raw readings before this instant have expired. */
export function rawFrom(db: Connection): number {
  const mark = prepare(db, "mark.at");
  return mark.get({ name: RAW_FROM })?.value ?? 0;
}

/** Name of the mark that holds `rawFrom`. */
export const RAW_FROM = "raw_from_ms";

function sourcesOf(
  db: Connection,
  range: ClosedRange,
  { withHot, withVoided, damaged }: TimelineOptions,
): readonly ReadingSource[] {
  const segments = segmentsOf(db);
  segments.refresh();
  const spans = segments.within(range);
  const sealed = spans.map((span) => ({
    first_ms: span.first_ms,
    last_ms: span.last_ms,
    rank: span.id,
    open: () => {
      const block = damaged === "throw" ? segments.open(span) : openUndamaged(segments, span);
      return block === null ? null : { block, from: 0, to: block.count };
    },
  }));
  if (!withHot) return sealed;
  const hot = hotShown(db, { withVoided, damaged });
  return [...sealed, ...hotSources(hot, hotWithin(hot, range), spans)].sort(
    (a, b) => a.first_ms - b.first_ms,
  );
}

function hotShown(
  db: Connection,
  { withVoided, damaged }: Omit<TimelineOptions, "withHot">,
): HotReadings {
  if (damaged === "skip") return wholeHotReadings(db);
  return withVoided ? storedHotReadings(db) : hotReadings(db);
}

function openUndamaged(segments: Segments, span: SegmentSpan): Block | null {
  try {
    return segments.open(span);
  } catch (error) {
    if (error instanceof DamagedSegment) return null;
    throw error;
  }
}

/** Hot readings, cut at the ends of segments, so that they don't hold distant segments open. */
function hotSources(
  { block }: HotReadings,
  { from, to }: BlockStretch,
  spans: readonly SegmentSpan[],
): readonly ReadingSource[] {
  const cuts = spans.flatMap(({ first_ms, last_ms }) => [first_ms, last_ms + 1]);
  const places = cuts.map((cut_ms) => indexAt(block, cut_ms)).filter((at) => at > from && at < to);
  const borders = [from, ...new Set(places.sort((one, other) => one - other)), to];
  return borders.slice(1).flatMap((end, index) => {
    const start = borders[index];
    if (start >= end) return [];
    const run = { block, from: start, to: end };
    return [
      {
        first_ms: block.at_ms(start),
        last_ms: block.at_ms(end - 1),
        rank: Number.POSITIVE_INFINITY,
        open: () => run,
      },
    ];
  });
}

interface Cursor {
  readonly block: Block;
  readonly rank: number;
  readonly to: number;
  at: number;
}

/** Sweeps over the sources; each is open from its first reading to its last. */
function* runsOf(sources: readonly ReadingSource[], range: ClosedRange): Generator<BlockRun> {
  let open: Cursor[] = [];
  let next = 0;
  for (;;) {
    const isDue = ({ first_ms }: ReadingSource) =>
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

function cursorOf({ open, rank }: ReadingSource, range: ClosedRange): readonly Cursor[] {
  const run = open();
  if (run === null) return [];
  const { block } = run;
  const at = Math.max(run.from, indexAt(block, range.start_ms));
  const to = Math.min(run.to, indexAt(block, range.end_ms + 1));
  return at < to ? [{ block, rank, at, to }] : [];
}

const timeOf = ({ block, at }: Cursor): number => block.at_ms(at);

/** The next run: up to the next reading of another cursor, or of a source that isn't open yet. */
function advance(open: readonly Cursor[], pending_ms: number): BlockRun {
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
