// The wait before the next attempt to connect. Its upper limit doubles from 5 s to 10 min, and the
// wait is random below that (full jitter), because an office's server that returns meets all its
// ships at once.

import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../ground/clock.ts";

export interface Pace {
  readonly first_ms: number;
  readonly max_ms: number;
  /** Wait after the office refused the ship's key. */
  readonly refused_ms: number;
  /**
   * Maximum time to connect to one server. A handshake over a satellite takes 3 s, on a busy line
   * much longer.
   */
  readonly connect_max_ms: number;
}

export const PACE: Pace = {
  first_ms: 5 * SECOND_MS,
  max_ms: 10 * MINUTE_MS,
  refused_ms: HOUR_MS,
  connect_max_ms: 90 * SECOND_MS,
};

/**
 * Time shared by several servers: all are tried within 30 s, with some seconds for the last one's
 * hello.
 */
const ROUND_MS = 24 * SECOND_MS;

/**
 * The result of an attempt: the server answered the hello, refused the ship's key, or didn't
 * answer.
 */
interface Attempted {
  readonly isAnswered: boolean;
  readonly isRefused: boolean;
  readonly isSilent: boolean;
}

/**
 * Tries servers in turn, then waits. A server that answered is tried again first. Several servers
 * share the time of a round, so that one without power doesn't keep the ship from the next. If none
 * answers, the line may be slow, so the next round has twice the time.
 */
export function openTurns(urls: readonly string[], pace: Pace) {
  const { first_ms, max_ms, refused_ms, connect_max_ms } = pace;
  const share_ms = urls.length === 1 ? connect_max_ms : ROUND_MS / urls.length;
  let [place, tried, rounds, silent, patience] = [0, 0, 0, 0, 1];
  return {
    url: () => urls[place],
    /** Maximum time for the next attempt to connect, in ms. */
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
