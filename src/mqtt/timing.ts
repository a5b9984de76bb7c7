// Client mode's time limits, in one place because they depend on each other: the time to find a
// dead link, the patience with a slow one, the interval of attempts. A test shortens them.

import { MINUTE_MS, SECOND_MS } from "../ground/clock.ts";

export interface ClientTiming {
  /**
   * Time limit for TCP, TLS and CONNACK together, and then for SUBACK: a broker on a bad link is
   * slow.
   */
  readonly answer_ms: number;
  /** Pause between a PINGRESP and the next PINGREQ, however much else is going on. */
  readonly ping_ms: number;
  /** Time without any byte after a PINGREQ from which the link counts as dead. */
  readonly silence_ms: number;
  /**
   * Time without a PINGRESP, whatever else comes, from which the broker counts as not receiving our
   * data.
   */
  readonly pong_ms: number;
  /** Pause before the next attempt: the minimum, doubled each time up to the maximum. */
  readonly pause_min_ms: number;
  readonly pause_max_ms: number;
  /** Duration from which a connection counts as steady: the pauses start again at the minimum. */
  readonly steady_ms: number;
  /** Interval at which a refused subscription is tried again. */
  readonly subscribe_again_ms: number;
  /** Time limit for our own status to come back, as every message that we subscribe to. */
  readonly status_echo_ms: number;
  /** Pause before a wrong status is put right. */
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

/**
 * Keep-alive in CONNECT. The broker closes the link after one and a half times this; we ping twice
 * in it.
 */
export const KEEPALIVE_S = 20;
