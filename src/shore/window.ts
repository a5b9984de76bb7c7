// The window: the number of bytes that may wait for their answers. It is twice bandwidth times
// round trip, both measured while sending, so that the line is never idle and an alert waits behind
// little. The bandwidth is the best rate of delivery among the last answers, as in BBR: while the
// line isn't full, the window doubles each round trip.

import { SECOND_MS } from "../ground/clock.ts";

const WINDOW_MAX_BYTES = 2 * 1024 * 1024;
/**
 * Minimum size of the window: a segment of 2,048 readings and some more. So one segment waits while
 * another is on the line, which takes 15 s for both at 64 kbit/s. An alert waits behind them.
 */
export const WINDOW_MIN_BYTES = 64 * 1024;
/** Number of the last rates that count. */
const RATES = 10;
/** Minimum size of a delivery that shows the bandwidth; smaller ones show the round trip. */
const RATED_MIN_BYTES = 16 * 1024;
/** Bandwidth assumed before the first measurement: the slowest usable line. */
const UNKNOWN_BYTES_S = 2000;

/**
 * Minimum silence after which the line counts as dead; or four times the expected time, if longer.
 */
const SILENCE_MIN_MS = 30 * SECOND_MS;

/**
 * A statement without an answer yet; `delivered` is the number of bytes answered when it was sent.
 */
export interface Flight {
  readonly bytes: number;
  readonly sent_ms: number;
  readonly delivered: number;
}

export type SendWindow = ReturnType<typeof openWindow>;

/** Opens the window; `now_ms` is a steady clock. */
export function openWindow(now_ms = () => performance.now(), silence_ms = SILENCE_MIN_MS) {
  const rates: number[] = [];
  let round_trip_ms: number | null = null;
  let [flying_bytes, delivered, heard_ms] = [0, 0, now_ms()];
  const bandwidth = () => (rates.length === 0 ? null : Math.max(...rates));
  const size = () => {
    // A small first window, so that its loss is noticed soon: at the slowest rate it takes 8 s.
    if (rates.length === 0) return RATED_MIN_BYTES;
    const wanted = (2 * (bandwidth() ?? 0) * (round_trip_ms ?? 0)) / SECOND_MS;
    return Math.min(WINDOW_MAX_BYTES, Math.max(WINDOW_MIN_BYTES, wanted));
  };
  return {
    hasRoom: () => flying_bytes < size(),
    flying_bytes: () => flying_bytes,
    bandwidth_bytes_s: bandwidth,
    round_trip_ms: () => round_trip_ms,
    size,
    sent(bytes: number): Flight {
      if (flying_bytes === 0) heard_ms = now_ms();
      flying_bytes += bytes;
      return { bytes, sent_ms: now_ms(), delivered };
    },
    acknowledged({ bytes, sent_ms, delivered: before }: Flight): void {
      heard_ms = now_ms();
      flying_bytes -= bytes;
      delivered += bytes;
      const [moved, took_ms] = [delivered - before, heard_ms - sent_ms];
      if (moved < RATED_MIN_BYTES) {
        round_trip_ms = Math.min(round_trip_ms ?? took_ms, took_ms);
        return;
      }
      rates.push((moved / Math.max(1, took_ms)) * SECOND_MS);
      if (rates.length > RATES) rates.shift();
    },
    /** True if the answers are long overdue. */
    isSilent(): boolean {
      if (flying_bytes === 0) return false;
      const line_ms = (flying_bytes / (bandwidth() ?? UNKNOWN_BYTES_S)) * SECOND_MS;
      const expected_ms = line_ms + (round_trip_ms ?? 0);
      return now_ms() - heard_ms > Math.max(silence_ms, 4 * expected_ms);
    },
  };
}
