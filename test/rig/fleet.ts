// A ship whose lamps are known to the hour: operations of a day every ten days, sixteen lamps that
// age by a curve of their own, and whatever a test does to them in port. What a PLC would say of
// it, to be published or imported.

import type { LampConfig } from "../../src/bwts/lamps/outlook.ts";
import { LAMP_NUMBERS } from "../../src/bwts/tags.ts";
import type { Random } from "./random.ts";

/** A lamp as it really is. */
export interface TrueLamp {
  hours: number;
  /** Difference between its counter and its hours. */
  counter_off_h: number;
  /** Hours at which it gives 70 %. */
  readonly worn_h: number;
  readonly bend: number;
  failed: boolean;
}

export type Member = readonly [name: string, value: string | number];
export type PlcReading = Readonly<Record<string, string | number>>;

export interface Fleet {
  readonly lamps: TrueLamp[];
  /** One operation of `hours`, then `days` in all until the next. */
  operate(options?: OperateOptions): readonly PlcReading[];
  /** The time of the next reading. */
  now_ms(): number;
}

export interface OperateOptions {
  readonly hours?: number;
  readonly days?: number;
  /** Called before each reading. */
  readonly before?: (elapsed_h: number) => void;
  readonly alter?: (reading: Record<string, string | number>) => void;
}

export const FLEET_START_MS = Date.UTC(2024, 0, 1);
const HOUR_MS = 3_600_000;
const CADENCE_MS = 10 * 60_000;

export const LAMP_CONFIG: LampConfig = {
  lamps: { rated_hours: 3000, end_of_life_efficiency: 70, horizon_hours: 500 },
  limits: {
    ...{ uv_target: 650, flow_max_imo: 1000, cabinet_warn: 45, cabinet_trip: 60 },
    ...{
      dp_warn: 0.5,
      dp_alarm: 1,
      flow_max_uscg: 1000,
      uv_imo: 252,
      uv_uscg: 530,
      cip_hours: 720,
      ...{ beyond_seconds: 60, warmup_seconds: 60, stopping_seconds: 60 },
    },
    source: "the test",
  },
};

export function newLamp(random: Random, hours = 0): TrueLamp {
  const worn_h = 2100 + random.next() * 3900;
  return { hours, counter_off_h: 0, worn_h, bend: 0.7 + random.next() * 0.6, failed: false };
}

/** Its light in % of new. */
export function lightOf({ hours, worn_h, bend }: TrueLamp): number {
  return 100 * Math.exp(Math.log(0.7) * (hours / worn_h) ** bend);
}

const DAY_MS = 24 * HOUR_MS;

/** The start of so many operations of ten days each, so that the last began five days ago. */
export const recentStart = (operations: number) =>
  Math.floor(Date.now() / DAY_MS - operations * 10 + 5) * DAY_MS;

/** Sixteen lamps, the first of `hours` each. */
export function openFleet(
  random: Random,
  hours: (lamp: number) => number,
  start_ms = FLEET_START_MS,
): Fleet {
  const lamps = LAMP_NUMBERS.map((_, index) => newLamp(random, hours(index)));
  let now_ms = start_ms;
  return {
    lamps,
    now_ms: () => now_ms,
    operate({ hours: lasts_h = 24, days = 10, before = () => {}, alter = () => {} } = {}) {
      const began_ms = now_ms;
      const readings: PlcReading[] = [];
      for (; now_ms <= began_ms + lasts_h * HOUR_MS; now_ms += CADENCE_MS) {
        before((now_ms - began_ms) / HOUR_MS);
        const reading = readingOf(lamps, now_ms, random);
        alter(reading);
        readings.push(reading);
        for (const lamp of lamps) if (!lamp.failed) lamp.hours += CADENCE_MS / HOUR_MS;
      }
      now_ms = began_ms + days * DAY_MS;
      return readings;
    },
  };
}

function readingOf(lamps: readonly TrueLamp[], at_ms: number, random: Random) {
  const members: Record<string, string | number> = {
    timestamp: new Date(at_ms).toISOString(),
    PROCESS_STATE: "RUNNING",
    UVR_POWER_SETPOINT: 80,
    UVR_POWER_OUTPUT: 80,
    UVR_INTENSITY: 640,
    CIP_HOURS_SINCE_LAST: 100,
  };
  for (const [index, lamp] of lamps.entries()) {
    const name = `LAMP_${LAMP_NUMBERS[index]}`;
    const noise = random.next() + random.next() - 1;
    members[`${name}_STATUS`] = lamp.failed ? "FAILED" : "ACTIVE";
    members[`${name}_EFFICIENCY`] = lamp.failed ? 0 : rounded(lightOf(lamp) + noise);
    members[`${name}_RUNTIME`] = rounded(lamp.hours + lamp.counter_off_h);
    members[`${name}_POWER`] = lamp.failed ? 0 : 3760;
  }
  return members;
}

const rounded = (value: number) => Math.round(value * 10) / 10;
