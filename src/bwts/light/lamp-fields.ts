// The fields of a reading from which lamp lives are derived: whether water was treated, the power,
// the UV intensity, and for each lamp whether it burns, its brightness and its hour counter.

import type { HealthLimits } from "../health.ts";
import { isPlausible } from "../plausible.ts";
import { lampStatusOf } from "../plc-word.ts";
import { asNumber, type Value } from "../reading.ts";
import { indexOfLampTag, indexOfTag, LAMP_NUMBERS, type Span } from "../tags.ts";
import { isTreatingState } from "../treating.ts";

export type Burning = "lit" | "dark" | "failed";

export interface LampSight {
  /** State of the lamp; null if the reading doesn't show it. */
  readonly burning: Burning | null;
  readonly efficiency_pct: number | null;
  readonly counter_h: number | null;
  readonly power_w: number | null;
}

export interface Sight {
  readonly at_ms: number;
  readonly treating: boolean;
  readonly setpoint_pct: number | null;
  readonly since_cleaning_h: number | null;
  readonly intensity_w_m2: number | null;
  /** The water factor; 1 is clear water. */
  readonly water: number | null;
  readonly water_c: number | null;
  /** The lamps by position, 0 to 15. */
  readonly lamps: readonly LampSight[];
}

const STATE = indexOfTag("PROCESS_STATE");
const FLOW = indexOfTag("SYS_FLOW_RATE");
const SETPOINT = indexOfTag("UVR_POWER_SETPOINT");
const SINCE_CLEANING = indexOfTag("CIP_HOURS_SINCE_LAST");
const INTENSITY = indexOfTag("UVR_INTENSITY");
const WATER = indexOfTag("WATER_QUALITY_FACTOR");
const WATER_TEMP = indexOfTag("UVR_WATER_TEMP");
const LAMPS = LAMP_NUMBERS.map((_, lamp) => ({
  status: indexOfLampTag(lamp, "STATUS"),
  efficiency: indexOfLampTag(lamp, "EFFICIENCY"),
  counter: indexOfLampTag(lamp, "RUNTIME"),
  power: indexOfLampTag(lamp, "POWER"),
}));

/** The fields of a sight, as indices into `TAGS`. */
export const SIGHT_TAGS: readonly number[] = [
  STATE,
  FLOW,
  SETPOINT,
  SINCE_CLEANING,
  INTENSITY,
  WATER,
  WATER_TEMP,
  ...LAMPS.flatMap(({ status, efficiency, counter, power }) => [
    status,
    efficiency,
    counter,
    power,
  ]),
];

/** The lamps' hour counters, as indices into `TAGS`. */
export const COUNTER_TAGS: readonly number[] = LAMPS.map(({ counter }) => counter);

/** Range of a counter in another unit: above a lamp's hours, up to as many in seconds. */
const OTHER_UNITS: Span = [200_000, 200_000 * 3600];

/**
 * The value of a counter if it is too high for hours but may be minutes or seconds (unit.ts); else
 * null, since it isn't plausible.
 */
export function counterInOtherUnit(value: Value): Value {
  return isPlausible(value, OTHER_UNITS) ? value : null;
}

/** Reads one sight after the other into the same object, instead of allocating millions. */
export interface SightReader {
  /**
   * The sight of a reading, valid until the next call; `value` gives a field by its index into
   * `TAGS`.
   */
  read(at_ms: number, value: (tag: number) => Value): Sight;
}

export function openSightReader(limits: Pick<HealthLimits, "flow_max_imo">): SightReader {
  const lamps: Unfrozen<LampSight>[] = LAMPS.map(() => ({
    burning: null,
    efficiency_pct: null,
    counter_h: null,
    power_w: null,
  }));
  const sight: Unfrozen<Sight> = {
    at_ms: 0,
    treating: false,
    setpoint_pct: null,
    since_cleaning_h: null,
    intensity_w_m2: null,
    water: null,
    water_c: null,
    lamps,
  };
  return {
    read(at_ms, value) {
      const treating = isTreatingState(value(STATE), value(FLOW), limits);
      const plant = { treating, isTold: value(STATE) !== null };
      sight.at_ms = at_ms;
      sight.treating = treating;
      sight.setpoint_pct = asNumber(value(SETPOINT));
      sight.since_cleaning_h = asNumber(value(SINCE_CLEANING));
      sight.intensity_w_m2 = asNumber(value(INTENSITY));
      sight.water = asNumber(value(WATER));
      sight.water_c = asNumber(value(WATER_TEMP));
      for (let position = 0; position < LAMPS.length; position += 1) {
        const tags = LAMPS[position];
        const lamp = lamps[position];
        lamp.efficiency_pct = lightOf(value(tags.efficiency));
        lamp.counter_h = counterOf(value(tags.counter));
        lamp.power_w = asNumber(value(tags.power));
        const word = value(tags.status);
        const told = typeof word === "string" ? burningOf(word) : "unknown";
        lamp.burning = told === "unknown" ? shining(lamp, plant) : told;
      }
      if (treating) dropFractions(lamps);
      return sight;
    },
  };
}

type Unfrozen<Frozen> = { -readonly [Name in keyof Frozen]: Frozen[Name] };

/** A new sight of one reading; `value` gives a field by its index into `TAGS`. */
export function sightOf(
  at_ms: number,
  value: (tag: number) => Value,
  limits: Pick<HealthLimits, "flow_max_imo">,
): Sight {
  return openSightReader(limits).read(at_ms, value);
}

/**
 * The state of a lamp without a known status word: lit with output or power while water is treated;
 * dark without, or while the plant reports another state; null if nothing shows it.
 */
function shining({ efficiency_pct, power_w }: LampSight, plant: PlantSeen): Burning | null {
  const output = power_w === 0 ? 0 : (efficiency_pct ?? power_w);
  if (output === null) return null;
  if (output <= 0) return "dark";
  if (plant.treating) return "lit";
  return plant.isTold ? "dark" : null;
}

interface PlantSeen {
  readonly treating: boolean;
  /** True if the reading has the plant's state. */
  readonly isTold: boolean;
}

/** Maximum number of cached status words: PLCs send a handful of words, millions of times. */
const WORDS_MAX = 200;
const words = new Map<string, Burning | "unknown">();

function burningOf(word: string): Burning | "unknown" {
  const known = words.get(word);
  if (known !== undefined) return known;
  const status = lampStatusOf(word);
  const burning = status === "active" ? "lit" : status === "standby" ? "dark" : status;
  if (words.size < WORDS_MAX) words.set(word, burning);
  return burning;
}

/** Maximum output (%) of all burning lamps at which it must be in fractions of 1. */
const FRACTION_MAX_PCT = 1.5;

/** Drops all lamps' output if that of lit lamps can't be in percent: it is sent in fractions. */
function dropFractions(lamps: readonly Unfrozen<LampSight>[]): void {
  // By index: this runs for each lamp of millions of readings.
  for (let position = 0; position < lamps.length; position += 1) {
    const { burning, efficiency_pct } = lamps[position];
    if (burning === "lit" && efficiency_pct !== null && efficiency_pct > FRACTION_MAX_PCT) return;
  }
  for (const lamp of lamps) lamp.efficiency_pct = null;
}

/** Maximum output that is taken: ten times a new lamp's; more is nonsense of a PLC. */
const LIGHT_MAX_PCT = 1_000;

function lightOf(value: Value): number | null {
  return typeof value === "number" && value <= LIGHT_MAX_PCT ? value : null;
}

/** Maximum counter that is taken: three years in seconds; no lamp burns longer. */
const COUNTER_MAX = 1e8;

function counterOf(value: Value): number | null {
  return typeof value === "number" && value >= 0 && value <= COUNTER_MAX ? value : null;
}
