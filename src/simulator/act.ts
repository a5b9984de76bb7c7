// The four stories for demonstrations and acceptance tests, each as one or two short operations
// ("acts"): the ordinary plant at that time with a fault added, which may leave the typical ranges.
// The figures are those of the stories.

import type { Scalar } from "../bwts/reading.ts";
import { DAY_MS, MINUTE_MS } from "../ground/clock.ts";
import { type Alarm, alarmEvent, filterAlarm, type PlantEvent, UV_LIMITS_W_M2 } from "./alarm.ts";
import { type FittedLamp, lampStateAt } from "./lamp.ts";
import {
  BACKFLUSH_MS,
  backflushesAt,
  type PlantOperation,
  volumeAt,
  WARMUP_MS,
} from "./operation.ts";
import { LAMP_MEMBERS, meanEfficiency, POWER_MAX_PCT, setpointAt, settled } from "./plant.ts";
import { LONG_BEACH, type Port, SHANGHAI, SINGAPORE, YOKOHAMA } from "./port.ts";
import type { Random } from "./random.ts";
import type { Cleaning, Leg } from "./voyage.ts";

export type PlantMembers = Readonly<Record<string, Scalar>>;

/** One operation of a story, and the cleaning after it if the leg has one. */
export interface StoryAct {
  readonly leg: Leg;
  /** The plant's altered members, from its usual ones at that instant. */
  readonly alter: (members: PlantMembers, at_ms: number) => PlantMembers;
  readonly alarms: readonly PlantEvent[];
}

/** Makes the acts of a story that ends at `end_ms`; `usual` is the ship at that time. */
export type MakeActs = (usual: Leg, end_ms: number, random: Random) => readonly StoryAct[];

/** A: intensity 650 to 490 W/m2 in 3 hours; lamp 7 past 3,000 h, cleaned 47 days ago. */
export const intensityFalls: MakeActs = (usual, end_ms, random) => {
  const operation = shortOperation(usual, "DEBALLAST", LONG_BEACH, end_ms - 210 * MINUTE_MS, 210);
  const ramp_ms = operation.start_ms + 20 * MINUTE_MS;
  const intensity = (at_ms: number) => ramp(at_ms, ramp_ms, 180, 650, 490);
  // Lamp 7: 57 % of a new lamp's output after 3,041 h.
  const worn: FittedLamp = {
    ...sound(usual.lamps[6]),
    hours_at_start: 3041,
    decay_per_h: 1.85e-4,
  };
  const limit = UV_LIMITS_W_M2.USCG;
  const alarm_ms = ramp_ms + Math.ceil((180 * (650 - limit)) / (650 - 490) + 1) * MINUTE_MS;
  const alarm: Alarm = {
    code: "UV_LOW",
    explanation: "UV intensity below the USCG limit",
    parameter: "UVR_INTENSITY",
    value: settled("UVR_INTENSITY", intensity(alarm_ms)),
    limit,
  };
  return [
    {
      leg: {
        ...usual,
        operation,
        lamps: usual.lamps.map((lamp, index) => (index === 6 ? worn : sound(lamp))),
        cleaned_ms: operation.start_ms - 47 * DAY_MS,
        cleaning: null,
      },
      alter(members, at_ms) {
        if (at_ms < operation.start_ms + WARMUP_MS) return members;
        const now_w_m2 = intensity(at_ms);
        const noise = 1 + 0.002 * random.bell("story", at_ms);
        return withPower(withIntensity(members, now_w_m2 * noise), setpointAt(now_w_m2));
      },
      alarms: [alarmEvent(operation, alarm_ms, alarm)],
    },
  ];
};

/** B: the filter goes from 0.3 to 1.2 bar in 40 minutes, three backflushes don't help. */
export const filterClogs: MakeActs = (usual, end_ms, random) => {
  const start_ms = end_ms - 75 * MINUTE_MS;
  const operation = shortOperation(usual, "BALLAST", SHANGHAI, start_ms, 75);
  const ramp_ms = start_ms + 15 * MINUTE_MS;
  const flushes = [7, 16, 25].map((minute) => ramp_ms + minute * MINUTE_MS);
  const pressure = (at_ms: number) => ramp(at_ms, ramp_ms, 40, 0.3, 1.2);
  const limit_bar = 1;
  const alarm_ms = ramp_ms + 32 * MINUTE_MS;
  return [
    {
      leg: { ...usual, operation, lamps: usual.lamps.map(sound), cleaning: null },
      alter(members, at_ms) {
        if (members.PROCESS_STATE !== "RUNNING") return members;
        const flushing = flushes.some((at) => at_ms >= at && at_ms < at + BACKFLUSH_MS);
        const noise = 1 + 0.01 * random.bell("story", at_ms);
        // A backflush lowers the pressure little, and only while it lasts.
        const filter_bar = pressure(at_ms) * (flushing ? 0.85 : 1) * noise;
        const flow_m3_h = operation.target_flow_m3_h * ramp(at_ms, ramp_ms, 40, 1, 0.7) * noise;
        const state = flushing
          ? { PROCESS_STATE: "BACKFLUSH", FLT_MOTOR_STATUS: "BACKFLUSHING" }
          : { PROCESS_STATE: "RUNNING", FLT_MOTOR_STATUS: "NORMAL" };
        return {
          ...members,
          ...state,
          FLT_BACKFLUSH_ACTIVE: flushing,
          FLT_BACKFLUSH_COUNT: usual.backflushes + flushes.filter((at) => at <= at_ms).length,
          FLT_DIFF_PRESSURE: Math.round(filter_bar * 1000) / 1000,
          SYS_FLOW_RATE: settled("SYS_FLOW_RATE", flow_m3_h),
        };
      },
      alarms: [alarmEvent(operation, alarm_ms, filterAlarm(pressure(alarm_ms), limit_bar))],
    },
  ];
};

/** C: after half an hour the lamp power supply of lamps 9 to 12 gives 60 % of its power. */
export const supplyFails: MakeActs = (usual, end_ms) => {
  const start_ms = end_ms - 120 * MINUTE_MS;
  const operation = shortOperation(usual, "BALLAST", SINGAPORE, start_ms, 120);
  const fault_ms = start_ms + 30 * MINUTE_MS;
  const weak = LAMP_MEMBERS.slice(8, 12);
  const alarm: Alarm = {
    code: "LPS_FAULT",
    explanation: "lamp power supply group 3 (lamps 9 to 12) at 60 % power",
    parameter: "UVR_POWER_OUTPUT",
    value: 60,
    limit: 90,
  };
  return [
    {
      leg: { ...usual, operation, lamps: usual.lamps.map(sound), cleaning: null },
      alter(members, at_ms) {
        if (at_ms < fault_ms) return members;
        const changed: Record<string, Scalar> = { ...members };
        for (const { efficiency, power } of weak) {
          changed[efficiency] = settled("LAMP_09_EFFICIENCY", 0.6 * numberOf(members, efficiency));
          changed[power] = Math.round(0.6 * numberOf(members, power));
        }
        changed.AVG_LAMP_EFFICIENCY = meanEfficiency(changed);
        // 4 of 16 lamps at 60 % power take a tenth of the power.
        const power_pct = 0.9 * numberOf(members, "UVR_POWER_OUTPUT");
        changed.UVR_POWER_OUTPUT = settled("UVR_POWER_OUTPUT", power_pct);
        const share = changed.AVG_LAMP_EFFICIENCY / numberOf(members, "AVG_LAMP_EFFICIENCY");
        return withIntensity(changed, share * numberOf(members, "UVR_INTENSITY"));
      },
      alarms: [alarmEvent(operation, fault_ms, alarm)],
    },
  ];
};

/** D: low UV, a cleaning (CIP), and UV as low as before. */
export const cleaningFails: MakeActs = (usual, end_ms, random) => {
  const low_w_m2 = 455;
  const alter = (members: PlantMembers, at_ms: number) =>
    members.PROCESS_STATE === "WARMUP"
      ? members
      : withPower(
          withIntensity(members, low_w_m2 * (1 + 0.006 * random.bell("story", at_ms))),
          POWER_MAX_PCT,
        );
  const first = shortOperation(usual, "BALLAST", YOKOHAMA, end_ms - 330 * MINUTE_MS, 90);
  const second = shortOperation(usual, "BALLAST", YOKOHAMA, end_ms - 90 * MINUTE_MS, 90);
  const cleaning: Cleaning = {
    location: YOKOHAMA.name,
    start_ms: first.end_ms + 15 * MINUTE_MS,
    end_ms: second.start_ms - 15 * MINUTE_MS,
  };
  const lamps = usual.lamps.map(sound);
  const cleaned_ms = first.start_ms - 33 * DAY_MS;
  const alarm: Alarm = {
    code: "CIP_NO_RECOVERY",
    explanation: "UV intensity did not recover after cleaning",
    parameter: "UVR_INTENSITY",
    value: low_w_m2,
    limit: 600,
  };
  return [
    { leg: { ...usual, operation: first, lamps, cleaned_ms, cleaning }, alter, alarms: [] },
    {
      leg: {
        ...usual,
        operation: second,
        lamps: lamps.map((lamp) => ({
          ...lamp,
          hours_at_start: lampStateAt(lamp, first, first.end_ms).runtime_h,
        })),
        ballast_m3: usual.ballast_m3 + volumeAt(first, first.end_ms),
        backflushes: usual.backflushes + backflushesAt(first, first.end_ms),
        cleaned_ms: cleaning.end_ms,
        cleaning: null,
      },
      alter,
      alarms: [alarmEvent(second, second.start_ms + 30 * MINUTE_MS, alarm)],
    },
  ];
};

function shortOperation(
  usual: Leg,
  type: PlantOperation["type"],
  port: Port,
  start_ms: number,
  lasts_min: number,
): PlantOperation {
  return {
    index: usual.operation.index,
    type,
    port,
    start_ms,
    end_ms: start_ms + lasts_min * MINUTE_MS,
    target_flow_m3_h: 860,
    // Too long for a backflush by period: the story has its own.
    backflush_period_ms: DAY_MS,
    clarity: 1,
    mud_cycle: null,
    low_flow_start_ms: null,
  };
}

// A lamp that never fails suddenly: a story has only its own faults.
function sound(lamp: FittedLamp | undefined): FittedLamp {
  if (lamp === undefined) throw new Error("a lamp that isn't fitted");
  return { ...lamp, fails_at_h: Number.POSITIVE_INFINITY };
}

// Linear from `low` at `start_ms` to `high` after `minutes`, constant before and after.
function ramp(at_ms: number, start_ms: number, minutes: number, low: number, high: number): number {
  const share = Math.min(1, Math.max(0, (at_ms - start_ms) / (minutes * MINUTE_MS)));
  return low + (high - low) * share;
}

function withIntensity(members: PlantMembers, intensity_w_m2: number): PlantMembers {
  const share = intensity_w_m2 / numberOf(members, "UVR_INTENSITY");
  const normalized_pct = share * numberOf(members, "UVR_INTENSITY_NORMALIZED");
  return {
    ...members,
    UVR_INTENSITY: settled("UVR_INTENSITY", intensity_w_m2),
    UVR_INTENSITY_NORMALIZED: settled("UVR_INTENSITY_NORMALIZED", normalized_pct),
  };
}

function withPower(members: PlantMembers, power_pct: number): PlantMembers {
  const share = power_pct / numberOf(members, "UVR_POWER_SETPOINT");
  const lamps = LAMP_MEMBERS.map(({ power }): readonly [string, number] => [
    power,
    settled("LAMP_01_POWER", share * numberOf(members, power)),
  ]);
  return {
    ...members,
    ...Object.fromEntries(lamps),
    UVR_POWER_SETPOINT: settled("UVR_POWER_SETPOINT", power_pct),
    UVR_POWER_OUTPUT: settled("UVR_POWER_OUTPUT", share * numberOf(members, "UVR_POWER_OUTPUT")),
  };
}

function numberOf(members: PlantMembers, name: string): number {
  const value = members[name];
  if (typeof value !== "number") throw new Error(`${name}: expected a number, not ${value}`);
  return value;
}
