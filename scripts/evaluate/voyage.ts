// A ship as its PLC tells of it, reading by reading: operations of a day at a duty of about 10 %,
// lamps that are replaced in port, and what goes wrong aboard: counters reset late or never, swaps,
// failures at awkward moments, gaps in the record, fouling with cleanings, trimmed power, outliers,
// torn telegrams. What each lamp really is stays known. The same seed gives the same voyage.

import { scaleOfB10 } from "../../src/bwts/lamps/forecast.ts";
import { LAMP_COUNT, LAMP_NUMBERS } from "../../src/bwts/tags.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, printTime } from "../../src/ground/clock.ts";
import { createRandom, type Random } from "../../src/simulator/random.ts";
import { type Ageing, ageing, FAMILY_NAMES } from "./ageing.ts";
import { END_EFFICIENCY, RATED_H } from "./ship.ts";

export type Telegram = Readonly<Record<string, string | number>>;

/** A lamp as it is. */
export interface AboardLamp {
  readonly light: Ageing;
  /** Hours at which it is worn, and at which it fails if it isn't replaced before. */
  readonly worn_h: number;
  readonly failed_h: number;
  hours: number;
  /** Difference between the counter and the hours. */
  counter_off_h: number;
  /** Operations until a counter that wasn't reset is; null: it was, or never will be. */
  reset_in: number | null;
  /** It has failed. */
  isDead: boolean;
}

export interface Voyage {
  /** By position. */
  readonly lamps: readonly AboardLamp[];
  /** Lamps that were fitted so far, the first ones included. */
  fitted(): number;
  /** The readings of the next operation; the port call after it is made when the next begins. */
  operate(): readonly Telegram[];
}

const START_MS = Date.UTC(2016, 0, 1);
const CADENCE_MS = 20 * MINUTE_MS;
const WARM_UP_MS = 10 * MINUTE_MS;
/** Days from the start of an operation to that of the next: 24 h of 10 days are a tenth. */
const PORT_DAYS = [6, 14] as const;
const OPERATION_H = [20, 28] as const;
const HEAD_START_H = 1_500;
/** Probabilities: per operation, replacement or reading. */
const GAP = 0.08;
const TRIMMED = 0.05;
const SWAP = 0.04;
const EARLY = 0.001;
const LATE_RESET = 0.1;
const NO_RESET = 0.05;
const OUTLIER = 0.01;
const TORN = 0.003;
/**
 * Share of the failing lamps that don't light at the start of an operation, instead of failing
 * during it.
 */
const FAILS_AT_START = 0.3;

/** The voyage of a ship that follows from `seed`; `family` is by number of FAMILY_NAMES. */
export function openVoyage(seed: number, family: number): Voyage {
  const random = createRandom(seed);
  const ship = new Ship(random, FAMILY_NAMES[family % FAMILY_NAMES.length]);
  return {
    lamps: ship.lamps,
    fitted: () => ship.fitted,
    operate: () => ship.operate(),
  };
}

class Ship {
  readonly lamps: AboardLamp[];
  fitted = 0;
  readonly #random: Random;
  readonly #family: string;
  readonly #bend: number;
  readonly #failure_shape: number;
  readonly #noise: number;
  readonly #fouls_per_h: number;
  #fouled = 0;
  #cleaned_ms: number;
  #operating_h = 0;
  #clean_at_h = 0;
  #now_ms = START_MS;
  #operation = 0;
  #reading = 0;

  constructor(random: Random, family: string) {
    this.#random = random;
    this.#family = family;
    this.#bend = random.between(0.6, 1.25, "bend");
    this.#failure_shape = random.between(2.5, 4.5, "failure shape");
    this.#noise = random.between(0.003, 0.01, "noise");
    this.#fouls_per_h = random.between(0, 0.03, "fouling") / 300;
    this.#cleaned_ms = START_MS - DAY_MS;
    this.lamps = LAMP_NUMBERS.map((_, position) => this.#usedLamp(position));
  }

  operate(): readonly Telegram[] {
    const random = this.#random;
    const operation = this.#operation;
    if (operation > 0) this.#callAtPort();
    const start_ms = this.#now_ms;
    const lasts_ms = Math.round(random.between(...OPERATION_H, "lasts", operation)) * HOUR_MS;
    const isTrimmed = random.unit("trimmed", operation) < TRIMMED;
    const gap = this.#gapOf(start_ms, lasts_ms);
    this.#failAtStart();
    const readings: Telegram[] = [];
    for (let at_ms = start_ms; at_ms <= start_ms + lasts_ms; at_ms += CADENCE_MS) {
      const isWarm = at_ms - start_ms >= WARM_UP_MS;
      if (at_ms < gap.from_ms || at_ms > gap.to_ms)
        readings.push(this.#reads(at_ms, { isWarm, isTrimmed, state: "RUNNING" }));
      this.#burn(CADENCE_MS / HOUR_MS);
    }
    const end_ms = start_ms + lasts_ms + CADENCE_MS;
    readings.push(this.#reads(end_ms, { isWarm: false, isTrimmed, state: "IDLE" }));
    const days = random.between(...PORT_DAYS, "days", operation);
    this.#now_ms = start_ms + Math.round((days * DAY_MS) / MINUTE_MS) * MINUTE_MS;
    this.#operation += 1;
    return readings;
  }

  /** When readings are missing though water is treated. */
  #gapOf(start_ms: number, lasts_ms: number): { from_ms: number; to_ms: number } {
    const random = this.#random;
    const operation = this.#operation;
    if (random.unit("gap", operation) >= GAP) return { from_ms: end(), to_ms: end() };
    const from_ms = start_ms + lasts_ms * random.between(0.1, 0.6, "gap from", operation);
    return { from_ms, to_ms: from_ms + random.between(2, 8, "gap for", operation) * HOUR_MS };

    function end(): number {
      return start_ms + 2 * lasts_ms;
    }
  }

  #failAtStart(): void {
    for (const [position, lamp] of this.lamps.entries()) {
      const isNear = lamp.failed_h <= lamp.hours + OPERATION_H[0];
      const draw = this.#random.unit("fails at start", this.#operation, position);
      if (isNear && draw < FAILS_AT_START) lamp.isDead = true;
    }
  }

  #burn(hours: number): void {
    this.#operating_h += hours;
    this.#fouled += this.#fouls_per_h * hours;
    for (const lamp of this.lamps) {
      if (lamp.isDead) continue;
      lamp.hours += hours;
      if (lamp.hours >= lamp.failed_h) lamp.isDead = true;
    }
  }

  #callAtPort(): void {
    const random = this.#random;
    const operation = this.#operation;
    if (this.#operating_h >= this.#clean_at_h) {
      this.#fouled *= random.between(0, 0.2, "left by cleaning", operation);
      this.#cleaned_ms = this.#now_ms - 6 * HOUR_MS;
      this.#clean_at_h = this.#operating_h + random.between(150, 400, "cleaned", operation);
    }
    for (const [position, lamp] of this.lamps.entries()) {
      this.#resetLate(lamp);
      const isWorn = lamp.hours > lamp.worn_h + random.between(0, 100, "worn seen", position);
      const isEarly = random.unit("early", operation, position) < EARLY;
      if (lamp.isDead || isWorn || isEarly) this.#replace(position);
    }
    if (random.unit("swap", operation) < SWAP) this.#swap();
  }

  #resetLate(lamp: AboardLamp): void {
    if (lamp.reset_in === null) return;
    lamp.reset_in -= 1;
    if (lamp.reset_in > 0) return;
    lamp.counter_off_h = -lamp.hours;
    lamp.reset_in = null;
  }

  #replace(position: number): void {
    const shown_h = this.lamps[position].hours + this.lamps[position].counter_off_h;
    const lamp = this.#newLamp();
    const draw = this.#random.unit("reset", this.fitted);
    if (draw < LATE_RESET + NO_RESET) lamp.counter_off_h = shown_h;
    if (draw < LATE_RESET) lamp.reset_in = 2;
    this.lamps[position] = lamp;
  }

  #swap(): void {
    const one = Math.floor(this.#random.unit("swap one", this.#operation) * LAMP_COUNT);
    const step = this.#random.unit("swap other", this.#operation) * (LAMP_COUNT - 1);
    const other = (one + 1 + Math.floor(step)) % LAMP_COUNT;
    [this.lamps[one], this.lamps[other]] = [this.lamps[other], this.lamps[one]];
  }

  /** A lamp that is at work when the record begins: of those that have failed another was taken. */
  #usedLamp(position: number): AboardLamp {
    const hours = this.#random.between(0, HEAD_START_H, "head start", position);
    for (;;) {
      const lamp = this.#newLamp();
      if (Math.min(lamp.worn_h, lamp.failed_h) > hours) return { ...lamp, hours };
    }
  }

  #newLamp(): AboardLamp {
    const random = this.#random;
    const number = this.fitted;
    this.fitted += 1;
    const worn_h = RATED_H * random.between(0.7, 2, "worn", number);
    const chance = -Math.log(1 - random.unit("failure", number));
    const shape = this.#failure_shape;
    const course = {
      start: 1 + 0.015 * random.bell("start", number),
      end: END_EFFICIENCY,
      end_h: worn_h,
      bend: this.#bend * Math.exp(0.08 * random.bell("own bend", number)),
    };
    return {
      light: ageing(this.#family, course),
      worn_h,
      failed_h: scaleOfB10(RATED_H, shape) * chance ** (1 / shape),
      hours: 0,
      counter_off_h: 0,
      reset_in: null,
      isDead: false,
    };
  }

  #reads(
    at_ms: number,
    { isWarm, isTrimmed, state }: { isWarm: boolean; isTrimmed: boolean; state: string },
  ): Telegram {
    const random = this.#random;
    const reading = this.#reading;
    this.#reading += 1;
    const isOn = state === "RUNNING";
    const power = isTrimmed ? 55 : 80;
    const members: Record<string, string | number> = {
      timestamp: printTime(at_ms),
      PROCESS_STATE: state,
      UVR_POWER_SETPOINT: power,
      UVR_POWER_OUTPUT: isOn ? power : 0,
      CIP_HOURS_SINCE_LAST: tenths((at_ms - this.#cleaned_ms) / HOUR_MS),
    };
    for (const [position, lamp] of this.lamps.entries()) {
      const name = `LAMP_${LAMP_NUMBERS[position]}`;
      const dimmed = (isTrimmed ? 0.8 : 1) * (isWarm ? 1 : 0.6);
      const light = this.#seen(lamp, [reading, position]) * dimmed;
      members[`${name}_STATUS`] = lamp.isDead ? "FAILED" : isOn ? "ACTIVE" : "STANDBY";
      members[`${name}_EFFICIENCY`] = lamp.isDead || !isOn ? 0 : tenths(100 * light);
      members[`${name}_RUNTIME`] = tenths(lamp.hours + lamp.counter_off_h);
      members[`${name}_POWER`] = lamp.isDead || !isOn ? 0 : 47 * power;
    }
    if (random.unit("torn", reading) < TORN) this.#tear(members, reading);
    return members;
  }

  /** The light as the PLC has it, as a share of new. */
  #seen({ light, hours }: AboardLamp, keys: readonly number[]): number {
    const random = this.#random;
    const burn_in = 1 + 0.015 * Math.exp(-hours / 40);
    const off = 1 + this.#noise * random.bell("noise", ...keys);
    const isOutlier = random.unit("outlier", ...keys) < OUTLIER;
    const outlier = isOutlier ? random.between(0.5, 1.1, "outlier by", ...keys) : 1;
    return light(hours) * burn_in * off * outlier * (1 - this.#fouled);
  }

  /** A telegram that came torn: of one lamp nonsense, or nothing. */
  #tear(members: Record<string, string | number>, reading: number): void {
    const random = this.#random;
    const at = Math.floor(random.unit("torn lamp", reading) * LAMP_COUNT);
    const name = `LAMP_${LAMP_NUMBERS[at]}`;
    const how = Math.floor(random.unit("torn how", reading) * 4);
    if (how === 0) members[`${name}_RUNTIME`] = 0;
    else if (how === 1) members[`${name}_RUNTIME`] = 65_535;
    else if (how === 2) members[`${name}_STATUS`] = "FAILED";
    else for (const field of ["STATUS", "EFFICIENCY"]) delete members[`${name}_${field}`];
  }
}

const tenths = (value: number): number => Math.round(value * 10) / 10;
