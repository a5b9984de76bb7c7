// An operation of a plant as its PLC tells it: a start, a reading a minute with a totaliser that
// agrees with the flow, and a stop; and the stored operations as they are answered.

import { shownOperations } from "../../src/sqlite/answers/operations.ts";
import { OPERATIONS } from "../../src/sqlite/derived/operations.ts";
import { EVER } from "../../src/sqlite/file/query.ts";
import type { Rig } from "./database.ts";
import { derived } from "./derive.ts";
import { LAMP_CONFIG } from "./fleet.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const FLOW_M3_H = 600;

export type Sent = Readonly<Record<string, unknown>> & { readonly timestamp: number };

export interface Ran {
  readonly start_ms: number;
  /** So many steps, of a minute by default. */
  readonly minutes: number;
  readonly step_ms?: number;
  readonly type?: string;
  readonly location?: string;
  /** Members that differ in a minute. */
  readonly at?: (minute: number) => object;
}

/** The readings of an operation, from its start to its stop. */
export function readingsOfRun(ran: Ran): readonly Sent[] {
  const { start_ms, minutes, step_ms = MINUTE_MS, type = "BALLAST", at } = ran;
  return Array.from({ length: minutes + 1 }, (_, minute) => ({
    timestamp: start_ms + minute * step_ms,
    ...{ PROCESS_STATE: "RUNNING", operation_type: type, COMPLIANCE_MODE: "IMO" },
    ...{ UVR_INTENSITY: 600, UVR_POWER_OUTPUT: 80, SYS_FLOW_RATE: FLOW_M3_H, SYS_PRESSURE: 2 },
    SYS_TOTAL_BALLAST_VOL: 1000 + (minute * step_ms * FLOW_M3_H) / HOUR_MS,
    ...at?.(minute),
  }));
}

/** Its start and its stop. */
export function eventsOfRun(ran: Ran) {
  const { start_ms, minutes, step_ms = MINUTE_MS, type = "BALLAST", location = "Busan" } = ran;
  const data = { operation_type: type, location };
  return {
    start: { timestamp: start_ms, event_type: "PROCESS_START", data },
    stop: { timestamp: start_ms + minutes * step_ms, event_type: "PROCESS_STOP", data },
  };
}

/** Readings of an idle plant. */
export function idleReadings(start_ms: number, minutes: number): readonly Sent[] {
  return Array.from({ length: minutes }, (_, minute) => ({
    timestamp: start_ms + minute * MINUTE_MS,
    ...{ PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0, UVR_INTENSITY: 0, UVR_POWER_OUTPUT: 0 },
  }));
}

/** Judges what is due, and returns all operations, newest first. */
export function judgedOperations(rig: Pick<Rig, "db" | "store">, limits = LAMP_CONFIG.limits) {
  derived(rig, OPERATIONS);
  return storedOperations(rig, limits);
}

/** All operations as they are answered, newest first. */
export function storedOperations({ db }: Pick<Rig, "db">, limits = LAMP_CONFIG.limits) {
  const any = { operation_type: null, location: null, verdict: null };
  const range = { start_ms: EVER.start_ms, end_ms: null };
  return [...shownOperations(db, { ...any, range, limit: 1000 }, limits)];
}
