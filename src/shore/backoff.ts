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

/** The result of an attempt: if the server said hello, and if it refused the ship's key. */
interface Attempted {
  readonly isAnswered: boolean;
  readonly isRefused: boolean;
}

/** Servers in turn: all of them at once, then a wait. One that answered is tried again first. */
export function openTurns(urls: readonly string[], { first_ms, max_ms, refused_ms }: Pace) {
  let [place, tried, rounds] = [0, 0, 0];
  return {
    url: () => urls[place],
    /** The wait before the next attempt in ms. */
    next({ isAnswered, isRefused }: Attempted): number {
      if (!isAnswered) place = (place + 1) % urls.length;
      tried += 1;
      if (!isAnswered && !isRefused && tried < urls.length) return 0;
      if (isAnswered) rounds = 0;
      const most_ms = Math.min(max_ms, first_ms * 2 ** Math.min(rounds, 30));
      tried = 0;
      rounds += 1;
      return isRefused ? refused_ms : Math.random() * most_ms;
    },
  };
}
