// Sealing: hot readings become an immutable segment, and their hours and days are updated, in one
// transaction of the writer. A segment has 2,048 readings (fewer if they are large), or all there
// are 24 hours after the oldest came. Readings older than the newest sealed one get segments of
// their own, so that the others stay free of overlaps. Late readings close in time are sealed
// together, because a segment over years slows every query.

import { DamagedError } from "../../codec/bytes.ts";
import { DAY_MS } from "../../ground/clock.ts";
import { codeOf, messageOf } from "../../ground/errors.ts";
import { damageOf } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { isWholeReading, type ReadingRow, unsealedProblem } from "./block.ts";
import { openHotCounts } from "./hot-counts.ts";
import type { FlushResult } from "./readings.ts";
import { portionOf, SEGMENT_READINGS } from "./seal-portion.ts";
import { ENCODERS, type Encoders, sealRows } from "./seal-rows.ts";

/** Number of newest readings that stay hot: partial messages may still complete them. */
const RESERVE_READINGS = 64;
/** Maximum time for which a reading stays hot after its receipt. */
const HOT_MAX_MS = DAY_MS;

/** Time before damaged sums are tried again. */
const REST_MS = 60_000;

/** Maximum number of hot readings; more wait only after a burst, or if sealing is stuck. */
const HOT_MAX_READINGS = 8 * SEGMENT_READINGS;

/**
 * Time without a sealing after which sealing is stuck, if too many readings wait; a segment takes
 * 0.1 s.
 */
const STUCK_MS = 60_000;

export interface Sealer {
  /** Notes the hot readings that a commit added, and the bytes that it wrote. */
  added(flushed: Pick<FlushResult, "hot" | "bytes">): void;
  /** Seals one segment if there are enough readings; true if there may be more to do. */
  sealFull(): boolean;
  /** Seals one segment if the oldest hot reading is 24 hours old; true if there is more. */
  sealOld(now_ms: number): boolean;
  /** The reason why sealing is stuck; null while it isn't. */
  problem(): string | null;
}

/**
 * Opens the sealer. Readings that no encoder can seal stay hot, and sealing stops until the next
 * start: the data is safe, only larger. `report` gets such problems.
 */
export function openSealer(
  db: Connection,
  report: (problem: string) => void,
  encoders: Encoders = ENCODERS,
): Sealer {
  const hot = prepare(db, "reading.by_receipt");
  const counts = openHotCounts(db);
  const { late, fresh } = counts;
  const portions = openPortions(db, { sealed_ms: counts.sealed_ms, encoders, report });
  const waiting = () => {
    const { lateCount, freshCount } = counts.now();
    return lateCount + freshCount;
  };
  let isOld = false;
  /** Time, by the steady clock, when readings were last sealed, or few enough waited. */
  let moved_ms = performance.now();
  /** Returns the number of sealed readings. */
  const sealPart = (range: ClosedRange): number => {
    const count = portions.seal(range);
    if (count > 0) {
      moved_ms = performance.now();
      counts.sealed();
    }
    return count;
  };
  return {
    added(flushed) {
      if (waiting() <= HOT_MAX_READINGS) moved_ms = performance.now();
      counts.added(flushed);
    },
    sealFull() {
      if (portions.hasStopped() || portions.isResting()) return false;
      const isOver = counts.isHeavy();
      const { freshCount } = counts.now();
      const isFull = freshCount >= SEGMENT_READINGS + RESERVE_READINGS;
      const start_ms = isFull ? null : counts.lateFrom();
      if (isFull || (isOver && freshCount > 0)) return sealPart(fresh()) > 0;
      if (start_ms !== null) return sealPart({ ...late(), start_ms }) > 0;
      return isOver && sealPart(late()) > 0;
    },
    problem() {
      const hot = waiting();
      const isStuck = hot > HOT_MAX_READINGS && performance.now() - moved_ms >= STUCK_MS;
      const stuck = isStuck ? `${hot} readings wait to be sealed` : null;
      return portions.problem() ?? stuck;
    },
    sealOld(now_ms) {
      isOld ||= isAnyOld(hot.iterate({}), now_ms);
      if (!isOld || portions.hasStopped()) return false;
      const sealed = (counts.now().lateCount > 0 && sealPart(late())) || sealPart(fresh());
      isOld = sealed > 0 && waiting() > 0;
      return isOld;
    },
  };
}

interface PortionTools {
  readonly sealed_ms: () => number;
  readonly encoders: Encoders;
  readonly report: (problem: string) => void;
}

/** Seals a portion of hot readings, and notes why if it can't. */
function openPortions(db: Connection, { sealed_ms, encoders, report }: PortionTools) {
  const part = prepare(db, "reading.part");
  const onDamaged = (row: ReadingRow) => damageOf(db).note(unsealedProblem(row));
  let hasStopped = false;
  let rests_until_ms = 0;
  let problem: string | null = null;
  return {
    /** Returns the number of sealed readings. */
    seal(range: ClosedRange): number {
      const rows = part.iterate({ ...range, limit: SEGMENT_READINGS });
      const portion = portionOf(rows, { isLate: range.start_ms <= sealed_ms(), onDamaged });
      try {
        if (portion.rows.length > 0) sealRows(db, portion, { encoders, report });
        problem = null;
        return portion.rows.length;
      } catch (error) {
        problem = messageOf(error);
        // Errors with a code are faults of the system, and pass.
        if (codeOf(error) !== null) throw error;
        if (error instanceof DamagedError) {
          damageOf(db).note(problem);
          rests_until_ms = performance.now() + REST_MS;
          return 0;
        }
        hasStopped = true;
        problem = `sealing has stopped until the next start: ${problem}`;
        report(problem);
        return 0;
      }
    },
    hasStopped: () => hasStopped,
    isResting: () => performance.now() < rests_until_ms,
    problem: () => problem,
  };
}

/** True if the row received first has waited long enough; damaged rows don't count. */
function isAnyOld(rows: Iterable<ReadingRow>, now_ms: number): boolean {
  // In either direction: a wrong clock may have dated the receipt years ahead.
  for (const row of rows)
    if (isWholeReading(row)) return Math.abs(now_ms - row.received_ms) >= HOT_MAX_MS;
  return false;
}
