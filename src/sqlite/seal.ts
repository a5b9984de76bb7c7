// Sealing: hot readings become an immutable segment, and their hours and days are brought up to
// date, in one transaction of the writer. A segment holds 2,048 readings (fewer where they are
// large), or what there is 24 hours after the oldest came. Readings that are older than what is
// sealed already make segments of their own, so that those in order stay free of overlaps; those
// that lie together are sealed together, for one over years is in the way of every question.

import type { Reading } from "../bwts/reading.ts";
import { DAY_MS } from "../clock.ts";
import { codeOf, messageOf } from "../errors.ts";
import type { ReadingRow } from "./block.ts";
import { damageOf } from "./damage.ts";
import { chainHead, hashOf, moveHead, segmentHash } from "./hash-chain.ts";
import { type Connection, prepare } from "./open.ts";
import type { ClosedRange } from "./query.ts";
import type { Flushed } from "./readings.ts";
import { type Portion, portionOf, SEGMENT_READINGS } from "./seal-portion.ts";
import { DamagedError } from "./segment/bytes.ts";
import { encodePlainSegment, encodeSegment, type SegmentBytes } from "./segment/segment.ts";
import { differenceFrom } from "./segment/segment-check.ts";
import { printedTime } from "./segment-proof.ts";
import { DENSE_MS, segmentsOf } from "./segments.ts";
import { addSealed } from "./sums.ts";
import { forgetThinned, thinOne } from "./thinning.ts";
import { write } from "./transaction.ts";
import { isVoided, voidedSpans } from "./voids.ts";

/** So many late ones are sealed however far apart they lie. */
const LATE_MAX = 2 * SEGMENT_READINGS;
/** Late readings that don't lie together are looked at again when so many more came. */
const LATE_STEP = 256;
/** The newest stay hot: partial messages may still complete them. */
const RESERVE_READINGS = 64;
/** No reading stays hot longer than this after its receipt. */
const HOT_MAX_MS = DAY_MS;

/** What is damaged among the sums is tried again after this. */
const REST_MS = 60_000;

/** So many bytes are sealed however few readings they are: whoever asks decodes all of them. */
const HOT_MAX_BYTES = 4 * 1024 * 1024;

/** More than this isn't sealed only when something is in the way. */
const HOT_MAX_READINGS = 8 * SEGMENT_READINGS;

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
  /** Seals one segment if the oldest hot reading has been so for 24 hours; true if there is more. */
  sealOld(now_ms: number): boolean;
  /** Told that thinned blocks were thrown away. */
  thinAgain(): void;
  state(): SealingState;
}

interface HotRow {
  readonly count: number;
  readonly oldest_received_ms: number | null;
}

/** How readings become bytes, each tried when the one before it failed. */
export type Encoders = readonly ((readings: readonly Reading[]) => SegmentBytes)[];

/**
 * `report` is told when readings couldn't be sealed as they should. When no encoder can, they stay
 * hot and nothing more is sealed before the next start: the readings are safe, only larger.
 */
export function openSealer(
  db: Connection,
  report: (problem: string) => void,
  encoders: Encoders = [encodeSegment, encodePlainSegment],
): Sealer {
  const segments = segmentsOf(db);
  const hot = prepare<object, HotRow>(db, "reading.hot");
  const part = prepare<object, ReadingRow>(db, "reading.part");
  const stretches = openStretches(db);
  const countPart = prepare<object, { count: number }>(db, "reading.count");
  const bytesOf = prepare<object, { bytes: number }>(db, "reading.bytes");
  const onDamaged = ({ at_ms }: ReadingRow) =>
    damageOf(db).note(`the unsealed reading of ${printedTime(at_ms)} is damaged`);
  const sealed_ms = () => segments.last_ms() ?? Number.NEGATIVE_INFINITY;
  const late = () => ({ start_ms: 0, end_ms: Math.max(0, sealed_ms()) });
  const fresh = () => ({ start_ms: Math.max(0, sealed_ms() + 1), end_ms: Number.MAX_SAFE_INTEGER });
  let lateCount = 0;
  let freshCount = 0;
  /** At the most: a reading that is merged counts again, until it is counted. */
  let hotBytes = 0;
  let isOld = false;
  let isThinned = false;
  let hasStopped = false;
  let rests_until_ms = 0;
  let sealing: string | null = null;
  let thinning: string | null = null;
  const recount = () => {
    segments.refresh();
    lateCount = sealed_ms() < 0 ? 0 : (countPart.get(late())?.count ?? 0);
    freshCount = countPart.get(fresh())?.count ?? 0;
    hotBytes = bytesOf.get({})?.bytes ?? 0;
    stretches.sealed();
  };
  const isHeavy = () => {
    if (hotBytes > HOT_MAX_BYTES) hotBytes = bytesOf.get({})?.bytes ?? 0;
    return hotBytes > HOT_MAX_BYTES;
  };
  recount();

  /** Gives how many it sealed. */
  const sealPart = (range: { start_ms: number; end_ms: number }): number => {
    const rows = part.iterate({ ...range, limit: SEGMENT_READINGS });
    const portion = portionOf(rows, { isLate: range.start_ms <= sealed_ms(), onDamaged });
    isThinned = false;
    try {
      if (portion.rows.length > 0) sealRows(db, portion, { encoders, report });
      sealing = null;
    } catch (error) {
      sealing = messageOf(error);
      // The world's faults have codes, and pass.
      if (codeOf(error) !== null) throw error;
      if (error instanceof DamagedError) {
        damageOf(db).note(sealing);
        rests_until_ms = performance.now() + REST_MS;
        return 0;
      }
      hasStopped = true;
      sealing = `sealing has stopped until the next start: ${sealing}`;
      report(sealing);
      return 0;
    }
    recount();
    return portion.rows.length;
  };

  const thin = (): boolean => {
    try {
      const hasMade = thinOne(db);
      thinning = null;
      return hasMade;
    } catch (error) {
      thinning = messageOf(error);
      // A damaged segment stays as it is: what it says is asked of it, and fails there.
      if (error instanceof DamagedError) return false;
      throw error;
    }
  };

  return {
    added({ hot: readings, bytes }) {
      const border_ms = sealed_ms();
      const older = readings.filter(({ at_ms }) => at_ms <= border_ms).length;
      lateCount += older;
      freshCount += readings.length - older;
      hotBytes += bytes;
    },
    sealFull() {
      if (hasStopped || performance.now() < rests_until_ms) return false;
      const isOver = isHeavy();
      const isFull = freshCount >= SEGMENT_READINGS + RESERVE_READINGS;
      const start_ms = isFull ? null : stretches.from(late(), lateCount);
      if (isFull || (isOver && freshCount > 0)) return sealPart(fresh()) > 0;
      if (start_ms !== null) return sealPart({ ...late(), start_ms }) > 0;
      if (isOver) return sealPart(late()) > 0;
      if (!isThinned) isThinned = !thin();
      return !isThinned;
    },
    thinAgain() {
      isThinned = false;
    },
    state() {
      const hot = lateCount + freshCount;
      const waiting = hot > HOT_MAX_READINGS ? `${hot} readings wait to be sealed` : null;
      return { sealing: sealing ?? waiting, thinning };
    },
    sealOld(now_ms) {
      const { oldest_received_ms } = hot.get({}) ?? { oldest_received_ms: null };
      // Years ahead it was received by a clock that was wrong: it would stay hot until then.
      isOld ||= oldest_received_ms !== null && Math.abs(now_ms - oldest_received_ms) >= HOT_MAX_MS;
      if (!isOld || hasStopped) return false;
      const sealed = (lateCount > 0 && sealPart(late())) || sealPart(fresh());
      isOld = sealed > 0 && lateCount + freshCount > 0;
      return isOld;
    },
  };
}

/** Where late readings lie together. */
interface Stretches {
  /** From where on `count` late readings are to be sealed; null while too few lie together. */
  from(range: ClosedRange, count: number): number | null;
  /** Told that readings aren't hot any more. */
  sealed(): void;
}

function openStretches(db: Connection): Stretches {
  const timesIn = prepare<ClosedRange, Pick<ReadingRow, "at_ms">>(db, "reading.times");
  let scattered = 0;
  return {
    from(range, count) {
      if (count < Math.max(SEGMENT_READINGS, scattered + LATE_STEP)) return null;
      const times = timesIn.all(range).map(timeOf);
      const dense_ms = times.find(
        (first_ms, at) => times[at + SEGMENT_READINGS - 1] - first_ms <= DENSE_MS,
      );
      if (dense_ms !== undefined || count >= LATE_MAX) return dense_ms ?? times[0];
      scattered = count;
      return null;
    },
    sealed() {
      scattered = 0;
    },
  };
}

const timeOf = ({ at_ms }: Pick<ReadingRow, "at_ms">): number => at_ms;

/** Seals hot rows, which must be all of those between the first and the last of them. */
function sealRows(
  db: Connection,
  { rows, readings }: Portion,
  { encoders, report }: { encoders: Encoders; report: (problem: string) => void },
): void {
  const voided = voidedSpans(db);
  const visible = readings.filter(({ at_ms }) => !isVoided(voided, at_ms));
  const distinct = new Set(rows.filter(({ supersedes }) => supersedes === 0).map(timeOf));
  const { header, payload } = encoded(readings, encoders, report);
  const range = { start_ms: rows[0].at_ms, end_ms: rows[rows.length - 1].at_ms };
  write(db, () => {
    insertSegment(db, { ...range, header, payload, readings });
    prepare(db, "reading.remove").run(range);
    forgetThinned(db, rows.map(timeOf));
    addSealed(db, visible, distinct);
  });
}

// What the first encoder makes that holds the readings. Throws when none does.
function encoded(
  readings: readonly Reading[],
  encoders: Encoders,
  report: (problem: string) => void,
): SegmentBytes {
  for (const encode of encoders) {
    try {
      const bytes = encode(readings);
      const difference = differenceFrom(bytes, readings);
      if (difference === null) return bytes;
      report(`a segment doesn't hold what was sealed: ${difference}`);
    } catch (error) {
      report(`a segment can't be made: ${messageOf(error)}`);
    }
  }
  throw new Error(`${readings.length} readings from ${readings[0].at_ms} on can't be sealed`);
}

function insertSegment(
  db: Connection,
  segment: {
    readonly start_ms: number;
    readonly end_ms: number;
    readonly header: Uint8Array;
    readonly payload: Uint8Array;
    readonly readings: readonly Reading[];
  },
): void {
  const { header, payload, readings } = segment;
  const head = chainHead(db, "segment");
  const payload_hash = hashOf(payload);
  const hash = segmentHash({ header, payload_hash, previous: head.hash });
  const id = head.count + 1;
  prepare(db, "segment.add").run({
    id,
    first_ms: segment.start_ms,
    last_ms: segment.end_ms,
    count: readings.length,
    newest_received_ms: readings.reduce((max, { received_ms }) => Math.max(max, received_ms), 0),
    header,
    payload,
    payload_hash,
    hash,
  });
  moveHead(db, "segment", { count: id, hash });
}
