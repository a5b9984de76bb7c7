// What is known of the link to the ship's broker: whether it is up, since when, and what is wrong,
// in words and counted by kind. It is said in the log when that changes, and only then: what
// repeats itself is counted, and a link that breaks again and again stays a problem until it has
// lasted (two programs with one client id push each other out for ever).

import { type Clock, printTime } from "../clock.ts";
import type { Log } from "../log.ts";
import { type Fault, type FaultKind, noFaults } from "./fault.ts";

/** The quality of service the broker granted for a filter; null: refused. */
export interface Grant {
  readonly topic: string;
  readonly qos: 0 | 1 | 2 | null;
}

export interface LinkOptions {
  readonly url: string;
  readonly client_id: string;
  readonly steady_ms: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** So many connections in a row that worked and soon ended are no accident. */
const UNSTEADY_AFTER = 3;

export class Link {
  /** How often each kind of fault was met. */
  readonly faults: Record<FaultKind, number> = noFaults();
  readonly #options: LinkOptions;
  readonly #grants = new Map<string, Grant["qos"]>();
  #changed_ms: number;
  #fault: Fault = { kind: "unreachable", reason: "connecting" };
  /** Faults said since it was last said to be up, and how many were met. */
  readonly #said = new Set<FaultKind>();
  #failed_attempts = 0;
  #isSaidUp = false;
  /** The last faults of connections that worked and soon ended, in a row. */
  #shortLived: Fault[] = [];
  #steadyTimer: NodeJS.Timeout | null = null;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#changed_ms = options.clock.now_ms();
  }

  /** Connected, and at least one subscription granted. */
  get isUp(): boolean {
    return [...this.#grants.values()].some((qos) => qos !== null);
  }

  /** Up, and for as long as is asked. */
  get isSteady(): boolean {
    return this.isUp && this.#steadyTimer === null;
  }

  /** When it last went up or down, or was begun. */
  get changed_ms(): number {
    return this.#changed_ms;
  }

  /** Less is said of a link that comes and goes. */
  get isUnsteady(): boolean {
    return this.#shortLived.length >= UNSTEADY_AFTER;
  }

  /** What is wrong now, in words; null when nothing is. */
  problem(): string | null {
    if (this.#grants.size === 0)
      return `not connected since ${printTime(this.#changed_ms)}: ${this.#fault.reason}`;
    const granted = [...this.#grants];
    const refused = granted.filter(([, qos]) => qos === null).map(([topic]) => topic);
    if (refused.length > 0) return `the broker refused the subscription to ${refused.join(", ")}`;
    if (this.isUnsteady) return this.#fault.reason;
    return granted.some(([, qos]) => qos === 0)
      ? "the broker granted QoS 0 only: messages can be lost on the way"
      : null;
  }

  /** SUBACK: what was granted, in addition to what was granted before on this connection. */
  subscribed(grants: readonly Grant[]): void {
    const wasUp = this.isUp;
    for (const { topic, qos } of grants) this.#grants.set(topic, qos);
    for (const { topic, qos } of grants)
      if (qos === null)
        this.#meet({
          kind: "subscription_refused",
          reason: `the broker refused the subscription to ${topic}`,
        });
    if (!wasUp && this.isUp) {
      this.#changed_ms = this.#options.clock.now_ms();
      this.#steadyTimer = setTimeout(() => this.#becomeSteady(), this.#options.steady_ms);
    }
    this.#sayUp();
  }

  /**
   * The connection has ended, or the attempt. Where the broker may have closed it for another
   * program's sake, `closedBy` is to be told whether the broker is still there.
   */
  ended(fault: Fault): "maybe pushed out" | null {
    const wasUp = this.isUp;
    const isShortLived = wasUp && !this.isSteady;
    this.stop();
    this.#grants.clear();
    if (wasUp) this.#changed_ms = this.#options.clock.now_ms();
    this.#fault = fault;
    this.#meet(fault);
    if (!isShortLived) this.#shortLived = [];
    else if (fault.kind === "closed") return "maybe pushed out";
    else this.#countShortLived(fault);
    return null;
  }

  /** A broker that has gone pushed nobody out: it was stopped, or restarted. */
  closedBy(fault: Fault, broker: { readonly isStillUp: boolean }): void {
    if (broker.isStillUp) this.#countShortLived(fault);
    else this.#shortLived = [];
  }

  /** The broker doesn't know our session: it was restarted. Another program would have kept it. */
  sessionLost(): void {
    this.#shortLived = [];
  }

  #countShortLived(fault: Fault): void {
    const wasUnsteady = this.isUnsteady;
    this.#shortLived = [...this.#shortLived, fault].slice(-UNSTEADY_AFTER);
    if (!this.isUnsteady) return;
    this.#fault = this.#unsteadiness(fault);
    if (this.#fault.kind !== fault.kind && !wasUnsteady) this.#meet(this.#fault);
  }

  /** Ends its timer. */
  stop(): void {
    if (this.#steadyTimer !== null) clearTimeout(this.#steadyTimer);
    this.#steadyTimer = null;
  }

  #meet(fault: Fault): void {
    this.faults[fault.kind] += 1;
    this.#failed_attempts += 1;
    this.#isSaidUp = false;
    if (this.#said.has(fault.kind)) return;
    this.#said.add(fault.kind);
    const { url, log } = this.#options;
    log.error("not received from the ship's broker", { url, ...fault });
  }

  #sayUp(): void {
    const granted = [...this.#grants];
    if (this.#isSaidUp || this.isUnsteady || granted.some(([, qos]) => qos === null)) return;
    const { url, log } = this.#options;
    const topics = granted.map(([topic, qos]) => `${topic} (QoS ${qos})`);
    log.info("subscribed at the broker", { url, topics, failed_attempts: this.#failed_attempts });
    this.#said.clear();
    this.#failed_attempts = 0;
    this.#isSaidUp = true;
  }

  #becomeSteady(): void {
    this.#steadyTimer = null;
    this.#shortLived = [];
    this.#sayUp();
  }

  #unsteadiness(last: Fault): Fault {
    const times = UNSTEADY_AFTER;
    const within = `within ${this.#options.steady_ms / 1000} s of being made`;
    if (this.#shortLived.some(({ kind }) => kind !== "closed"))
      return { kind: last.kind, reason: `${last.reason} (${times} connections, ${within})` };
    const question = `does another program use the client id ${this.#options.client_id}?`;
    return {
      kind: "taken_over",
      reason:
        `the broker closed ${times} connections in a row, each ${within}, ` +
        `and stayed up: ${question}`,
    };
  }
}
