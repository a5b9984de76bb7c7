// The messages of one connection: the node's birth, the device's birth, data, and the device's
// death, each with the next sequence number. The message of the node's death is made in advance,
// because the broker sends it if the connection breaks; bdSeq in both pairs it with the birth.

import type { Clock } from "../ground/clock.ts";
import { birthMetrics, changedMetrics, type DeviceReading } from "./device-metrics.ts";
import { encodePayload, type Metric, REBIRTH } from "./sparkplug-payload.ts";

/** Name of the plant in the topics. */
const DEVICE = "plant";
const SEQUENCE = 256;

interface SessionOptions {
  readonly group: string;
  readonly node: string;
  readonly version: string;
  /** bdSeq of the connection: counts from 0 to 255 and starts again. */
  readonly birth_number: number;
  readonly clock: Clock;
  /** Publishes a message; resolves when it is sent, or the connection has ended. */
  readonly publish: (message: { topic: string; payload: Buffer }) => Promise<void>;
}

export class NodeSession {
  readonly #options: SessionOptions;
  #sequence = 0;
  #isBorn = false;
  #hasDevice = false;
  #isOver = false;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  get isBorn(): boolean {
    return this.#isBorn;
  }

  get hasDevice(): boolean {
    return this.#hasDevice;
  }

  /** Ends the session: nothing more is published. */
  end(): void {
    this.#isOver = true;
  }

  /** The message of the node's death. */
  death(): { topic: string; payload: Buffer } {
    const at_ms = this.#options.clock.now_ms();
    const payload = encodePayload({ at_ms, seq: null, metrics: [this.#birthNumber(at_ms)] });
    return { topic: this.#topic("NDEATH"), payload };
  }

  /** Publishes the node's birth, which restarts the sequence; the device's birth must follow. */
  async bear(): Promise<void> {
    const at_ms = this.#options.clock.now_ms();
    this.#sequence = 0;
    this.#isBorn = true;
    this.#hasDevice = false;
    await this.#publish("NBIRTH", at_ms, [
      this.#birthNumber(at_ms),
      { ...own(REBIRTH, at_ms), type: "boolean", value: false },
      { ...own("Properties/Software", at_ms), type: "string", value: "ballastd" },
      { ...own("Properties/Version", at_ms), type: "string", value: this.#options.version },
    ]);
  }

  async bearDevice(reading: DeviceReading): Promise<void> {
    this.#hasDevice = true;
    await this.#publish("DBIRTH", this.#options.clock.now_ms(), birthMetrics(reading));
  }

  /** Publishes the device's death, since the plant sends nothing. */
  async loseDevice(): Promise<void> {
    if (!this.#hasDevice) return;
    this.#hasDevice = false;
    await this.#publish("DDEATH", this.#options.clock.now_ms(), []);
  }

  /** Publishes the changes from each reading to the next, beginning with `before`. */
  async tell(
    before: DeviceReading,
    readings: readonly DeviceReading[],
    time: { readonly isHistorical: boolean },
  ): Promise<void> {
    const metrics = changedMetrics(before, readings, time);
    if (metrics.length > 0) await this.#publish("DDATA", this.#options.clock.now_ms(), metrics);
  }

  #birthNumber(at_ms: number): Metric {
    const { birth_number: value } = this.#options;
    return { ...own("bdSeq", at_ms), type: "integer", value };
  }

  async #publish(
    word: "NBIRTH" | "DBIRTH" | "DDATA" | "DDEATH",
    at_ms: number,
    metrics: readonly Metric[],
  ): Promise<void> {
    if (this.#isOver) return;
    const payload = encodePayload({ at_ms, seq: this.#sequence, metrics });
    this.#sequence = (this.#sequence + 1) % SEQUENCE;
    await this.#options.publish({ topic: this.#topic(word), payload });
  }

  #topic(word: string): string {
    const { group, node } = this.#options;
    return `spBv1.0/${group}/${word}/${node}${word.startsWith("D") ? `/${DEVICE}` : ""}`;
  }
}

/** A metric of the node itself, without an alias, so that a host can address it by name. */
function own(name: string, at_ms: number) {
  return { name, alias: null, unit: null, at_ms, isHistorical: false };
}
