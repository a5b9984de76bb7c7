// The readings that the benchmark stores: a seeded plant at work without a break (an idle one would
// compress better), all 101 fields, at a fixed cadence. Signals drift slowly, with noise and
// decimals like the plant simulator's; lamps age, fail and are replaced; counters count. Own code
// and not the simulator, because that one can't give exactly N readings, and making one must cost
// little beside storing it: some 15 µs with its JSON. Figures are kept as scaled integers.

import type { Scalar } from "../../src/bwts/reading.ts";
import { indexOfLampTag, indexOfTag, LAMP_COUNT, TAGS, type TagName } from "../../src/bwts/tags.ts";
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  monthOf,
  printTime,
  SECOND_MS,
} from "../../src/ground/clock.ts";
import { seededRandom } from "./random.ts";

/** A series of `readings` readings from `start_ms` on, `cadence_ms` apart. */
export interface Series {
  readonly seed: number;
  readonly readings: number;
  readonly cadence_ms: number;
  readonly start_ms: number;
  /** The time of the last one. */
  readonly end_ms: number;
}

/** 24 months. */
const SPAN_MS = 730 * DAY_MS;

/** Room between the series and now for readings that are stored after it, a second apart. */
const ROOM_MS = 2 * HOUR_MS;

/** As many readings over 24 months up to two hours ago, whole seconds apart. */
export function seriesOf(given: { seed: number; readings: number; now_ms: number }): Series {
  const { seed, readings, now_ms } = given;
  const cadence_ms = Math.floor(SPAN_MS / readings / SECOND_MS) * SECOND_MS;
  if (cadence_ms === 0) throw new Error(`readings: got ${readings}, expected 1 to 63072000`);
  const end_ms = Math.floor((now_ms - ROOM_MS) / HOUR_MS) * HOUR_MS;
  return { seed, readings, cadence_ms, start_ms: end_ms - (readings - 1) * cadence_ms, end_ms };
}

/** The plant; `advance` first, then what it says at that time in either form. */
export interface Plant {
  advance(at_ms: number): void;
  /** By index into TAGS; entry 0 is the time as text. */
  values(): readonly Scalar[];
  /** One MQTT payload. */
  json(): Buffer;
}

// name, decimals, middle, how far it drifts, noise (a standard deviation).
type Signal = readonly [TagName, number, number, number, number];
const SIGNALS: readonly Signal[] = [
  ["UVR_INTENSITY", 1, 620, 50, 3],
  ["UVR_INTENSITY_NORMALIZED", 1, 88, 5, 0.4],
  ["UVR_POWER_OUTPUT", 1, 76, 5, 0.4],
  ["UVR_POWER_SETPOINT", 1, 76, 5, 0],
  ["UVR_WATER_TEMP", 1, 20, 5, 0.05],
  ["LDC_AIR_TEMP", 1, 36, 2, 0],
  ["LDC_FAN_SPEED", 0, 1450, 15, 6],
  ["FLT_DIFF_PRESSURE", 3, 0.3, 0.05, 0.006],
  ["SYS_FLOW_RATE", 1, 800, 30, 9.6],
  ["SYS_PRESSURE", 3, 4.2, 0.2, 0.04],
  ["SYS_VALVE_POSITION", 1, 78, 2, 0.4],
  ["PLC_CPU_USAGE", 1, 18, 3, 1.5],
  ["PLC_RAM_USAGE", 1, 42, 3, 0],
  ["PLC_CPU_TEMP", 1, 49, 1.5, 0],
  ["WATER_QUALITY_FACTOR", 3, 0.95, 0.02, 0],
];
const TEXTS: Readonly<Partial<Record<TagName, string>>> = {
  system_id: "BWTS-001",
  UVR_LEVEL: "OPERATIONAL",
  LDC_FAN_STATUS: "RUNNING",
  COMPLIANCE_MODE: "IMO",
  WATER_QUALITY: "NORMAL",
};
const PORTS = ["Singapore", "Rotterdam", "Shanghai", "Long Beach", "Yokohama"];

const DRIFT_MS = 6 * HOUR_MS;
const OPERATION_MS = 24 * HOUR_MS;
const BACKFLUSH_EVERY_MS = 2 * HOUR_MS;
const BACKFLUSH_MS = 3 * MINUTE_MS;
const CLEANED_EVERY_H = 720;
const RATED_LAMP_W = 4700;
const FAILED_FOR_H = 24;
/** Scaled integers below this have their text kept. */
const CACHED_TEXTS = 2 ** 19;

/** The plant of a series, as it was before its first reading. */
export function openPlant(series: Series): Plant {
  const state = new State(series);
  return {
    advance: (at_ms) => state.advance(at_ms),
    values: () => state.values(),
    json: () => Buffer.from(state.json(), "latin1"),
  };
}

class State {
  readonly #bell: () => number;
  readonly #keep: number;
  readonly #start_ms: number;
  #at_ms: number;
  /** Scaled by their decimals; what isn't a number is in #others. */
  readonly #scaled = new Int32Array(TAGS.length);
  /** -1 for what isn't a number. */
  readonly #decimals = new Int8Array(TAGS.length).fill(-1);
  readonly #others: (string | boolean)[] = TAGS.map(() => false);
  readonly #drifts = new Float64Array(SIGNALS.length);
  readonly #lamps: readonly { readonly life_h: number; readonly used_h: number }[];
  #volumes_m3 = { ballast: 250_000, deballast: 240_000 };

  constructor({ seed, cadence_ms, start_ms }: Series) {
    const unit = seededRandom(seed).next;
    // Four draws of 16 bits are bell-shaped enough.
    this.#bell = () => (unit() + unit() + unit() + unit() - 2) * Math.sqrt(3);
    this.#keep = Math.exp(-cadence_ms / DRIFT_MS);
    this.#start_ms = start_ms;
    this.#at_ms = start_ms;
    this.#lamps = Array.from({ length: LAMP_COUNT }, () => {
      const life_h = 2800 + 600 * unit();
      return { life_h, used_h: life_h * unit() };
    });
    for (const [name, text] of Object.entries(TEXTS)) this.#others[indexByName(name)] = text;
  }

  advance(at_ms: number): void {
    const passed_h = (at_ms - this.#at_ms) / HOUR_MS;
    this.#at_ms = at_ms;
    this.#others[0] = printTime(at_ms);
    this.#put("month", 0, monthOf(at_ms));
    const fresh = Math.sqrt(1 - this.#keep ** 2);
    for (const [index, [name, decimals, middle, swing, noise]] of SIGNALS.entries()) {
      const drift = this.#keep * this.#drifts[index] + fresh * this.#bell();
      this.#drifts[index] = drift;
      const noisy = noise === 0 ? 0 : noise * this.#bell();
      this.#put(name, decimals, middle + swing * drift + noisy);
    }
    this.#operate(at_ms, passed_h);
    this.#age((at_ms - this.#start_ms) / HOUR_MS);
  }

  values(): readonly Scalar[] {
    return Array.from(this.#decimals, (decimals, index) =>
      decimals < 0 ? this.#others[index] : this.#scaled[index] / 10 ** decimals,
    );
  }

  json(): string {
    let text = "";
    for (let index = 0; index < TAGS.length; index += 1) {
      const decimals = this.#decimals[index];
      text += KEYS[index];
      if (decimals >= 0) text += numberText(this.#scaled[index], decimals);
      else text += quoted(this.#others[index]);
    }
    return `${text}}`;
  }

  #operate(at_ms: number, passed_h: number): void {
    const operation = Math.floor(at_ms / OPERATION_MS);
    const ballasting = operation % 2 === 0;
    const flushing = ballasting && at_ms % BACKFLUSH_EVERY_MS < BACKFLUSH_MS;
    const flushes = Math.floor((at_ms - this.#start_ms) / BACKFLUSH_EVERY_MS / 2);
    const volume_m3 = (this.#scaled[FLOW] / 10) * passed_h;
    this.#volumes_m3[ballasting ? "ballast" : "deballast"] += volume_m3;
    this.#others[OPERATION] = ballasting ? "BALLAST" : "DEBALLAST";
    this.#others[LOCATION] = PORTS[operation % PORTS.length] ?? "";
    this.#others[PROCESS] = flushing ? "BACKFLUSH" : "RUNNING";
    this.#others[MOTOR] = flushing ? "BACKFLUSHING" : ballasting ? "NORMAL" : "STANDBY";
    this.#others[FLUSHING] = flushing;
    this.#put("FLT_BACKFLUSH_COUNT", 0, 200 + flushes);
    this.#put("SYS_TOTAL_BALLAST_VOL", 1, this.#volumes_m3.ballast);
    this.#put("SYS_TOTAL_DEBALLAST_VOL", 1, this.#volumes_m3.deballast);
    this.#put("CIP_HOURS_SINCE_LAST", 2, ((at_ms - this.#start_ms) / HOUR_MS) % CLEANED_EVERY_H);
  }

  #age(elapsed_h: number): void {
    const power_w = (RATED_LAMP_W * this.#scaled[SETPOINT]) / 1000;
    let failed = 0;
    let sum_pct = 0;
    for (const [index, { life_h, used_h }] of this.#lamps.entries()) {
      const [status, efficiency, runtime, power] = LAMPS[index];
      const hours = (used_h + elapsed_h) % life_h;
      const works = hours < life_h - FAILED_FOR_H;
      const efficiency_pct = works ? 100 - hours / 100 + 0.25 * this.#bell() : 0;
      this.#others[status] = works ? "ACTIVE" : "FAILED";
      this.#set(efficiency, 1, efficiency_pct);
      this.#set(runtime, 2, hours);
      this.#set(power, 0, works ? power_w * (1 + 0.006 * this.#bell()) : 0);
      failed += works ? 0 : 1;
      sum_pct += efficiency_pct;
    }
    const mean_pct = sum_pct / Math.max(1, LAMP_COUNT - failed);
    this.#put("AVG_LAMP_EFFICIENCY", 1, mean_pct);
    this.#put("FAILED_LAMP_COUNT", 0, failed);
    this.#put("DEGRADATION_IMPACT_PCT", 1, 100 - mean_pct);
    this.#put("POWER_COMPENSATION_PCT", 1, 0.6 * (100 - mean_pct));
  }

  #put(name: TagName, decimals: number, value: number): void {
    this.#set(indexOfTag(name), decimals, value);
  }

  #set(index: number, decimals: number, value: number): void {
    this.#decimals[index] = decimals;
    this.#scaled[index] = Math.round(value * 10 ** decimals);
  }
}

const [FLOW, SETPOINT] = [indexOfTag("SYS_FLOW_RATE"), indexOfTag("UVR_POWER_SETPOINT")];
const [OPERATION, LOCATION] = [indexOfTag("operation_type"), indexOfTag("location")];
const [PROCESS, MOTOR] = [indexOfTag("PROCESS_STATE"), indexOfTag("FLT_MOTOR_STATUS")];
const FLUSHING = indexOfTag("FLT_BACKFLUSH_ACTIVE");
const LAMPS = Array.from({ length: LAMP_COUNT }, (_, lamp) => [
  indexOfLampTag(lamp, "STATUS"),
  indexOfLampTag(lamp, "EFFICIENCY"),
  indexOfLampTag(lamp, "RUNTIME"),
  indexOfLampTag(lamp, "POWER"),
]);
const KEYS = TAGS.map(({ name }, index) => `${index === 0 ? "{" : ","}"${name}":`);

function indexByName(name: string): number {
  return TAGS.findIndex((tag) => tag.name === name);
}

const texts = Array.from({ length: 4 }, () => new Array<string | undefined>(CACHED_TEXTS));

/** A scaled integer as JSON prints the number; most come again and again. */
function numberText(scaled: number, decimals: number): string {
  if (scaled < 0 || scaled >= CACHED_TEXTS) return String(scaled / 10 ** decimals);
  const known = texts[decimals];
  known[scaled] ??= String(scaled / 10 ** decimals);
  return known[scaled];
}

/** None of the texts here has a character that JSON escapes. */
function quoted(value: string | boolean): string {
  return typeof value === "string" ? `"${value}"` : String(value);
}
