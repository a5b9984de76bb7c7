// The treatment plant at one instant: values of its sensors and its controller. The controller
// raises lamp power as the light falls, so that intensity and power move in opposite directions as
// aboard. Levels are those of real ships (740 falling to 500 W/m2, 62 to 90 % power, 0.18 to 0.45
// bar at the filter). Every value is inside the catalogue's typical range and rounded as aboard.

import type { Scalar } from "../bwts/reading.ts";
import { indexOfTag, LAMP_NUMBERS, TAGS, type Tag, type TagName } from "../bwts/tags.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, monthOf, printTime } from "../ground/clock.ts";
import { type LampState, lampStateAt } from "./lamp.ts";
import {
  backflushesAt,
  filterPressureAt,
  flowAt,
  type Phase,
  phaseAt,
  volumeAt,
  WARMUP_MS,
} from "./operation.ts";
import { waterTemperature } from "./port.ts";
import type { Random } from "./random.ts";
import type { Leg } from "./voyage.ts";

/** A reading as the plant sends it: members by their catalogue names, the timestamp first. */
export interface PlantReading {
  readonly at_ms: number;
  readonly members: Readonly<Record<string, Scalar>>;
}

/** The measured values that raise alarms. */
export interface MeasuredValues {
  readonly intensity_w_m2: number;
  readonly filter_bar: number;
  readonly flow_m3_h: number;
}

type LampValueName = `LAMP_${string}`;
// All catalogue fields but those of the lamps; the compiler finds a field that is missing here.
type SystemMembers = Record<Exclude<TagName, LampValueName | "AVG_LAMP_EFFICIENCY">, Scalar>;

// Light of 16 new lamps at full power behind clean sleeves in clear water.
const FULL_INTENSITY_W_M2 = 1309;
// The controller gives 62 % of rated power at 740 W/m2 and 90 % at 500 W/m2, in a line between.
const INTENSITY_HIGH_W_M2 = 740;
const POWER_LOW_PCT = 62;
const POWER_PCT_PER_W_M2 = 28 / 240;
/** Maximum power that the controller gives, % of rated. */
export const POWER_MAX_PCT = 92;
const RATED_LAMP_W = 4700;
// Sleeves lose about a third of a percent of the light a day until they are cleaned.
const FOULING_PER_DAY = 0.0035;

/** The values of the alarms' sensors at an instant of the leg's operation. */
export function measuredAt(leg: Leg, at_ms: number, random: Random): MeasuredValues {
  return measure(leg, at_ms, random, lightAt(leg, at_ms, random));
}

/** The whole reading at an instant of the leg's operation; a failed lamp has no efficiency. */
export function readingAt(
  leg: Leg,
  at_ms: number,
  random: Random,
  system_id: string,
): PlantReading {
  const light = lightAt(leg, at_ms, random);
  const measured = measure(leg, at_ms, random, light);
  const system: SystemMembers = {
    timestamp: printTime(at_ms),
    system_id,
    operation_type: leg.operation.type,
    location: leg.operation.port.name,
    month: monthOf(at_ms),
    ...reactorMembers(at_ms, random, light, measured),
    ...cabinetMembers(at_ms, random, light),
    ...waterMembers(leg, at_ms, random, light, measured),
    ...controllerMembers(at_ms, random),
    PROCESS_STATE: light.phase,
    COMPLIANCE_MODE: leg.operation.port.mode,
    FAILED_LAMP_COUNT: light.lamps.filter(({ failed }) => failed).length,
    CIP_HOURS_SINCE_LAST: settled("CIP_HOURS_SINCE_LAST", (at_ms - leg.cleaned_ms) / HOUR_MS),
  };
  const members: Record<string, Scalar> = system;
  addLamps(members, at_ms, random, light);
  members.AVG_LAMP_EFFICIENCY = meanEfficiency(members);
  return { at_ms, members };
}

/** `value` inside the typical range of `name`, with the decimals of its unit. */
export function settled(name: TagName, value: number): number {
  return settle(TAGS[indexOfTag(name)], value);
}

/** The power in % of rated that the controller gives at an intensity. */
export function setpointAt(intensity_w_m2: number): number {
  const missing_w_m2 = INTENSITY_HIGH_W_M2 - intensity_w_m2;
  return Math.min(POWER_MAX_PCT, POWER_LOW_PCT + POWER_PCT_PER_W_M2 * missing_w_m2);
}

interface Light {
  readonly phase: Phase;
  readonly lamps: readonly LampState[];
  readonly lost_pct: number;
  readonly water_c: number;
  /** Share of the light that the water lets through. */
  readonly clarity: number;
  readonly setpoint_pct: number;
  readonly intensity_w_m2: number;
}

function lightAt(leg: Leg, at_ms: number, random: Random): Light {
  const { operation } = leg;
  const lamps = leg.lamps.map((lamp) => lampStateAt(lamp, operation, at_ms));
  const mean_pct = meanOf(lamps.map((lamp) => lamp.output_pct));
  const sleeve = 1 - (FOULING_PER_DAY * (at_ms - leg.cleaned_ms)) / DAY_MS;
  const drift = 0.02 * random.wave("clarity drift", at_ms, 3 * HOUR_MS);
  const clarity = Math.min(1, operation.port.clarity * operation.clarity + drift);
  const full_w_m2 = FULL_INTENSITY_W_M2 * (mean_pct / 100) * sleeve * clarity;
  // The intersection of the controller's line and the light's proportion to power.
  const dark_pct = POWER_LOW_PCT + POWER_PCT_PER_W_M2 * INTENSITY_HIGH_W_M2;
  const free_pct = dark_pct / (1 + (POWER_PCT_PER_W_M2 * full_w_m2) / 100);
  const setpoint_pct = Math.min(POWER_MAX_PCT, free_pct);
  const phase = phaseAt(operation, at_ms);
  const warm = phase === "WARMUP" ? 0.5 + (at_ms - operation.start_ms) / WARMUP_MS / 2 : 1;
  return {
    phase,
    lamps,
    lost_pct: 100 - mean_pct,
    water_c: waterTemperature(operation.port, at_ms, random),
    clarity,
    setpoint_pct,
    intensity_w_m2: (full_w_m2 * setpoint_pct * warm) / 100,
  };
}

function measure(leg: Leg, at_ms: number, random: Random, light: Light): MeasuredValues {
  const noise = (name: string, share: number) => 1 + share * random.bell(name, at_ms);
  const intensity_w_m2 = light.intensity_w_m2 * noise("intensity", 0.005);
  const filter_bar = filterPressureAt(leg.operation, at_ms, random) * noise("filter", 0.02);
  const flow_m3_h = flowAt(leg.operation, at_ms) * noise("flow", 0.012);
  return {
    intensity_w_m2: settled("UVR_INTENSITY", intensity_w_m2),
    filter_bar: settled("FLT_DIFF_PRESSURE", filter_bar),
    flow_m3_h: settled("SYS_FLOW_RATE", flow_m3_h),
  };
}

function reactorMembers(at_ms: number, random: Random, light: Light, measured: MeasuredValues) {
  const { intensity_w_m2 } = measured;
  const correction = Math.sqrt(light.clarity) * (1 - 0.001 * (light.water_c - 25));
  const normalized_pct = (100 * intensity_w_m2) / (INTENSITY_HIGH_W_M2 * correction);
  const power_pct = light.setpoint_pct + 0.4 * random.bell("power", at_ms);
  return {
    UVR_INTENSITY: intensity_w_m2,
    UVR_INTENSITY_NORMALIZED: settled("UVR_INTENSITY_NORMALIZED", normalized_pct),
    UVR_POWER_OUTPUT: settled("UVR_POWER_OUTPUT", power_pct),
    UVR_POWER_SETPOINT: settled("UVR_POWER_SETPOINT", light.setpoint_pct),
    UVR_WATER_TEMP: settled(
      "UVR_WATER_TEMP",
      light.water_c + 0.05 * random.bell("water temperature", at_ms),
    ),
    UVR_LEVEL: light.phase === "WARMUP" ? "WARMING_UP" : "OPERATIONAL",
    DEGRADATION_IMPACT_PCT: settled("DEGRADATION_IMPACT_PCT", light.lost_pct),
    POWER_COMPENSATION_PCT: settled("POWER_COMPENSATION_PCT", 0.6 * light.lost_pct),
  };
}

function cabinetMembers(at_ms: number, random: Random, light: Light) {
  const air_c = 31 + 0.1 * light.water_c + 0.04 * light.setpoint_pct;
  const drift_c = random.wave("cabinet", at_ms, 2 * HOUR_MS);
  const fan_rpm = 1450 + 15 * drift_c + 6 * random.bell("fan", at_ms);
  return {
    LDC_AIR_TEMP: settled("LDC_AIR_TEMP", air_c + drift_c),
    LDC_FAN_SPEED: settled("LDC_FAN_SPEED", fan_rpm),
    LDC_FAN_STATUS: "RUNNING",
    LDC_WATER_ALARM: false,
  };
}

function waterMembers(
  leg: Leg,
  at_ms: number,
  random: Random,
  light: Light,
  { filter_bar, flow_m3_h }: MeasuredValues,
) {
  const { operation } = leg;
  const share = flow_m3_h / operation.target_flow_m3_h;
  const pressure_bar = 1.4 + 2.9 * share + 0.15 * random.wave("pressure", at_ms, HOUR_MS);
  const valve_pct = light.phase === "WARMUP" ? 0 : 78 * Math.min(1, share) ** 0.5;
  const flushing = light.phase === "BACKFLUSH";
  const filtering = operation.type === "BALLAST" && light.phase !== "WARMUP";
  const volume_m3 = volumeAt(operation, at_ms);
  const ballast_m3 = leg.ballast_m3 + (operation.type === "BALLAST" ? volume_m3 : 0);
  const deballast_m3 = leg.deballast_m3 + (operation.type === "DEBALLAST" ? volume_m3 : 0);
  const motor = flushing ? "BACKFLUSHING" : filtering ? "NORMAL" : "STANDBY";
  return {
    FLT_DIFF_PRESSURE: filter_bar,
    FLT_MOTOR_STATUS: motor,
    FLT_BACKFLUSH_ACTIVE: flushing,
    FLT_BACKFLUSH_COUNT: leg.backflushes + backflushesAt(operation, at_ms),
    SYS_FLOW_RATE: flow_m3_h,
    SYS_PRESSURE: settled("SYS_PRESSURE", pressure_bar + 0.02 * random.bell("pressure", at_ms)),
    SYS_VALVE_POSITION: settled("SYS_VALVE_POSITION", valve_pct),
    SYS_TOTAL_BALLAST_VOL: settled("SYS_TOTAL_BALLAST_VOL", ballast_m3),
    SYS_TOTAL_DEBALLAST_VOL: settled("SYS_TOTAL_DEBALLAST_VOL", deballast_m3),
    SYS_EXTERNAL_FEED: false,
    WATER_QUALITY: light.clarity < 0.8 ? "TURBID" : "NORMAL",
    WATER_QUALITY_FACTOR: settled("WATER_QUALITY_FACTOR", light.clarity),
  };
}

function controllerMembers(at_ms: number, random: Random) {
  const load = random.wave("controller", at_ms, 20 * MINUTE_MS);
  const memory_pct = 42 + 4 * random.wave("memory", at_ms, DAY_MS);
  return {
    PLC_CPU_USAGE: settled("PLC_CPU_USAGE", 18 + 3 * load + 1.5 * random.bell("load", at_ms)),
    PLC_RAM_USAGE: settled("PLC_RAM_USAGE", memory_pct),
    PLC_CPU_TEMP: settled("PLC_CPU_TEMP", 49 + 2 * load),
  };
}

const LAMP_EFFICIENCY = TAGS[indexOfTag("LAMP_01_EFFICIENCY")];
const LAMP_RUNTIME = TAGS[indexOfTag("LAMP_01_RUNTIME")];
const LAMP_POWER = TAGS[indexOfTag("LAMP_01_POWER")];

/** The names of each lamp's members, made once: making them for each reading would dominate. */
export const LAMP_MEMBERS = LAMP_NUMBERS.map((number) => ({
  status: `LAMP_${number}_STATUS`,
  efficiency: `LAMP_${number}_EFFICIENCY`,
  runtime: `LAMP_${number}_RUNTIME`,
  power: `LAMP_${number}_POWER`,
}));

// Adds the members of the lamps to those of the system.
function addLamps(
  members: Record<string, Scalar>,
  at_ms: number,
  random: Random,
  light: Light,
): void {
  const power_w = (RATED_LAMP_W * light.setpoint_pct) / 100;
  for (const [index, names] of LAMP_MEMBERS.entries()) {
    const lamp = light.lamps[index];
    if (lamp === undefined) throw new Error(`lamp ${index + 1}: not fitted`);
    members[names.status] = lamp.failed ? "FAILED" : "ACTIVE";
    if (!lamp.failed) {
      const noise = 0.25 * random.bell("lamp efficiency", index, at_ms);
      members[names.efficiency] = settle(LAMP_EFFICIENCY, lamp.output_pct + noise);
    }
    members[names.runtime] = settle(LAMP_RUNTIME, lamp.runtime_h);
    const noise = 1 + 0.006 * random.bell("lamp power", index, at_ms);
    members[names.power] = lamp.failed ? 0 : settle(LAMP_POWER, power_w * noise);
  }
}

/** The mean efficiency of the lamps that give one, as the controller shows it. */
export function meanEfficiency(members: Readonly<Record<string, Scalar>>): number {
  const given = LAMP_MEMBERS.map(({ efficiency }) => members[efficiency]).filter(
    (value) => typeof value === "number",
  );
  return settled("AVG_LAMP_EFFICIENCY", meanOf(given));
}

// Decimals that a controller prints, by unit; one for all others.
const DECIMALS: Readonly<Record<string, number>> = {
  bar: 3,
  factor: 3,
  h: 2,
  W: 0,
  rpm: 0,
};

function settle(tag: Tag | undefined, value: number): number {
  if (tag === undefined || !Array.isArray(tag.typical)) throw new Error("a tag without a range");
  const [low, high] = tag.typical;
  const scale = 10 ** (DECIMALS[tag.unit ?? ""] ?? 1);
  return Math.round(Math.min(high, Math.max(low, value)) * scale) / scale;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
