// Client mode's time limits, in one place because they depend on each other: the time to find a
// dead link, the patience with a slow one, the interval of attempts. A test shortens them.

import { MINUTE_MS, SECOND_MS } from "../ground/clock.ts";

export interface ClientTiming {
  /** For TCP, TLS and CONNACK together, and then for SUBACK: a broker on a bad link is slow. */
  readonly answer_ms: number;
  /** The pause between a PINGRESP and the next PINGREQ, however much else is going on. */
  readonly ping_ms: number;
  /** Without any byte for this long after a PINGREQ, the link is dead. */
  readonly silence_ms: number;
  /** Without a PINGRESP for this long, whatever else comes, the broker doesn't receive our data. */
  readonly pong_ms: number;
  /** The pause before the next attempt, doubled each time from the first to the second. */
  readonly pause_min_ms: number;
  readonly pause_max_ms: number;
  /** A connection that has lasted this long is steady: the pauses start again at the minimum. */
  readonly steady_ms: number;
  /** Interval at which a refused subscription is tried again. */
  readonly subscribe_again_ms: number;
  /** Our own status must have come back by then, as every message that we subscribe to. */
  readonly status_echo_ms: number;
  /** The pause before a wrong status is put right. */
  readonly status_again_ms: number;
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
  status_echo_ms: 20 * SECOND_MS,
  status_again_ms: SECOND_MS,
};

/** Sent to the broker, which gives us up after one and a half times this; we ping twice in it. */
export const KEEPALIVE_S = 20;
