// A ship with three clocks: the truth, the box's and the PLC's, of which the last two may be wrong
// by any amount. A store runs by the box's; the steady clock is the truth while the box is on.

import type { BoxClocks } from "../../src/ground/clock.ts";
import { MINUTE_MS, printTime, SECOND_MS } from "../../src/ground/clock.ts";
import type { ExpiryResult, KeepResult } from "../../src/sqlite/sealed/retention.ts";
import { openRig, type Rig, temporaryFolder } from "./database.ts";
import { messageOf } from "./decoding.ts";
import { ended } from "./whole-store.ts";

export class ClockWorld {
  true_ms: number;
  /** The box's and the PLC's clocks less the truth. */
  box_ms: number;
  plc_ms = 0;
  readonly #built_ms: number;
  readonly #dir = temporaryFolder();
  #rig: Rig;
  /** When each reading was sent in truth, by the time that the PLC gave it. */
  readonly sent = new Map<number, number>();

  constructor(true_ms: number, built_ms: number, box_ms = 0) {
    this.true_ms = true_ms;
    this.box_ms = box_ms;
    this.#built_ms = built_ms;
    this.#rig = this.#opened();
  }

  get store() {
    return this.#rig.store;
  }

  get db() {
    return this.#rig.db;
  }

  get now_ms(): number {
    return this.true_ms + this.box_ms;
  }

  #opened(): Rig {
    const started_ms = this.true_ms;
    const clocks: BoxClocks = {
      now_ms: () => this.now_ms,
      steady_ms: () => this.true_ms - started_ms,
    };
    return openRig({ clocks, built_ms: this.#built_ms }, this.#dir);
  }

  /** Off, `dark_ms` in the dark, and on again. */
  restart(dark_ms = MINUTE_MS): void {
    this.#rig.close();
    this.true_ms += dark_ms;
    this.#rig = this.#opened();
  }

  /** Time goes on, and the writer looks at its clocks. */
  pass(ms: number): void {
    this.true_ms += ms;
    this.store.recordSteps();
  }

  /** The PLC sends a reading; whether it was stored. */
  send(): boolean {
    const at_ms = this.true_ms + this.plc_ms;
    const message = messageOf(
      "telemetry",
      { timestamp: printTime(at_ms), SYS_PRESSURE: 4 },
      { received_ms: this.now_ms },
    );
    const isStored = this.store.commit([message]).readings === 1;
    if (isStored) this.sent.set(at_ms, this.true_ms);
    return isStored;
  }

  /** Twelve minutes of readings, the rest of a day, and what is done at night. */
  night(months = 24): ExpiryResult | KeepResult | null {
    for (let minute = 0; minute < 12; minute += 1) {
      this.pass(MINUTE_MS);
      this.send();
    }
    this.pass((24 * 60 - 12) * MINUTE_MS);
    while (this.store.sealOld(this.now_ms));
    this.pass(SECOND_MS);
    return ended(this.store.expire(months));
  }

  /** Sets a clock right, to a date, or by so much. */
  set(clock: "box_ms" | "plc_ms", date: number | null): void {
    this[clock] = date === null ? 0 : date - this.true_ms;
  }

  close(): void {
    this.#rig.close();
  }
}
