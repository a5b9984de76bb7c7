// Commands of the host application, from a broker that may pass on anything, thousands of times:
// births that are asked for come with a pause between them, and bytes that can't be read are logged
// once a minute.

import { MINUTE_MS, SECOND_MS } from "../ground/clock.ts";
import { messageOf } from "../ground/errors.ts";
import type { Log } from "../ground/log.ts";
import { openRepeatFilter } from "../ground/repeat-filter.ts";
import { isRebirthAsked } from "./sparkplug-payload.ts";

/** A birth takes some 5 kB of the line. */
const REBIRTH_MIN_MS = 2 * SECOND_MS;

export class HostCommands {
  readonly #log: Log;
  readonly #isWorthALine = openRepeatFilter(MINUTE_MS);
  #isRebirthAsked = false;
  /** By performance.now(). */
  #born_ms = Number.NEGATIVE_INFINITY;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Takes a message of NCMD. */
  hear(payload: Buffer): void {
    try {
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

  /** The node is born, asked or not. */
  born(): void {
    this.#isRebirthAsked = false;
    this.#born_ms = performance.now();
  }
}
