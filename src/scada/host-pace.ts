// The pace at which messages of the Sparkplug broker are taken. A host needs a few a minute, but a
// broker may pass on as many as the line takes: small ones kept the main thread so busy that the
// plant waited 2 to 5 s for each PUBACK. Beyond the limit a message is done only at the end of its
// second, and the connection reads no further meanwhile.

import { MINUTE_MS, SECOND_MS } from "../ground/clock.ts";
import type { Log } from "../ground/log.ts";
import { openRepeatFilter } from "../ground/repeat-filter.ts";

/** Maximum number of messages in a second that don't wait; a long one counts for each KiB. */
const AT_ONCE_MAX = 100;
const COUNTED_BYTES = 1024;

export class HostPace {
  readonly #log: Log;
  readonly #isWorthALine = openRepeatFilter(MINUTE_MS);
  /** End of the present second; null if it has no message. */
  #second: Promise<void> | null = null;
  #count = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Counts a message of `bytes`; resolves when it is done, so that others may be taken. */
  async next(bytes: number): Promise<void> {
    this.#second ??= this.#startSecond();
    this.#count += 1 + Math.floor(bytes / COUNTED_BYTES);
    if (this.#count <= AT_ONCE_MAX) return;
    if (this.#isWorthALine("flood"))
      this.#log.warn("the Sparkplug broker sends too many messages, it is read slowly", {
        at_once_max: AT_ONCE_MAX,
      });
    await this.#second;
  }

  #startSecond(): Promise<void> {
    return new Promise((resolve) => {
      setTimeout(() => {
        this.#second = null;
        this.#count = 0;
        resolve();
      }, SECOND_MS);
    });
  }
}
