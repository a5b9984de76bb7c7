// The wait before the next attempt to connect: from 5 s up to 10 min, doubled each time, at random
// below that (full jitter), because a shore that comes back meets all its ships at once.

import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../ground/clock.ts";

export interface Pace {
  readonly first_ms: number;
  readonly max_ms: number;
  /** After the shore refused the ship's key. */
  readonly refused_ms: number;
  /** A handshake over a satellite takes 3 s; on a line that is full, much longer. Of one server. */
  readonly connect_max_ms: number;
}

export const PACE: Pace = {
  first_ms: 5 * SECOND_MS,
  max_ms: 10 * MINUTE_MS,
  refused_ms: HOUR_MS,
  connect_max_ms: 90 * SECOND_MS,
};

/** All of several servers are tried within 30 s, with some seconds for the last one's hello. */
const ROUND_MS = 24 * SECOND_MS;

/** The result of an attempt: the server said hello, refused the ship's key, or said nothing. */
interface Attempted {
  readonly isAnswered: boolean;
  readonly isRefused: boolean;
  readonly isSilent: boolean;
}

/**
 * Servers in turn: all of them at once, then a wait. One that answered is tried again first.
 * Several share the time of a round, so that one without power doesn't keep the ship from the next;
 * if all are silent the line may be slow, so they have twice as long in the next round.
 */
export function openTurns(urls: readonly string[], pace: Pace) {
  const { first_ms, max_ms, refused_ms, connect_max_ms } = pace;
  const share_ms = urls.length === 1 ? connect_max_ms : ROUND_MS / urls.length;
  let [place, tried, rounds, silent, patience] = [0, 0, 0, 0, 1];
  return {
    url: () => urls[place],
    /** Time for the next attempt to connect. */
    connect_max_ms: () => Math.min(connect_max_ms, share_ms * patience),
    /** The wait before the next attempt in ms. */
    next({ isAnswered, isRefused, isSilent }: Attempted): number {
      if (!isAnswered) place = (place + 1) % urls.length;
      tried += 1;
      silent += isSilent ? 1 : 0;
      if (!isAnswered && !isRefused && tried < urls.length) return 0;
      if (isAnswered) [rounds, patience] = [0, 1];
      else if (silent === tried) patience = Math.min(2 * patience, connect_max_ms);
      const most_ms = Math.min(max_ms, first_ms * 2 ** Math.min(rounds, 30));
      [tried, silent] = [0, 0];
      rounds += 1;
      return isRefused ? refused_ms : Math.random() * most_ms;
    },
  };
}
