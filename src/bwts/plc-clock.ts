// Compares the PLC's clock with the box's: offset of live readings, drift, and steps. Only readings
// that arrive at the pace of their own times count; an emptied buffer runs faster than the clock.
// Single readings are late or rounded, so the offset is a median, and a step counts once it has
// lasted.

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../ground/clock.ts";
import { AHEAD_MAX_MS } from "./reading.ts";

/** Times of a live reading: by the PLC's clock, and by the box's on receipt. */
export interface LiveTime {
  readonly sent_ms: number;
  readonly received_ms: number;
}

/** A step of the PLC's clock: at a receipt it would have shown `from_ms`, and showed `to_ms`. */
export interface PlcStep {
  readonly at_ms: number;
  readonly from_ms: number;
  readonly to_ms: number;
  /** True if it happened while ballastd didn't run, so that the box's clock may have been set. */
  readonly isSinceLastRun: boolean;
}

/** The PLC's clock minus the box's; positive if the PLC's is ahead. */
export interface PlcOffset {
  readonly offset_ms: number;
  /** Number of live readings in the median. */
  readonly readings: number;
  /** Receipt of the last of these readings. */
  readonly as_of_ms: number;
  /** Growth of the offset per day; null before an hour of readings. */
  readonly drift_ms_per_day: number | null;
}

export interface PlcClock {
  /** Notes a live reading's times; returns the step that it confirms, if any. */
  saw(live: LiveTime): PlcStep | null;
  /**
   * Notes that the box's own clock was set by `by_ms`: the offset changes, the PLC's clock doesn't.
   */
  boxStepped(by_ms: number): void;
  /** The PLC's offset; null until it is known. */
  offset(): PlcOffset | null;
  /** The initial offset for the next run; null until it is known. */
  settled_ms(): number | null;
}

/** Minimum time between two receipts that count: of a burst, only the first does. */
const APART_MS = 200;
const WINDOW_MAX = 64;
/**
 * Evidence for a change: minimum number of readings, their minimum span, and the maximum spread of
 * their offsets.
 */
const AGREEING_MIN = 3;
const AGREEING_SPAN_MS = 3000;
const AGREEING_WITHIN_MS = 2000;
/** Minimum size of a step: rounding to whole seconds and the network's delay stay well below it. */
const STEP_MIN_MS = 5000;
const MEDIAN_OF = 15;
const DRIFT_SPAN_MS = HOUR_MS;

const offsetOf = ({ sent_ms, received_ms }: LiveTime): number => sent_ms - received_ms;

/** Opens the comparison; `settled_ms` is the offset of the run before, null in the first run. */
export function openPlcClock(settled_ms: number | null): PlcClock {
  let settled = settled_ms;
  let isOfThisRun = false;
  let window: readonly LiveTime[] = [];
  let floor_ms = Number.NEGATIVE_INFINITY;
  let since: { readonly offset_ms: number; readonly received_ms: number } | null = null;

  const settle = (offset_ms: number, received_ms: number) => {
    settled = Math.round(offset_ms);
    isOfThisRun = true;
    since ??= { offset_ms: settled, received_ms };
  };

  return {
    saw(live) {
      if (offsetOf(live) <= AHEAD_MAX_MS) floor_ms = Math.max(floor_ms, offsetOf(live));
      const last = window.at(-1) ?? null;
      if (last !== null && live.sent_ms === last.sent_ms) return null;
      if (last !== null && live.received_ms - last.received_ms < APART_MS) return null;
      window = [...window.slice(1 - WINDOW_MAX), live];
      const agreeing = agreeingEnd(window);
      if (agreeing === null) return null;
      const offset_ms = median(agreeing.map(offsetOf));
      const [first] = agreeing;
      // The offset was at least `floor_ms` at an earlier message, however late that was.
      if (settled === null && floor_ms - offset_ms > AHEAD_MAX_MS) {
        settled = floor_ms;
        isOfThisRun = true;
      }
      if (settled === null || Math.abs(offset_ms - settled) < STEP_MIN_MS) {
        settle(median(nearTo(window, offset_ms).map(offsetOf)), live.received_ms);
        return null;
      }
      const from_ms = first.received_ms + settled;
      const step = {
        at_ms: first.received_ms,
        from_ms,
        to_ms: first.sent_ms,
        isSinceLastRun: !isOfThisRun,
      };
      window = agreeing;
      since = null;
      settle(offset_ms, live.received_ms);
      return step;
    },
    boxStepped(by_ms) {
      window = window.map((live) => ({ ...live, received_ms: live.received_ms + by_ms }));
      if (settled !== null) settled -= by_ms;
      floor_ms -= by_ms;
      since = null;
    },
    offset() {
      const last = window.at(-1);
      if (settled === null || !isOfThisRun || last === undefined) return null;
      const span_ms = since === null ? 0 : last.received_ms - since.received_ms;
      const drifted_ms = since === null ? 0 : settled - since.offset_ms;
      return {
        offset_ms: settled,
        readings: nearTo(window, settled).length,
        as_of_ms: last.received_ms,
        drift_ms_per_day: span_ms < DRIFT_SPAN_MS ? null : (drifted_ms * DAY_MS) / span_ms,
      };
    },
    settled_ms: () => settled,
  };
}

/**
 * The shortest end of the window that has enough readings over enough time; null if they don't
 * agree.
 */
function agreeingEnd(window: readonly LiveTime[]): readonly LiveTime[] | null {
  const last = window.at(-1);
  const start = window.findLastIndex(
    (live, index) =>
      window.length - index >= AGREEING_MIN &&
      last !== undefined &&
      last.received_ms - live.received_ms >= AGREEING_SPAN_MS,
  );
  if (start < 0) return null;
  const end = window.slice(start);
  const offsets = end.map(offsetOf);
  return Math.max(...offsets) - Math.min(...offsets) <= AGREEING_WITHIN_MS ? end : null;
}

function nearTo(window: readonly LiveTime[], offset_ms: number): readonly LiveTime[] {
  return window
    .filter((live) => Math.abs(offsetOf(live) - offset_ms) <= AGREEING_WITHIN_MS)
    .slice(-MEDIAN_OF);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The two clocks less the box's; the first is the nearer one. */
export type TwoClocks = readonly [near_ms: number, far_ms: number];

/** Readings of one clock. */
interface OneClock {
  readonly offset_ms: number;
  readonly first_ms: number;
  readonly last_ms: number;
  readonly readings: number;
}

/** Share by which the offset of a clock that drifts is followed at each reading. */
const FOLLOWED = 0.01;
/** Minimum difference of two clocks; correct clocks differ by less. */
const APART_MIN_MS = MINUTE_MS;
/** So many readings of both, over so long side by side: the offset of a buffer moves on. */
const READINGS_MIN = 5;
const BESIDE_MIN_MS = 10 * SECOND_MS;
/** A clock is gone after so many of its usual distances, and a minute at least. */
const GONE_AFTER = 5;
const GONE_MIN_MS = MINUTE_MS;
const SOURCES_MAX = 8;

/**
 * Notices that live readings alternate between two clocks: a second PLC, or a gateway in ship's
 * time. Each clock keeps its own offset; otherwise half of the readings would count as late data.
 */
export function openTwoClocks() {
  let sources: readonly OneClock[] = [];
  let now_ms = Number.NEGATIVE_INFINITY;
  const isThere = ({ first_ms, last_ms, readings }: OneClock) => {
    const usual_ms = (last_ms - first_ms) / Math.max(1, readings - 1);
    return now_ms - last_ms <= Math.max(GONE_MIN_MS, GONE_AFTER * usual_ms);
  };
  return {
    saw({ sent_ms, received_ms }: LiveTime) {
      const offset_ms = sent_ms - received_ms;
      now_ms = received_ms;
      const known = sources.find(
        (one) => Math.abs(one.offset_ms - offset_ms) <= AGREEING_WITHIN_MS,
      );
      const { first_ms = received_ms, readings = 0, offset_ms: mean_ms = offset_ms } = known ?? {};
      const own = {
        offset_ms: mean_ms + (offset_ms - mean_ms) * FOLLOWED,
        ...{ first_ms, last_ms: received_ms, readings: readings + 1 },
      };
      const others = sources.filter((one) => one !== known && isThere(one));
      sources = [own, ...others].slice(0, SOURCES_MAX);
    },
    boxStepped(by_ms: number) {
      now_ms += by_ms;
      sources = sources.map((one) => ({
        ...{ ...one, offset_ms: one.offset_ms - by_ms },
        ...{ first_ms: one.first_ms + by_ms, last_ms: one.last_ms + by_ms },
      }));
    },
    /** Null if they come by one clock. */
    now(): TwoClocks | null {
      const steady = sources.filter((one) => one.readings >= READINGS_MIN && isThere(one));
      for (const [index, one] of steady.entries())
        for (const other of steady.slice(index + 1)) {
          const beside_ms =
            Math.min(one.last_ms, other.last_ms) - Math.max(one.first_ms, other.first_ms);
          const apart_ms = Math.abs(one.offset_ms - other.offset_ms);
          if (beside_ms < BESIDE_MIN_MS || apart_ms <= APART_MIN_MS) continue;
          const [near, far] = [one.offset_ms, other.offset_ms].sort(
            (a, b) => Math.abs(a) - Math.abs(b),
          );
          return [near, far];
        }
      return null;
    },
  };
}
