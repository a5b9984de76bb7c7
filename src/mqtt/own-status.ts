// ballastd's own status at the ship's broker, if configured: `online` and `offline`, retained, QoS
// 1, the one thing that ballastd ever publishes. The broker publishes `offline` for us when the
// link breaks (last will), sometimes too late: then ballastd publishes `online` again. A refused
// status must not cost messages: after two connections that the broker closed, ballastd makes one
// without it. If that lasts, one more with the status decides: until then the broker may have been
// down, or the password wrong.

import type { Log } from "../ground/log.ts";
import type { Fault, FaultKind } from "./fault.ts";
import type { ClientTiming } from "./timing.ts";

export type StatusWord = "online" | "offline";

/** The topic of the status. */
export function statusTopic(prefix: string, system_id: string): string {
  return `${prefix}/${system_id}/ballastd/status`;
}

/** Payloads on that topic that aren't messages of the PLC; "" removes a retained status. */
const STATUSES: readonly string[] = ["online", "offline", ""] satisfies (StatusWord | "")[];

export interface OwnStatusOptions {
  readonly topic: string;
  readonly isWanted: boolean;
  /** Publishes `online` on the present connection; `onTaken` is called at its PUBACK. */
  readonly publish: (onTaken: () => void) => void;
  /** Ends the present connection in order, and makes the next one at once. */
  readonly renew: () => void;
  readonly timing: ClientTiming;
  readonly log: Log;
}

/** Kinds of faults by which a broker ends a connection whose status it doesn't accept. */
const SUSPICIOUS: readonly FaultKind[] = ["closed", "refused"];
const SUSPICIONS_MAX = 2;

export class OwnStatus {
  readonly counts = { status_published_total: 0, status_refused_total: 0 };
  readonly #options: OwnStatusOptions;
  #isOffered = false;
  #isTaken = false;
  #suspicions = 0;
  /** True if the next connection tries the status again, after one without it that lasted. */
  #isTrial = false;
  /** True if the broker closed that trial connection too, so that the status isn't tried again. */
  #isProven = false;
  #trial: NodeJS.Timeout | null = null;
  #again: NodeJS.Timeout | null = null;
  #echo: NodeJS.Timeout | null = null;
  /** True if the broker has sent the status back since it was last published. */
  #hasCome = false;
  #isRefusalTold = false;

  constructor(options: OwnStatusOptions) {
    this.#options = options;
  }

  /** Decides if the next connection has the status; returns the decision. */
  offer(): boolean {
    this.#isOffered = this.#options.isWanted && this.#suspicions < SUSPICIONS_MAX;
    this.#isTaken = false;
    return this.#isOffered;
  }

  /** Notes that the link is up: publishes the status, or plans a trial connection with it. */
  up(): void {
    if (this.#isOffered) this.#publish();
    else if (this.#isProven)
      this.#refuse(
        "the broker closes connections that bring ballastd's status: it isn't published",
      );
    else if (this.#options.isWanted)
      this.#trial = setTimeout(() => {
        this.#isTrial = true;
        this.#options.renew();
      }, this.#options.timing.steady_ms);
  }

  /** Handles a message on the topic of the status; returns false if it isn't a status. */
  hear(word: string, { isRetained }: { readonly isRetained: boolean }): boolean {
    if (!STATUSES.includes(word)) return false;
    if (!isRetained) this.#hasCome = true;
    if (word !== "online" && !isRetained && this.#isTaken)
      this.#again ??= setTimeout(() => {
        this.#again = null;
        this.#publish();
      }, this.#options.timing.status_again_ms);
    return true;
  }

  /** Notes the end of the connection, and its cause. */
  ended({ kind }: Fault): void {
    this.#stopTimers();
    const isSuspicious = this.#isOffered && !this.#isTaken && SUSPICIOUS.includes(kind);
    // The connection before a trial has no status, so its end proves nothing.
    this.#isProven = isSuspicious && this.#isTrial;
    if (this.#isOffered) this.#isTrial = false;
    if (this.#isProven) this.#suspicions = SUSPICIONS_MAX;
    else this.#suspicions = isSuspicious ? this.#suspicions + 1 : 0;
    this.#isTaken = false;
  }

  #publish(): void {
    this.#hasCome = false;
    this.#options.publish(() => this.#taken());
  }

  #taken(): void {
    this.counts.status_published_total += 1;
    this.#isTaken = true;
    // MQTT 3.1.1 has no way to refuse a PUBLISH: Mosquitto acknowledges it and drops it.
    this.#echo ??= setTimeout(() => {
      this.#echo = null;
      if (!this.#hasCome)
        this.#refuse("the broker doesn't pass on ballastd's status: may its user publish it?");
    }, this.#options.timing.status_echo_ms);
  }

  #refuse(problem: string): void {
    this.counts.status_refused_total += 1;
    if (this.#isRefusalTold) return;
    this.#isRefusalTold = true;
    this.#options.log.warn(problem, { topic: this.#options.topic });
  }

  #stopTimers(): void {
    for (const timer of [this.#trial, this.#again, this.#echo])
      if (timer !== null) clearTimeout(timer);
    this.#trial = null;
    this.#again = null;
    this.#echo = null;
  }
}
