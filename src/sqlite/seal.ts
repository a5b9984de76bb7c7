// Sealing: hot readings become an immutable segment, and their hours and days are brought up to
// date, in one transaction of the writer. A segment holds 2,048 readings (fewer where they are
// large), or what there is 24 hours after the oldest came. Readings that are older than what is
// sealed already make segments of their own, so that those in order stay free of overlaps; those
// that lie together are sealed together, for one over years is in the way of every question.

import { DAY_MS } from "../clock.ts";
import { codeOf, messageOf } from "../errors.ts";
import { isWholeReading, type ReadingRow, unsealedProblem } from "./block.ts";
import { damageOf } from "./damage.ts";
import { openHotCounts } from "./hot-counts.ts";
import { openStretches } from "./late-stretches.ts";
import { type Connection, prepare } from "./open.ts";
import type { ClosedRange } from "./query.ts";
import type { Flushed } from "./readings.ts";
import { portionOf, SEGMENT_READINGS } from "./seal-portion.ts";
import { ENCODERS, type Encoders, sealRows } from "./seal-rows.ts";
import { DamagedError } from "./segment/bytes.ts";
import { thinOne } from "./thinning.ts";

/** The newest stay hot: partial messages may still complete them. */
const RESERVE_READINGS = 64;
/** No reading stays hot longer than this after its receipt. */
const HOT_MAX_MS = DAY_MS;

/** What is damaged among the sums is tried again after this. */
const REST_MS = 60_000;

/** More than this waits after a burst, or when something is in the way. */
const HOT_MAX_READINGS = 8 * SEGMENT_READINGS;

/** Something is in the way when none of so many was sealed for this long: a segment takes 0.1 s. */
const STUCK_MS = 60_000;

/** Why sealing and thinning don't go on; null while they do. */
export interface SealingState {
  readonly sealing: string | null;
  readonly thinning: string | null;
}

export interface Sealer {
  /** Told of hot readings that a commit added, and of the bytes that it wrote. */
  added(flushed: Pick<Flushed, "hot" | "bytes">): void;
  /** Seals one segment if there is enough for it, or thins; true if there may be more to do. */
  sealFull(): boolean;
  /**
   * Seals one segment if the oldest hot reading has been so for 24 hours; true if there is more.
   */
  sealOld(now_ms: number): boolean;
  /** Told that thinned blocks were thrown away. */
  thinAgain(): void;
  state(): SealingState;
}

/**
 * `report` is told when readings couldn't be sealed as they should. When no encoder can, they stay
 * hot and nothing more is sealed before the next start: the readings are safe, only larger.
 */
export function openSealer(
  db: Connection,
  report: (problem: string) => void,
  encoders: Encoders = ENCODERS,
): Sealer {
  const hot = prepare<object, ReadingRow>(db, "reading.by_receipt");
  const stretches = openStretches(db);
  const counts = openHotCounts(db);
  const { late, fresh } = counts;
  const thinner = openThinner(db);
  const portions = openPortions(db, { sealed_ms: counts.sealed_ms, encoders, report });
  const waiting = () => {
    const { lateCount, freshCount } = counts.now();
    return lateCount + freshCount;
  };
  let isOld = false;
  /** When some were sealed last, or few enough waited, by the steady clock. */
  let moved_ms = performance.now();
  /** Gives how many it sealed. */
  const sealPart = (range: ClosedRange): number => {
    const count = portions.seal(range);
    if (count > 0) {
      moved_ms = performance.now();
      counts.sealed();
      stretches.sealed();
    }
    thinner.again();
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
      const { lateCount, freshCount } = counts.now();
      const isFull = freshCount >= SEGMENT_READINGS + RESERVE_READINGS;
      const start_ms = isFull ? null : stretches.from(late(), lateCount);
      if (isFull || (isOver && freshCount > 0)) return sealPart(fresh()) > 0;
      if (start_ms !== null) return sealPart({ ...late(), start_ms }) > 0;
      if (isOver) return sealPart(late()) > 0;
      return thinner.thin();
    },
    thinAgain: thinner.again,
    state() {
      const hot = waiting();
      const isStuck = hot > HOT_MAX_READINGS && performance.now() - moved_ms >= STUCK_MS;
      const stuck = isStuck ? `${hot} readings wait to be sealed` : null;
      return { sealing: portions.problem() ?? stuck, thinning: thinner.problem() };
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

/** Seals a portion of hot readings, and remembers why it can't. */
function openPortions(db: Connection, { sealed_ms, encoders, report }: PortionTools) {
  const part = prepare<object, ReadingRow>(db, "reading.part");
  const onDamaged = (row: ReadingRow) => damageOf(db).note(unsealedProblem(row));
  let hasStopped = false;
  let rests_until_ms = 0;
  let problem: string | null = null;
  return {
    /** Gives how many it sealed. */
    seal(range: ClosedRange): number {
      const rows = part.iterate({ ...range, limit: SEGMENT_READINGS });
      const portion = portionOf(rows, { isLate: range.start_ms <= sealed_ms(), onDamaged });
      try {
        if (portion.rows.length > 0) sealRows(db, portion, { encoders, report });
        problem = null;
        return portion.rows.length;
      } catch (error) {
        problem = messageOf(error);
        // The world's faults have codes, and pass.
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

/** Thins in steps until nothing is left to be thinned. */
function openThinner(db: Connection) {
  let isDone = false;
  let problem: string | null = null;
  return {
    /** Thins one block; true if there may be more to do. */
    thin(): boolean {
      if (isDone) return false;
      try {
        isDone = !thinOne(db);
        problem = null;
      } catch (error) {
        problem = messageOf(error);
        // A damaged segment stays as it is: what it says is asked of it, and fails there.
        if (!(error instanceof DamagedError)) throw error;
        isDone = true;
      }
      return !isDone;
    },
    again() {
      isDone = false;
    },
    problem: () => problem,
  };
}

/** Whether the one of `rows` that was received first is to be sealed; damaged ones never are. */
function isAnyOld(rows: Iterable<ReadingRow>, now_ms: number): boolean {
  // Years ahead it was received by a clock that was wrong: it would stay hot until then.
  for (const row of rows)
    if (isWholeReading(row)) return Math.abs(now_ms - row.received_ms) >= HOT_MAX_MS;
  return false;
}
