// The state of the link to the ship's broker: up or down, since when, and the problem, as text and
// counted by kind. The log reports changes only. Repetitions are counted, and a link that breaks
// again and again remains a problem until it has lasted (two programs with one client id disconnect
// each other for ever).

import { shownPlace } from "../config/shown.ts";
import { type Clock, printTime } from "../ground/clock.ts";
import type { Log } from "../ground/log.ts";
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
  /** The log's words for a link that is down. */
  readonly down: string;
}

/** Number of short connections in a row that is no accident. */
const UNSTEADY_AFTER = 3;

export class Link {
  /** Number of faults by kind. */
  readonly faults: Record<FaultKind, number> = noFaults();
  readonly #options: LinkOptions;
  readonly #grants = new Map<string, Grant["qos"]>();
  #changed_ms: number;
  #fault: Fault = { kind: "unreachable", reason: "connecting" };
  /** Kinds of faults logged since the link was last up, and the number of faults. */
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

  /** True if connected, with at least one subscription granted. */
  get isUp(): boolean {
    return [...this.#grants.values()].some((qos) => qos !== null);
  }

  /** True if the link has been up for the required time. */
  get isSteady(): boolean {
    return this.isUp && this.#steadyTimer === null;
  }

  /** Time of the last change of `isUp`, or of the start. */
  get changed_ms(): number {
    return this.#changed_ms;
  }

  /** True if the link comes and goes, which is logged less. */
  get isUnsteady(): boolean {
    return this.#shortLived.length >= UNSTEADY_AFTER;
  }

  /** Text about the present problem; null if there is none. */
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

  /** Notes a SUBACK: grants are added to those of this connection. */
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
   * Notes the end of a connection, or of an attempt. If the broker may have closed it for another
   * program, the caller must test if the broker still runs, and call `closedBy`.
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

  /** Notes that we ended the connection to make another one, which is no fault. */
  renewed(): void {
    this.stop();
    this.#grants.clear();
    this.#changed_ms = this.#options.clock.now_ms();
    this.#fault = { kind: "closed", reason: "connecting again" };
  }

  /**
   * Notes if the broker still runs: one that is gone was stopped or restarted, and didn't close the
   * connection for another program.
   */
  closedBy(fault: Fault, broker: { readonly isStillUp: boolean }): void {
    if (broker.isStillUp) this.#countShortLived(fault);
    else this.#shortLived = [];
  }

  /**
   * Notes that the broker lost our session: it was restarted. A second program with our client id
   * would have kept the session.
   */
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

  /** Stops the timer that finds the link steady. */
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
    const { url, log, down } = this.#options;
    log.error(down, { url: shownPlace(new URL(url)), ...fault });
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
