// The sealed segments of a connection: a list of their times, kept in memory and extended after
// each sealing, and the segments opened last. Both are proven when they are read; a damaged segment
// is never used for an answer.

import { LRUCache } from "lru-cache";
import { firstIndex } from "../../bwts/ranks.ts";
import { DAY_MS } from "../../ground/clock.ts";
import { messageOf } from "../../ground/errors.ts";
import { damageOf, isDamage } from "../file/damage.ts";
import { type Connection, mirrored, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import type { Block } from "./block.ts";
import { segmentBlock } from "./segment-block.ts";
import { type Links, openList, placeFault } from "./segment-list.ts";
import {
  columnsProblem,
  DamagedSegment,
  provenBytes,
  type SegmentSpan,
  segmentName,
} from "./segment-proof.ts";
import { spansInForce } from "./spans.ts";
import { openThinPart } from "./thin-part.ts";

/** Maximum number of opened segments kept: some 2 MB each once all columns were used. */
const OPEN_MAX = 6;
/**
 * Maximum length of a segment without gaps. A longer one has late readings, or those of a clock
 * that jumped, and gaps; so its times are checked before it is opened.
 */
export const DENSE_MS = 31 * DAY_MS;
/** Time after which a damaged segment is read again: its disk may have recovered. */
const AGAIN_MS = 10_000;
/** Maximum number of segments whose times are kept in memory, 16 kB each. */
const TIMES_MAX = 256;

export interface Segments {
  /** Updates the list; must be called first in a transaction that reads segments. */
  refresh(): void;
  /**
   * The segments that overlap a range, in order of their first readings, without those known to
   * have no reading in it. Valid as of the last `refresh`.
   */
  within(range: { readonly start_ms: number; readonly end_ms: number }): readonly SegmentSpan[];
  /** Times of the oldest and the newest reading; null without one. */
  first_ms(): number | null;
  last_ms(): number | null;
  /** A segment's readings; null if they have expired. Throws a DamagedSegment. */
  open(span: SegmentSpan): Block | null;
  /** Every `pitch`-th reading, by its thinned part; null without one, or if it is damaged. */
  thinned(span: SegmentSpan, pitch: number): Block | null;
  /** True if its times and number of readings are known without opening it. */
  isPlaced(span: SegmentSpan): boolean;
  /** The reason why its bytes or its place aren't as written; null if they are. Doesn't decode. */
  prove(span: SegmentSpan): string | null;
  /** The first `limit` segments sealed after number `id`. */
  after(id: number, limit: number): readonly SegmentSpan[];
  /** The segments that were damaged at their last reading. */
  damaged(): readonly SegmentSpan[];
}

interface SegmentMemory {
  readonly links: Links;
  /** The segments in order of their first readings. */
  readonly spans: SegmentSpan[];
  /** For each segment the time of the newest reading in it and those before; ascending. */
  reach_ms: number[];
  newest_ms: number | null;
  readonly opened: LRUCache<number, Block>;
  /** Times of the readings of long segments with gaps, by segment number. */
  readonly times: Map<number, Float64Array>;
}

const byConnection = new WeakMap<Connection, Segments>();

/** The segments of a connection, which has one list and one cache. */
export function segmentsOf(db: Connection): Segments {
  const known = byConnection.get(db) ?? newSegments(db);
  byConnection.set(db, known);
  return known;
}

function newSegments(db: Connection): Segments {
  const memory = mirrored(db, () => {
    const opened = new LRUCache<number, Block>({ max: OPEN_MAX });
    const links = openList(db);
    const known: SegmentMemory = {
      links,
      spans: [],
      reach_ms: [],
      newest_ms: null,
      opened,
      times: new Map(),
    };
    extend(known);
    return known;
  });
  const { open, prove, damaged } = openBlocks(db, memory);
  const thin = prepare(db, "segment.thin");
  /**
   * False if the segment is known to have no reading in the range. True if it is damaged, or
   * TIMES_MAX others already have their times in memory.
   */
  const mayHave = (span: SegmentSpan, range: ClosedRange): boolean => {
    const known = memory().times;
    let times = known.get(span.id);
    if (times === undefined) {
      if (known.size >= TIMES_MAX) return true;
      try {
        times = timesIn(open(span));
      } catch (error) {
        if (error instanceof DamagedSegment) return true;
        throw error;
      }
      known.set(span.id, times);
    }
    const first = firstIndex(times.length, (index) => times[index] >= range.start_ms);
    return first < times.length && times[first] <= range.end_ms;
  };

  return {
    refresh() {
      extend(memory());
    },
    within({ start_ms, end_ms }) {
      const { spans, reach_ms } = memory();
      const from = firstIndex(spans.length, (index) => reach_ms[index] >= start_ms);
      const to = firstIndex(spans.length, (index) => spans[index].first_ms > end_ms);
      const isShort = end_ms - start_ms < DENSE_MS;
      return spans
        .slice(from, to)
        .filter((span) => span.last_ms >= start_ms)
        .filter((span) => !isShort || isDense(span) || mayHave(span, { start_ms, end_ms }));
    },
    first_ms: () => memory().spans.at(0)?.first_ms ?? null,
    last_ms: () => memory().newest_ms,
    open,
    thinned({ id }, pitch) {
      const row = thin.get({ id });
      return row === undefined ? null : openThinPart(row, pitch);
    },
    isPlaced: ({ id, count }) => count > 0 && memory().links.isPlaced(id),
    prove: (span) => prove(span) ?? memory().links.problemOf(span.id) ?? placeProblem(db, span),
    after: (id, limit) =>
      memory()
        .spans.filter((span) => span.id > id)
        .sort((one, other) => one.id - other.id)
        .slice(0, limit),
    damaged,
  };
}

/** Opens and proves segments, and remembers the damaged ones for a while. */
function openBlocks(
  db: Connection,
  memory: () => SegmentMemory,
): Pick<Segments, "open" | "prove" | "damaged"> {
  const bytes = prepare(db, "segment.bytes");
  const damaged = new Map<number, { readonly error: DamagedSegment; readonly since_ms: number }>();

  const open = (span: SegmentSpan): Block | null => {
    const { id } = span;
    const { opened } = memory();
    const known = opened.get(id);
    if (known !== undefined) return known;
    const block = read(span);
    if (block !== null) opened.set(id, block);
    return block;
  };
  const read = (span: SegmentSpan): Block | null => {
    const { id } = span;
    const before = damaged.get(id);
    if (before !== undefined && performance.now() - before.since_ms < AGAIN_MS) throw before.error;
    return undamaged(span, () => {
      const { header, payload } = provenBytes(id, bytes.get({ id }));
      return payload === null ? null : segmentBlock(header, payload, () => spansInForce(db));
    });
  };
  const undamaged = <Result>(span: SegmentSpan, look: () => Result): Result => {
    const { id } = span;
    try {
      const found = look();
      damaged.delete(id);
      return found;
    } catch (error) {
      if (!isDamage(error)) throw error;
      const found = new DamagedSegment(span, messageOf(error));
      // If the row itself is damaged, the list has reported it already.
      if (memory().links.problemOf(id) === null) damageOf(db).note(found.message);
      damaged.set(id, { error: found, since_ms: performance.now() });
      throw found;
    }
  };
  return {
    open,
    prove(span) {
      const { id } = span;
      try {
        return undamaged(span, () => {
          const row = bytes.get({ id });
          provenBytes(id, row);
          const problem = row === undefined ? null : columnsProblem(id, row);
          return problem === null ? null : `${segmentName(span)}: ${problem}`;
        });
      } catch (error) {
        if (!(error instanceof DamagedSegment)) throw error;
        return error.message;
      }
    },
    damaged: () => [...damaged.values()].map(({ error }) => error.span),
  };
}

/** Adds the segments sealed since the last call to the list. */
function extend(known: SegmentMemory): void {
  const added = known.links.added();
  if (added.length === 0) return;
  for (const { last_ms } of added) known.newest_ms = Math.max(known.newest_ms ?? last_ms, last_ms);
  const { spans, reach_ms } = known;
  const after_ms = spans.at(-1)?.first_ms ?? Number.NEGATIVE_INFINITY;
  if (added.some(({ first_ms }) => first_ms < after_ms)) {
    spans.push(...added);
    spans.sort(byTime);
    known.reach_ms = reachOf(spans, []);
  } else {
    for (const span of [...added].sort(byTime)) spans.push(span);
    reachOf(spans, reach_ms);
  }
}

function placeProblem(db: Connection, span: SegmentSpan): string | null {
  const fault = placeFault(db, span, null);
  return fault === null ? null : `${segmentName(span)}: ${fault}`;
}

function timesIn(block: Block | null): Float64Array {
  if (block === null) return new Float64Array();
  return Float64Array.from({ length: block.count }, (_, index) => block.at_ms(index));
}

function isDense({ first_ms, last_ms }: SegmentSpan): boolean {
  return last_ms - first_ms <= DENSE_MS;
}

function byTime(one: SegmentSpan, other: SegmentSpan): number {
  return one.first_ms - other.first_ms || one.id - other.id;
}

/** Extends `reach_ms`, which covers the first spans, to all spans. */
function reachOf(spans: readonly SegmentSpan[], reach_ms: number[]): number[] {
  for (const { last_ms } of spans.slice(reach_ms.length))
    reach_ms.push(Math.max(reach_ms.at(-1) ?? last_ms, last_ms));
  return reach_ms;
}
