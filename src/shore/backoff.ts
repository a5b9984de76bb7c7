// The wait before the next attempt to connect: from 5 s up to 10 min, doubled each time, at random
// below that (full jitter), because a shore that comes back meets all its ships at once.

import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../ground/clock.ts";

export interface Pace {
  readonly first_ms: number;
  readonly max_ms: number;
  /** After the shore refused the ship's key. */
  readonly refused_ms: number;
  /** A handshake over a satellite takes 3 s; on a line that is full, much longer. */
  readonly connect_max_ms: number;
}

export const PACE: Pace = {
  first_ms: 5 * SECOND_MS,
  max_ms: 10 * MINUTE_MS,
  refused_ms: HOUR_MS,
  connect_max_ms: 90 * SECOND_MS,
};

/** The wait after `failures` attempts that failed; `random` is in [0, 1). */
export function backoff_ms({ first_ms, max_ms }: Pace, failures: number, random: number): number {
  return random * Math.min(max_ms, first_ms * 2 ** Math.min(failures, 30));
}
