// All readings of a range in time order: sealed segments, hot rows, late segments that overlap
// others. Of two with one instant, the one stored later counts: hot before sealed, a later segment
// before an earlier one. The result is runs, uninterrupted stretches of one block, so that the
// usual case (one segment after the other) costs nothing per reading.

import type { Reading } from "../../bwts/reading.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import type { Block, BlockStretch } from "./block.ts";
import {
  type HotReadings,
  hotReadings,
  hotWithin,
  storedHotReadings,
  wholeHotReadings,
  wholeStoredReadings,
} from "./hot.ts";
import { DamagedSegment, type SegmentSpan } from "./segment-proof.ts";
import { type Segments, segmentsOf } from "./segments.ts";
import { indexAt, runsOf, type TimeColumn, type TimedRun, type TimedSource } from "./sweep.ts";
import { isVoided, visibleParts, voidedSpans } from "./voids.ts";

/** A stretch of a block. */
export type BlockRun = TimedRun<Block>;

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
  /** True: null in place of each value that isn't believed; by default values as sent. */
  readonly believed?: boolean;
}

/** The readings that answers show. */
export const VISIBLE: TimelineOptions = { withHot: true, withVoided: false, damaged: "throw" };
/** The visible readings, without damaged ones. */
export const UNDAMAGED: TimelineOptions = { ...VISIBLE, damaged: "skip" };
/** The visible readings for computations, and the same without damaged ones. */
export const BELIEVED: TimelineOptions = { ...VISIBLE, believed: true };
export const BELIEVED_UNDAMAGED: TimelineOptions = { ...BELIEVED, damaged: "skip" };
/** The readings that stored counts and sums include. */
export const SEALED: TimelineOptions = { withHot: false, withVoided: false, damaged: "throw" };
/** All stored readings. */
export const ALL_STORED: TimelineOptions = { withHot: true, withVoided: true, damaged: "throw" };
/** All stored readings, without damaged ones. */
export const STORED_UNDAMAGED: TimelineOptions = { ...ALL_STORED, damaged: "skip" };
/** All sealed readings. */
export const ALL_SEALED: TimelineOptions = { ...ALL_STORED, withHot: false };

/** The readings of a range, one by one. */
export function* readingsIn(
  db: Connection,
  range: ClosedRange,
  options: TimelineOptions = VISIBLE,
): Generator<Reading> {
  for (const { block, from, to } of timeline(db, range, options))
    for (let index = from; index < to; index += 1) yield block.reading(index);
}

/** A source of readings, with the segment that holds them; null for hot ones. */
interface ReadingSource extends TimedSource<Block> {
  readonly span: SegmentSpan | null;
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

/** Time of the newest visible reading up to `end_ms`; null without one. */
export function newestTime(
  db: Connection,
  options: TimelineOptions = VISIBLE,
  end_ms = Number.MAX_SAFE_INTEGER,
): number | null {
  return db.transaction(() => {
    const stored_ms =
      options.damaged === "skip"
        ? laterOf(db, wholeHotReadings(db).rows.at(-1)?.at_ms ?? null)
        : newestStored(db);
    if (stored_ms === null) return null;
    if (stored_ms <= end_ms && !isVoided(voidedSpans(db), stored_ms)) return stored_ms;
    const parts = partsOf(db, { start_ms: 0, end_ms }, options);
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

export function partsOf(
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

/** Readings that are opened only if their values are used, not just counted. */
export interface UnopenedReadings extends TimeColumn {
  /** All readings; null if they have expired since. Throws a DamagedSegment. */
  whole(): Block | null;
  /**
   * Every `pitch`-th reading (one of THIN_PITCHES), from the first; null if they must be taken from
   * the whole.
   */
  thinned(pitch: number): Block | null;
}

/**
 * Walks over the visible readings of a range, both ends included. The call takes one snapshot of
 * them. A segment is opened only if the range, or others' readings, cut it.
 */
export function unopenedTimeline(
  db: Connection,
  range: ClosedRange,
): () => Generator<TimedRun<UnopenedReadings>> {
  const parts = db.transaction(() => partsOf(db, range, VISIBLE))();
  const segments = segmentsOf(db);
  return function* () {
    for (const part of parts) {
      const sources = part.sources.map((source) => unopenedSource(segments, source));
      yield* runsOf(sources, part.range);
    }
  };
}

function unopenedSource(segments: Segments, source: ReadingSource): TimedSource<UnopenedReadings> {
  const { span } = source;
  const open = () => {
    if (span !== null && segments.isPlaced(span)) {
      const block = unopened(segments, span);
      return { block, from: 0, to: block.count };
    }
    const run = source.open();
    if (run === null) return null;
    const { block, from, to } = run;
    const { count, at_ms } = block;
    return { block: { count, at_ms, whole: () => block, thinned: () => null }, from, to };
  };
  return { ...source, open };
}

function unopened(segments: Segments, span: SegmentSpan): UnopenedReadings {
  const { first_ms, last_ms, count } = span;
  let opened: Block | null = null;
  let thin: { readonly pitch: number; readonly block: Block | null } | null = null;
  const between = (index: number): number => {
    opened ??= segments.open(span);
    if (opened === null) throw new DamagedSegment(span, "its readings are gone");
    return opened.at_ms(index);
  };
  return {
    count,
    at_ms(index) {
      if (index === 0) return first_ms;
      return index === count - 1 ? last_ms : between(index);
    },
    whole: () => segments.open(span),
    thinned(pitch) {
      // Late readings may cut a segment into many runs.
      if (thin?.pitch !== pitch) thin = { pitch, block: segments.thinned(span, pitch) };
      return thin.block;
    },
  };
}

function lastTime({ sources, range }: RangePart): number | null {
  const endIn = ({ last_ms }: ReadingSource) => Math.min(last_ms, range.end_ms);
  const byEnd = [...sources].sort((one, other) => endIn(other) - endIn(one));
  let newest_ms: number | null = null;
  for (const source of byEnd) {
    if (newest_ms !== null && endIn(source) <= newest_ms) break;
    for (const { block, to } of runsOf([source], range))
      newest_ms = Math.max(newest_ms ?? 0, block.at_ms(to - 1));
  }
  return newest_ms;
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
  { withHot, withVoided, damaged, believed = false }: TimelineOptions,
): readonly ReadingSource[] {
  const shown = (block: Block) => (believed ? block.believed() : block);
  const segments = segmentsOf(db);
  segments.refresh();
  const spans = segments.within(range);
  const sealed = spans.map((span) => ({
    first_ms: span.first_ms,
    last_ms: span.last_ms,
    rank: span.id,
    span,
    open: () => {
      const block = damaged === "throw" ? segments.open(span) : openUndamaged(segments, span);
      return block === null ? null : { block: shown(block), from: 0, to: block.count };
    },
  }));
  if (!withHot) return sealed;
  const hot = hotShown(db, { withVoided, damaged });
  const seen = { ...hot, block: shown(hot.block) };
  return [...sealed, ...hotSources(seen, hotWithin(hot, range), spans)].sort(
    (a, b) => a.first_ms - b.first_ms,
  );
}

function hotShown(
  db: Connection,
  { withVoided, damaged }: Omit<TimelineOptions, "withHot">,
): HotReadings {
  if (damaged === "skip") return withVoided ? wholeStoredReadings(db) : wholeHotReadings(db);
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
        span: null,
        open: () => run,
      },
    ];
  });
}
