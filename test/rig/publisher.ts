// The treatment PLC of the tools: one MQTT connection, QoS 1, single readings or arrays. `flood`
// keeps a window of messages unacknowledged, as a PLC does that empties its buffer; `pace` sends
// at a fixed rate whatever comes back. Each PUBACK is waited for and timed. A PLC has a processor
// of its own: `flood` makes its messages in lots, with the clock stopped and nothing in flight.

import { setTimeout as sleep } from "node:timers/promises";
import { SECOND_MS } from "../../src/ground/clock.ts";
import { IDS, numberedPacket, openWire, type Packet, type Wire } from "./mqtt-wire.ts";
import { PATIENCE_MS } from "./patience.ts";
import type { Plant } from "./steady-plant.ts";

/** The times of readings to publish: `count` of them from `start_ms` on, `cadence_ms` apart. */
export interface Stretch {
  readonly start_ms: number;
  readonly cadence_ms: number;
  readonly count: number;
}

/** The result of publishing. */
export interface Published {
  /** Without the time in which messages were made ahead. */
  readonly took_s: number;
  /** Ascending, one of each message. */
  readonly puback_ms: Float64Array;
  /** All payloads. */
  readonly bytes: number;
  /** Processor time of this process, which the program under test didn't have, in µs a message. */
  readonly own_us: number;
}

/** Options of a flood. */
export interface Flooding {
  /** Readings of a message, sent as an array: what a PLC does that empties its buffer. */
  readonly array?: number;
  /** Called now and then with the number of acknowledged readings. */
  readonly progress?: (acknowledged: number) => void;
}

export interface Publisher {
  /** Sends as fast as `window` allows. */
  flood(stretch: Stretch, window: number, flooding?: Flooding): Promise<Published>;
  /** One reading each `cadence_ms` of the stretch, by the wall clock; ends early on `signal`. */
  pace(stretch: Stretch, signal?: AbortSignal): Promise<Published>;
  close(): Promise<void>;
}

const TOPIC = "bwts/BWTS-001/telemetry";
/** Readings made ahead: some 40 MB, sent in one or two seconds. */
const LOT = 16_384;

/** Connects to `url`; the plant's readings follow one another through all calls. */
export async function openPublisher(url: string, plant: Plant): Promise<Publisher> {
  let run: Run | null = null;
  const wire = await openWire(url, {
    acknowledged: (ids) => run?.acknowledge(ids),
    ended: (problem) => run?.fail(problem),
  });
  const newRun = (messages: number) => {
    run = new Run(wire, plant, messages);
    return run;
  };
  return {
    async flood({ start_ms, cadence_ms, count }, window, { array = 1, progress } = {}) {
      const flooding = newRun(Math.ceil(count / array));
      const lot = Math.max(1, Math.floor(LOT / array)) * array;
      for (let index = 0; index < count; index += lot) {
        const end = Math.min(count, index + lot);
        const packets: Packet[] = [];
        for (let from = index; from < end; from += array)
          packets.push(
            flooding.make({
              start_ms: start_ms + from * cadence_ms,
              cadence_ms,
              count: Math.min(array, end - from),
            }),
          );
        await flooding.timed(() => flooding.sendAll(packets, window));
        progress?.(end);
      }
      return flooding.end();
    },
    async pace(stretch, signal) {
      const { start_ms, cadence_ms, count } = stretch;
      const pacing = newRun(count);
      const began = performance.now();
      await pacing.timed(async () => {
        for (let index = 0; index < count && signal?.aborted !== true; index += 1) {
          const wait_ms = began + index * cadence_ms - performance.now();
          if (wait_ms > 0) await sleep(wait_ms);
          pacing.send([
            pacing.make({ start_ms: start_ms + index * cadence_ms, cadence_ms, count: 1 }),
          ]);
        }
        await pacing.below(1);
      });
      return pacing.end();
    },
    close: () => wire.close(),
  };
}

/** The messages of one call. */
class Run {
  acknowledged = 0;
  readonly #wire: Wire;
  readonly #plant: Plant;
  readonly #puback_ms: Float64Array;
  /** By packet identifier. */
  readonly #sent_ms = new Float64Array(IDS + 1);
  #inFlight = 0;
  #bytes = 0;
  #took_ms = 0;
  #processor_us = 0;
  #waiting: { readonly below: number; readonly go: () => void } | null = null;
  #problem: Error | null = null;

  constructor(wire: Wire, plant: Plant, messages: number) {
    this.#wire = wire;
    this.#plant = plant;
    this.#puback_ms = new Float64Array(messages);
  }

  /** The message of the plant's next readings. */
  make({ start_ms, cadence_ms, count }: Stretch): Packet {
    const readings = Array.from({ length: count }, (_, place) => {
      this.#plant.advance(start_ms + place * cadence_ms);
      return this.#plant.json();
    });
    const payload = count === 1 ? readings[0] : Buffer.from(`[${readings.join(",")}]`);
    this.#bytes += payload.length;
    return numberedPacket(TOPIC, payload);
  }

  send(packets: readonly Packet[]): void {
    const now_ms = performance.now();
    const first = this.#wire.send(packets);
    this.#inFlight += packets.length;
    for (let place = 0; place < packets.length; place += 1)
      this.#sent_ms[((first - 1 + place) % IDS) + 1] = now_ms;
  }

  /** Sends packets as fast as `window` allows; returns when all are acknowledged. */
  async sendAll(packets: readonly Packet[], window: number): Promise<void> {
    for (let index = 0; index < packets.length; ) {
      await this.below(Math.max(1, Math.ceil(window / 2)));
      const room = window - this.#inFlight;
      this.send(packets.slice(index, index + room));
      index += room;
    }
    await this.below(1);
  }

  acknowledge(ids: readonly number[]): void {
    const now_ms = performance.now();
    for (const id of ids) {
      this.#puback_ms[this.acknowledged] = now_ms - this.#sent_ms[id];
      this.acknowledged += 1;
    }
    this.#inFlight -= ids.length;
    if (this.#inFlight < (this.#waiting?.below ?? 0)) this.#wake();
  }

  fail(problem: Error): void {
    this.#problem = problem;
    this.#wake();
  }

  /** Waits until fewer than `below` are in flight. Throws when one failed or nothing comes. */
  async below(below: number): Promise<void> {
    if (this.#inFlight >= below) {
      const problem = new Error(`no PUBACK for ${PATIENCE_MS / SECOND_MS} s`);
      const silence = setTimeout(() => this.fail(problem), PATIENCE_MS);
      await new Promise<void>((go) => {
        this.#waiting = { below, go };
      });
      clearTimeout(silence);
    }
    if (this.#problem !== null) throw this.#problem;
  }

  /** Runs `part` with the clock running. */
  async timed(part: () => Promise<void>): Promise<void> {
    const began_ms = performance.now();
    const processor = process.cpuUsage();
    await part();
    const { user, system } = process.cpuUsage(processor);
    this.#took_ms += performance.now() - began_ms;
    this.#processor_us += user + system;
  }

  end(): Published {
    return {
      took_s: this.#took_ms / SECOND_MS,
      puback_ms: this.#puback_ms.subarray(0, this.acknowledged).sort(),
      bytes: this.#bytes,
      own_us: this.#processor_us / this.acknowledged,
    };
  }

  #wake(): void {
    this.#waiting?.go();
    this.#waiting = null;
  }
}
