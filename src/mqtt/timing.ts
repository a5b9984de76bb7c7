// Client mode's time limits, in one place because they only make sense together: how soon a dead
// link is found, how long a slow one is borne, how often it is tried again. A test shortens them.

import { MINUTE_MS, SECOND_MS } from "../clock.ts";

export interface ClientTiming {
  /** TCP, TLS and CONNACK together, and then SUBACK: a broker at the end of a bad link is slow. */
  readonly answer_ms: number;
  /** The pause between a PINGRESP and the next PINGREQ, however much else is going on. */
  readonly ping_ms: number;
  /** No byte at all for this long after a PINGREQ: the link is dead. */
  readonly silence_ms: number;
  /** No PINGRESP for this long, whatever else comes: what we send isn't heard. */
  readonly pong_ms: number;
  /** The pause before the next attempt; doubled each time, from the first to the second. */
  readonly pause_min_ms: number;
  readonly pause_max_ms: number;
  /** A connection that has lasted this long is steady: the pauses begin anew. */
  readonly steady_ms: number;
  /** A refused subscription is tried again. */
  readonly subscribe_again_ms: number;
}

/** A link that swallows everything is found within `ping_ms` + `silence_ms` and a tick: 22 s. */
export const CLIENT_TIMING: ClientTiming = {
  answer_ms: 20 * SECOND_MS,
  ping_ms: 10 * SECOND_MS,
  silence_ms: 10 * SECOND_MS,
  pong_ms: MINUTE_MS,
  pause_min_ms: SECOND_MS,
  pause_max_ms: 30 * SECOND_MS,
  steady_ms: MINUTE_MS,
  subscribe_again_ms: 30 * SECOND_MS,
};

/** Told to the broker, which gives us up after one and a half times this; we ping twice in it. */
export const KEEPALIVE_S = 20;
