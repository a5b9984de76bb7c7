// Decides from a reading if water was treated. Health, gaps, alarms, lamps and the page all use
// this module, so that they agree. Without zod: it is part of the page.

import { isAbove, isUpTo } from "../ground/binary-noise.ts";
import { HOUR_MS, MINUTE_MS } from "../ground/clock.ts";
import { lampStatusOf, wordOf } from "./plc-word.ts";
import type { Reading, Value } from "./reading.ts";
import { indexOfTag, LAMP_COUNT, lampTags } from "./tags.ts";

/** The ship's limit that a flow is measured against, m3/h. */
interface FlowLimit {
  readonly flow_max_imo: number;
}

/** Share of the certified flow below which water counts as standing, so that it isn't treated. */
const TREATING_FLOW_SHARE = 0.05;

const STATE = indexOfTag("PROCESS_STATE");
const FLOW = indexOfTag("SYS_FLOW_RATE");
/** Both totalisers, evidence of moving water beside the flow. */
export const TOTALISER_FIELDS = [
  indexOfTag("SYS_TOTAL_BALLAST_VOL"),
  indexOfTag("SYS_TOTAL_DEBALLAST_VOL"),
];

const INTENSITY = indexOfTag("UVR_INTENSITY");

/** Fields that show the state of the plant; a heartbeat without any of them says nothing. */
export const PLANT_FIELDS = [STATE, FLOW, INTENSITY] as const;

/** True if a reading has one of PLANT_FIELDS, whether the value is believed or not. */
export function tellsPlant({ values }: Pick<Reading, "values">): boolean {
  return PLANT_FIELDS.some((tag) => values[tag] !== null);
}

/** True if water was treated: RUNNING or BACKFLUSH or, without a state, a flow above 5 %. */
export function isTreating({ values }: Pick<Reading, "values">, limits: FlowLimit): boolean {
  return isTreatingState(values[STATE], values[FLOW], limits);
}

/** As `isTreating`, from the two fields that it depends on. */
export function isTreatingState(state: Value, flow: Value, limits: FlowLimit): boolean {
  // Checked first, because it decides nearly every reading.
  if (state === "RUNNING") return true;
  const word = wordOf(state);
  if (word !== null) return word === "RUNNING" || word === "BACKFLUSH";
  return typeof flow === "number" && flow > TREATING_FLOW_SHARE * limits.flow_max_imo;
}

/** False for a reading that has neither of the fields that `isTreating` depends on. */
export function tellsOperation({ values }: Pick<Reading, "values">): boolean {
  return values[STATE] !== null || values[FLOW] !== null;
}

/** Share of the certified flow above which water moves, by flow or totaliser. */
export const MOVING_SHARE = 0.02;

export const isMovingFlow = (flow_m3_h: number, certified_m3_h: number) =>
  isAbove(flow_m3_h, MOVING_SHARE * certified_m3_h);

/** True for a known flow at which no water moves; false for NaN. */
export const isStillFlow = (flow_m3_h: number, certified_m3_h: number) =>
  isUpTo(flow_m3_h, MOVING_SHARE * certified_m3_h);

/** Share of difference above which a totaliser and the flow contradict each other. */
export const WITNESS_DIFFERENCE = 0.1;

/** Maximum time for which untreated water may move: a valve closes after the lamps went out. */
export const UNTREATED_MAX_MS = MINUTE_MS;
/**
 * States in which untreated water may not move at all; NOT_TREATING has the other states without
 * treatment.
 */
export const UNTREATED_AT_ONCE: ReadonlySet<string> = new Set(["FAULT", "BYPASS"]);
const NOT_TREATING: ReadonlySet<string> = new Set([
  ...["IDLE", "STOPPED", "STANDBY", "WARMUP", "STOPPING", "CIP"],
]);

/** True if water that moves in this state isn't treated; null for an unknown state. */
export function isUntreatedState(state: Value, operation_type: Value): boolean | null {
  const word = wordOf(state);
  if (word === null) return null;
  if (word === "RUNNING" || word === "BACKFLUSH") return false;
  // A cleaning moves water of its own.
  const type = wordOf(operation_type);
  if (word === "CIP" && (type === null || type === "CIP")) return false;
  return UNTREATED_AT_ONCE.has(word) || NOT_TREATING.has(word) ? true : null;
}

/** A reading with the state that is in force at its time. */
export interface HeldState extends Pick<Reading, "at_ms" | "values"> {
  readonly state: Value;
}

/**
 * The readings, newest first, each with its state: a state that is only sent on change stays in
 * force until the next one.
 */
export function withState(
  readings: readonly Pick<Reading, "at_ms" | "values">[],
): readonly HeldState[] {
  let state: Value = null;
  const ascending = readings.toReversed().map(({ at_ms, values }) => {
    state = values[STATE] ?? state;
    return { at_ms, values, state };
  });
  return ascending.reverse();
}

/**
 * True if a totaliser has risen faster than standing water explains, while the flow shows no
 * movement and the plant stays in states that all treat water, or all don't. So the flow isn't the
 * only witness. `readings` are newest first.
 */
export function totaliserRises(
  readings: readonly HeldState[],
  limits: FlowLimit & { readonly flow_max_uscg: number },
): boolean {
  const certified_m3_h = Math.max(limits.flow_max_imo, limits.flow_max_uscg);
  const held = readings.filter(({ state }) => state !== null);
  const kindOf = ({ state }: HeldState) => isUntreatedState(state, null);
  const isBefore = (reading: HeldState) =>
    isMovingFlow(Number(reading.values[FLOW]), certified_m3_h) ||
    kindOf(reading) !== kindOf(held[0]);
  const before = held.findIndex(isBefore);
  const since = held.slice(0, before < 0 ? held.length : before);
  return TOTALISER_FIELDS.some((tag) => {
    const rise = totaliserRise(since, tag);
    if (rise === null) return false;
    const passed_ms = rise.end_ms - rise.start_ms;
    if (passed_ms < UNTREATED_MAX_MS) return false;
    return isMovingFlow((rise.rise_m3 * HOUR_MS) / passed_ms, certified_m3_h);
  });
}

export interface TotaliserRise {
  readonly start_ms: number;
  readonly end_ms: number;
  readonly rise_m3: number;
  /** Largest rise between two readings: an upper bound of the totaliser's resolution. */
  readonly step_m3: number;
}

/** The rise of a totaliser over readings, newest first; null with fewer than two of its values. */
export function totaliserRise(
  readings: readonly Pick<Reading, "at_ms" | "values">[],
  tag: number,
): TotaliserRise | null {
  const counted = readings.flatMap(({ at_ms, values }) => {
    const total_m3 = values[tag];
    return typeof total_m3 === "number" ? [{ at_ms, total_m3 }] : [];
  });
  const [last, first] = [counted.at(0), counted.at(-1)];
  if (first === undefined || last === undefined || counted.length < 2) return null;
  const steps = counted.slice(1).map(({ total_m3 }, index) => counted[index].total_m3 - total_m3);
  return {
    ...{ start_ms: first.at_ms, end_ms: last.at_ms },
    rise_m3: last.total_m3 - first.total_m3,
    step_m3: Math.max(...steps),
  };
}

/** Power of the reactor, % of rated, below which its lamps give no light. */
export const DARK_POWER = 1;
/** Minimum number of lamps with known values for judging the reactor by its lamps. */
const KNOWN_LAMPS = 8;
/**
 * True if fewer than half of the known lamps burn: no certified light comes from so few, while half
 * of a reactor may be switched off on purpose.
 */
export const areTooManyDark = (dark: number, known: number) =>
  known >= KNOWN_LAMPS && 2 * dark > known;

/** Power of a lamp, W, below which it doesn't burn. */
export const DARK_LAMP_W = 1;
/** Output of a lamp, % of a new one, below which it doesn't burn. */
export const DARK_OUTPUT = 1;
/** Mean output, %, from which at least half of the lamps burn. */
export const MEAN_LIT = 50;

const POWER = indexOfTag("UVR_POWER_OUTPUT");
const SETPOINT = indexOfTag("UVR_POWER_SETPOINT");
const FAILED_COUNT = indexOfTag("FAILED_LAMP_COUNT");
const STATUSES = lampTags("STATUS");
const POWERS = lampTags("POWER");
const OUTPUTS = lampTags("EFFICIENCY");
const MEAN_OUTPUT = indexOfTag("AVG_LAMP_EFFICIENCY");

/**
 * True if the lamps can't give the light: fewer than half of the known lamps burn, by their status,
 * output or power (if the mean output says that half burn, power counts only if no lamp has any);
 * or there is no power, by the reactor's reading or, if no power was sent, by the setpoint.
 */
export function isDark(values: readonly Value[]): boolean {
  const [power, setpoint, failed] = [values[POWER], values[SETPOINT], values[FAILED_COUNT]];
  if (typeof power === "number" && power < DARK_POWER) return true;
  const [powers, outputs] = [POWERS, OUTPUTS].map((tags) =>
    tags.map((tag) => values[tag]).filter((one) => typeof one === "number"),
  );
  const isCommanded = power === null && powers.length === 0;
  if (isCommanded && typeof setpoint === "number" && setpoint < DARK_POWER) return true;
  if (typeof failed === "number" && areTooManyDark(failed, LAMP_COUNT)) return true;
  const mean = values[MEAN_OUTPUT];
  const unpowered = powers.filter((one) => one < DARK_LAMP_W).length;
  const isLit = typeof mean === "number" && mean >= MEAN_LIT && unpowered < powers.length;
  if (!isLit && areTooManyDark(unpowered, powers.length)) return true;
  if (areTooManyDark(outputs.filter((one) => one < DARK_OUTPUT).length, outputs.length))
    return true;
  const known = STATUSES.map((tag) => values[tag]).filter((status) => status !== null);
  const isOut = (status: Value) => ["failed", "standby"].includes(lampStatusOf(status));
  return areTooManyDark(known.filter(isOut).length, known.length);
}
