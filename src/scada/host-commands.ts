// Commands of the host application. A broker may pass on anything, thousands of times: births on
// request are at least 2 s apart, and unreadable bytes are logged once a minute.

import { MINUTE_MS, SECOND_MS } from "../ground/clock.ts";
import { messageOf } from "../ground/errors.ts";
import type { Log } from "../ground/log.ts";
import { openRepeatFilter } from "../ground/repeat-filter.ts";
import { HostPace } from "./host-pace.ts";
import { isRebirthAsked } from "./sparkplug-payload.ts";

/**
 * Maximum length of a message that is read, in bytes. Commands and STATE have some 100; the broker
 * may send 4 MiB, which took 0.3 s to read.
 */
export const HEARD_MAX_BYTES = 16 * 1024;

/** Minimum time between births on request; one has some 5 kB. */
const REBIRTH_MIN_MS = 2 * SECOND_MS;

export class HostCommands {
  /** The pace at which messages of the broker are taken. */
  readonly pace: HostPace;
  readonly #log: Log;
  readonly #isWorthALine = openRepeatFilter(MINUTE_MS);
  #isRebirthAsked = false;
  /** Time of the last birth, by performance.now(). */
  #born_ms = Number.NEGATIVE_INFINITY;

  constructor(log: Log) {
    this.#log = log;
    this.pace = new HostPace(log);
  }

  /** Processes a message of the NCMD topic. */
  hear(payload: Buffer): void {
    try {
      if (payload.length > HEARD_MAX_BYTES) throw new Error(`it has ${payload.length} bytes`);
      this.#isRebirthAsked ||= isRebirthAsked(payload);
    } catch (error) {
      this.unreadable("a Sparkplug command can't be read", messageOf(error));
    }
  }

  unreadable(message: string, problem: string): void {
    if (this.#isWorthALine(message)) this.#log.warn(message, { problem });
  }

  get isRebirthAsked(): boolean {
    return this.#isRebirthAsked;
  }

  get isRebirthDue(): boolean {
    return this.#isRebirthAsked && performance.now() - this.#born_ms >= REBIRTH_MIN_MS;
  }

  /** Notes a birth of the node, requested or not. */
  born(): void {
    this.#isRebirthAsked = false;
    this.#born_ms = performance.now();
  }
}
