// The treatment PLC of the benchmark: one MQTT connection, QoS 1, one reading a message. `flood`
// keeps a window of messages unacknowledged, as a PLC does that empties its buffer; `pace` sends
// at a fixed rate whatever comes back. Each PUBACK is waited for and timed. Making a payload and
// sending it (MQTT.js) costs some 30 µs of processor time a reading, on the same machine: measured.

import { setTimeout as sleep } from "node:timers/promises";
import { connectAsync, type MqttClient } from "mqtt";
import { SECOND_MS } from "../../src/clock.ts";
import type { Plant } from "./plant.ts";

/** The times of readings to publish: `count` of them from `start_ms` on, `cadence_ms` apart. */
export interface Stretch {
  readonly start_ms: number;
  readonly cadence_ms: number;
  readonly count: number;
}

/** What came of it. */
export interface Published {
  readonly took_s: number;
  /** Ascending, one of each message. */
  readonly puback_ms: Float64Array;
  /** All payloads. */
  readonly bytes: number;
  /** Processor time of this process, which the program under test didn't have, in µs a reading. */
  readonly own_us: number;
}

export interface Publisher {
  /** `window`: messages without PUBACK at a time. `progress` is called now and then. */
  flood(
    stretch: Stretch,
    window: number,
    progress?: (acknowledged: number) => void,
  ): Promise<Published>;
  /** One reading each `cadence_ms` of the stretch, by the wall clock; ends early on `signal`. */
  pace(stretch: Stretch, signal?: AbortSignal): Promise<Published>;
  close(): Promise<void>;
}

const TOPIC = "bwts/BWTS-001/telemetry";
/** How often `flood` tells of its progress, in readings. */
const TELL_EVERY = 5000;
/** Longer without any PUBACK, and the program under test is taken for dead. */
const SILENCE_MAX_MS = 120 * SECOND_MS;

/** Connects to `url`; the plant's readings follow one another through all calls. */
export async function openPublisher(url: string, plant: Plant): Promise<Publisher> {
  const client = await connectAsync(url, { clientId: "bench", reconnectPeriod: 0, keepalive: 0 });
  return {
    async flood(stretch, window, progress) {
      const run = new Run(client, plant, stretch);
      for (let index = 0; index < stretch.count; index += 1) {
        if (run.inFlight >= window) await run.below(Math.max(1, window / 2));
        run.send(index);
        if (index % TELL_EVERY === 0) progress?.(run.acknowledged);
      }
      return run.end();
    },
    async pace(stretch, signal) {
      const run = new Run(client, plant, stretch);
      for (let index = 0; index < stretch.count && signal?.aborted !== true; index += 1) {
        const wait_ms = run.began + index * stretch.cadence_ms - performance.now();
        if (wait_ms > 0) await sleep(wait_ms);
        run.send(index);
      }
      return run.end();
    },
    close: () => client.endAsync(),
  };
}

/** The messages of one call. */
class Run {
  readonly began = performance.now();
  inFlight = 0;
  acknowledged = 0;
  readonly #client: MqttClient;
  readonly #plant: Plant;
  readonly #stretch: Stretch;
  readonly #puback_ms: Float64Array;
  readonly #processor = process.cpuUsage();
  #bytes = 0;
  #waiting: { readonly below: number; readonly go: () => void } | null = null;
  #problem: Error | null = null;

  constructor(client: MqttClient, plant: Plant, stretch: Stretch) {
    this.#client = client;
    this.#plant = plant;
    this.#stretch = stretch;
    this.#puback_ms = new Float64Array(stretch.count);
  }

  send(index: number): void {
    this.#plant.advance(this.#stretch.start_ms + index * this.#stretch.cadence_ms);
    const payload = this.#plant.json();
    this.#bytes += payload.length;
    this.inFlight += 1;
    const sent = performance.now();
    this.#client.publish(TOPIC, payload, { qos: 1 }, (error) => {
      this.#puback_ms[this.acknowledged] = performance.now() - sent;
      this.inFlight -= 1;
      this.acknowledged += 1;
      if (error) this.#problem = error;
      if (this.#problem !== null || this.inFlight < (this.#waiting?.below ?? 0)) this.#wake();
    });
  }

  /** Waits until fewer than `below` are in flight. Throws when one failed or nothing comes. */
  async below(below: number): Promise<void> {
    if (this.inFlight >= below) {
      const silence = setTimeout(() => {
        this.#problem = new Error(`no PUBACK for ${SILENCE_MAX_MS / SECOND_MS} s`);
        this.#wake();
      }, SILENCE_MAX_MS);
      await new Promise<void>((go) => {
        this.#waiting = { below, go };
      });
      clearTimeout(silence);
    }
    if (this.#problem !== null) throw this.#problem;
  }

  async end(): Promise<Published> {
    await this.below(1);
    const took_s = (performance.now() - this.began) / SECOND_MS;
    const puback_ms = this.#puback_ms.subarray(0, this.acknowledged).sort();
    const { user, system } = process.cpuUsage(this.#processor);
    const own_us = (user + system) / this.acknowledged;
    return { took_s, puback_ms, bytes: this.#bytes, own_us };
  }

  #wake(): void {
    this.#waiting?.go();
    this.#waiting = null;
  }
}
