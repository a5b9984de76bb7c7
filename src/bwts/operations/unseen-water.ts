// Water that the totalisers show and no reading does: it moved while none was sent, or while a
// plant at rest sent no flow. The last value of each totaliser before such a blind time is compared
// with several after it, less the volume that the flow explains: a PLC that starts again may first
// send 0, an old value, or none. Equal values show that no water moved, however long the time was.
// Pure.

import { isAbove, isUpTo } from "../../ground/binary-noise.ts";
import { HOUR_MS, MINUTE_MS } from "../../ground/clock.ts";
import type { Value } from "../reading.ts";
import { certifiedVolume, MOVING_MS, movingVolume, trembleOf } from "./moving-volume.ts";
import type { MovingLimit } from "./rising.ts";
import { RISE_FACTOR } from "./rules.ts";
import { stepsAbove } from "./totaliser-step.ts";

/** Water that moved between two readings; it isn't known how it was treated. */
export interface UnseenWater {
  /** Last reading before it with the totaliser. */
  readonly from_ms: number;
  /** First reading after the blind time. */
  readonly to_ms: number;
  /** The operation type whose totaliser rose; null where it was set back or replaced. */
  readonly risen: OperationType | null;
}

/**
 * A time between two readings in which no water of the type moved, except what the flow explains.
 */
export interface WaterStill {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly type: OperationType;
}

/** The type that each totaliser counts, in the order of TOTALISER_FIELDS. */
export const COUNTED_TYPES = ["BALLAST", "DEBALLAST"] as const;
type OperationType = (typeof COUNTED_TYPES)[number];

/** The facts of a reading about water. */
export interface WaterReading {
  readonly at_ms: number;
  /** Time since the reading before; 0 for the first. */
  readonly passed_ms: number;
  /** True if that was a silence, or if the reading before has no facts about water. */
  readonly isBlind: boolean;
  /** True if it was a silence. */
  readonly isUnread: boolean;
  /** True if the plant rested before it. */
  readonly wasAtRest: boolean;
  /** False if the plant runs now. */
  readonly mayRest: boolean;
  /** The flow in m3/h since the reading before, where water was treated or bypassed; else 0. */
  readonly seen_m3_h: number;
}

/** The totalisers, in the order of TOTALISER_FIELDS, and the index of the reading in them. */
export type TotalsAt = readonly [totalisers: readonly ((index: number) => Value)[], index: number];

/** Number of values after a blind time that are compared with the one before it. */
const SETTLING = 10;
/** Time of a value after the blind time from which the result is certain. */
const SEEN_MS = 10 * MINUTE_MS;
/** Time within which totalisers settle; the value before may be as old. */
export const SETTLED_MS = 6 * HOUR_MS;
/**
 * Maximum blind time whose water belongs to an operation beside it; after a rest it is SETTLED_MS.
 */
const BLIND_MAX_MS = 24 * HOUR_MS;
/** Time of flow between two readings of the usual cadence, at the edge of an operation. */
const EDGE_MS = MINUTE_MS;
/** Share by which flow and totaliser may differ. */
const METERS_DIFFER = 0.1;

interface TotalValue {
  value: number;
  at_ms: number;
  /** Sums up to that value. */
  seen_m3: number;
  blind_ms: number;
  silences: number;
}

/** A totaliser since the last blind time, until it is settled. */
interface SettlingTotal {
  readonly before: TotalValue;
  readonly to_ms: number;
  /** First reading after the first of several blind times. */
  readonly since_ms: number;
  left: number;
  /** True if the last value shows no moved water; `isSeen` if it came late enough to be certain. */
  isStill: boolean;
  isSeen: boolean;
  /** True if the time was too long for a rise to belong to an operation beside it. */
  readonly isLong: boolean;
  /** True if readings of a plant at rest are in it, and no silence: only the flow is unknown. */
  readonly isRead: boolean;
  /** True if its steps are too small for it to stand still while water moves. */
  isFine(): boolean;
}

/** The sums from the first reading on. */
interface SeenSums {
  seen_m3: number;
  blind_ms: number;
  silences: number;
  /** First reading after the last blind time. */
  seeing_ms: number;
}

/** Follows the totalisers from reading to reading, and lists the unseen water. */
export function unseenWater(limits: MovingLimit) {
  const found: UnseenWater[] = [];
  const still: StoodStill[] = [];
  const sums: SeenSums = { seen_m3: 0, blind_ms: 0, silences: 0, seeing_ms: 0 };
  const totals = COUNTED_TYPES.map((type) => openTotal({ limits, type, sums, found, still }));
  const water = {
    take(reading: WaterReading, ...[totalisers, index]: TotalsAt) {
      const { at_ms, passed_ms } = reading;
      if (reading.isBlind) {
        sums.blind_ms += passed_ms;
        if (reading.isUnread) sums.silences += 1;
        sums.seeing_ms = at_ms;
      } else sums.seen_m3 += certifiedVolume(reading.seen_m3_h, passed_ms);
      const longest_ms = reading.wasAtRest ? SETTLED_MS : BLIND_MAX_MS;
      for (let place = 0; place < totals.length; place += 1)
        totals[place].take(reading, totalisers[place](index), longest_ms);
    },
    /** False while the time before is unknown, or while a later value may show water before it. */
    isSure: () =>
      totals.some((one) => one.now().last !== null) &&
      totals.every((one) => one.now().settling === null),
    /** Earliest time in which values from a time on may show water; Infinity for none. */
    openFrom: (at_ms: number) => Math.min(...totals.map((one) => openFrom(one.now(), at_ms))),
    /** True if a value after a time may show water before it. */
    isOpen: (at_ms: number) => totals.some((one) => isOpen(one.now().settling, at_ms)),
    /** The findings, once all readings are taken. */
    found: () => ({
      unseen: found,
      still: [...still, ...totals.flatMap((one) => one.still())].filter((one) => one.isFine()),
    }),
  };
  return water;
}

interface StoodStill extends WaterStill {
  isFine(): boolean;
}

interface TotalContext {
  readonly limits: MovingLimit;
  readonly type: OperationType;
  readonly sums: SeenSums;
  readonly found: UnseenWater[];
  readonly still: StoodStill[];
}

/**
 * Follows one totaliser; its last value is one reused object, since there may be years of readings.
 */
function openTotal(around: TotalContext) {
  const { limits, type, sums, found, still } = around;
  const steps = stepsAbove(edgeVolume(limits));
  let [last, settling]: [TotalValue | null, SettlingTotal | null] = [null, null];
  const blindSince = ({ blind_ms }: TotalValue) => sums.blind_ms - blind_ms;
  return {
    now: () => ({ last, settling }),
    /** The time that isn't settled yet, if its values have shown no water for long enough. */
    still: () => (settling?.isSeen === true ? [stillOf(settling)] : []),
    take(reading: WaterReading, value: Value, longest_ms: number): void {
      const { at_ms, mayRest } = reading;
      if (last !== null && isTooOld(last, reading, blindSince(last))) {
        still.push(...this.still());
        [last, settling] = [null, null];
      }
      if (last !== null && settling?.isRead === true && !mayRest && typeof value === "number")
        settling = settledByRunning(settling, { last, at_ms, value }, around);
      if (typeof value !== "number") return;
      steps.take(at_ms, value);
      if (last !== null && blindSince(last) > 0) {
        const isLong = blindSince(last) > longest_ms;
        const isOneTime = settling !== null && !settling.isLong && !isLong;
        const isRead = last.silences === sums.silences;
        // A value that comes days later would decide what nobody looks at again.
        const isSoon = settling?.isStill === true && blindSince(last) <= SETTLED_MS;
        if (settling !== null && !isOneTime && (settling.isSeen || isSoon))
          still.push(stillOf(settling));
        const before = settling !== null && isOneTime ? settling.before : { ...last };
        const to_ms = sums.seeing_ms;
        settling = {
          ...{ before, to_ms, left: SETTLING, isLong },
          since_ms: isOneTime ? (settling?.since_ms ?? to_ms) : to_ms,
          isFine: steps.near(before.at_ms, to_ms),
          isRead: isRead && mayRest && (!isOneTime || settling?.isRead !== false),
          ...{ isStill: false, isSeen: false },
        };
      }
      const { seen_m3, blind_ms, silences } = sums;
      if (last === null) last = { value, at_ms, seen_m3, blind_ms, silences };
      else {
        last.value = value;
        last.at_ms = at_ms;
        last.seen_m3 = seen_m3;
        last.blind_ms = blind_ms;
        last.silences = silences;
      }
      if (settling !== null && isSettled(settling, last)) settling = null;
    },
  };

  function stillOf({ before, to_ms, isFine }: SettlingTotal): StoodStill {
    return { from_ms: before.at_ms, to_ms, type, isFine };
  }

  function isSettled(one: SettlingTotal, now: TotalValue): boolean {
    const { before, to_ms, isLong } = one;
    const isUnseen = movedUnseen(before, now, limits);
    one.left -= 1;
    one.isStill = isUnseen === false;
    one.isSeen = one.isStill && now.at_ms - to_ms >= SEEN_MS;
    const isOver = one.left === 0 || now.at_ms - to_ms > SETTLED_MS;
    // Neither as before nor higher by what a plant can give: it was set back, or is another one.
    const isOther = isUnseen === null && isOver;
    if (isOver && one.isStill) still.push(stillOf(one));
    if (!isLong && (isOther || isUnseen === true))
      found.push({ from_ms: before.at_ms, to_ms, risen: isOther ? null : type });
    return isOver || isUnseen === true;
  }
}

/** False once values settle for hours: those of a rest without flow do so until its end. */
const isOpen = (one: SettlingTotal | null, at_ms: number): one is SettlingTotal =>
  one !== null && at_ms - one.since_ms <= SETTLED_MS;

function openFrom(
  { last, settling }: { readonly last: TotalValue | null; readonly settling: SettlingTotal | null },
  at_ms: number,
): number {
  const from = isOpen(settling, at_ms) ? settling.before : last;
  return from?.at_ms ?? Number.POSITIVE_INFINITY;
}

/**
 * True for a value from before too long a time with readings, or before two silences, the second of
 * a day: a search may begin between them.
 */
function isTooOld(last: TotalValue, { at_ms, isBlind, passed_ms }: WaterReading, blind_ms: number) {
  const isBetween = isBlind && passed_ms > BLIND_MAX_MS && blind_ms > passed_ms;
  return isBetween || at_ms - last.at_ms - blind_ms > SETTLED_MS;
}

/**
 * Null once the first value of a running plant has settled a time at rest with readings: these show
 * the water themselves, and up to that value, which must come soon, the plant may have run at full
 * flow.
 */
function settledByRunning(
  one: SettlingTotal,
  by: { readonly last: TotalValue; readonly at_ms: number; readonly value: number },
  { limits, type, found, still }: TotalContext,
): SettlingTotal | null {
  const { last, at_ms, value } = by;
  const passed_ms = at_ms - last.at_ms;
  if (passed_ms > MOVING_MS) return one;
  const most_m3 = certifiedVolume(limits.flow_max_imo, passed_ms) + edgeVolume(limits);
  if (isAbove(value - last.value, most_m3))
    found.push({ from_ms: last.at_ms, to_ms: at_ms, risen: type });
  else if (one.isStill)
    still.push({ from_ms: one.before.at_ms, to_ms: one.to_ms, type, isFine: one.isFine });
  return null;
}

const edgeVolume = ({ flow_max_imo }: MovingLimit) => certifiedVolume(flow_max_imo, EDGE_MS);

/** True if more water moved than readings may have shown; null if the totaliser can't show it. */
function movedUnseen(
  before: TotalValue,
  now: TotalValue,
  { flow_max_imo }: MovingLimit,
): boolean | null {
  const rise_m3 = now.value - before.value;
  const seen_m3 = (now.seen_m3 - before.seen_m3) * (1 + METERS_DIFFER);
  const time_ms = now.blind_ms - before.blind_ms;
  if (!isUpTo(-trembleOf(flow_max_imo), rise_m3)) return null;
  const possible_m3 = RISE_FACTOR * certifiedVolume(flow_max_imo, time_ms);
  if (isAbove(rise_m3, possible_m3 + seen_m3)) return null;
  const least_m3 = Math.max(
    movingVolume(flow_max_imo, Math.min(time_ms, HOUR_MS)),
    edgeVolume({ flow_max_imo }),
  );
  return isAbove(rise_m3 - seen_m3, least_m3);
}
