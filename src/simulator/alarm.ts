// The events of the simulated ship: starts and stops of operations and cleanings, and the alarms of
// the plant's own controller, at the minute at which the measured value passes the limit.

import { describeEvent, type Event } from "../bwts/event.ts";
import { LAMP_NUMBERS, TAGS, type TagName } from "../bwts/tags.ts";
import { MINUTE_MS } from "../ground/clock.ts";
import { failureWithin } from "./lamp.ts";
import { type PlantOperation, phaseAt, STOPPING_MS, WARMUP_MS } from "./operation.ts";
import { type MeasuredValues, measuredAt } from "./plant.ts";
import type { Random } from "./random.ts";
import type { Cleaning, Leg } from "./voyage.ts";

/** An event as the plant sends it. */
export type PlantEvent = Omit<Event, "source">;

/** The parameter of an alarm, with its value and limit. */
export interface Alarm {
  readonly code: string;
  readonly explanation: string;
  readonly parameter: TagName | `LAMP_${string}_STATUS`;
  readonly value: number | string;
  /** Null if the alarm is a state rather than a value beyond its limit. */
  readonly limit: number | null;
}

/** Minimum UV intensity of a treated operation, by mode, W/m². */
export const UV_LIMITS_W_M2 = { IMO: 252, USCG: 530 } as const;
const FILTER_WARN_BAR = 0.5;
const FLOW_SHARE_MIN = 0.8;

/** All events of a leg, in order of time. */
export function eventsOf(leg: Leg, random: Random): readonly PlantEvent[] {
  return [
    ...operationEvents(leg.operation),
    ...measuredAlarms(leg, random),
    ...lampAlarms(leg),
    ...(leg.cleaning === null ? [] : cleaningEvents(leg.cleaning)),
  ].sort((a, b) => a.at_ms - b.at_ms);
}

/** The start and the stop of an operation. */
export function operationEvents(operation: PlantOperation): readonly PlantEvent[] {
  const data = {
    operation_type: operation.type,
    location: operation.port.name,
    target_flow: operation.target_flow_m3_h,
  };
  return startAndStop(operation, data);
}

/** The start and the stop of a cleaning. */
export function cleaningEvents(cleaning: Cleaning): readonly PlantEvent[] {
  return startAndStop(cleaning, { operation_type: "CIP", location: cleaning.location });
}

/** An `ALARM_TRIGGERED` event with the text "CODE: explanation". */
export function alarmEvent(operation: PlantOperation, at_ms: number, alarm: Alarm): PlantEvent {
  const { code, explanation, parameter, value, limit } = alarm;
  const unit = TAGS.find(({ name }) => name === parameter)?.unit ?? null;
  return {
    at_ms,
    event_type: "ALARM_TRIGGERED",
    description: `${code}: ${explanation}`,
    data: {
      code,
      parameter,
      value,
      limit,
      unit,
      operation_type: operation.type,
      location: operation.port.name,
    },
  };
}

function startAndStop(
  span: { readonly start_ms: number; readonly end_ms: number },
  data: Readonly<Record<string, unknown>>,
): readonly PlantEvent[] {
  const event = (event_type: "PROCESS_START" | "PROCESS_STOP", at_ms: number) => ({
    at_ms,
    event_type,
    description: describeEvent(event_type, data),
    data,
  });
  return [event("PROCESS_START", span.start_ms), event("PROCESS_STOP", span.end_ms)];
}

/** The alarm that a rule raises for measured values, or null. */
type Rule = (now: MeasuredValues) => Alarm | null;

function rulesOf({ port, type, target_flow_m3_h }: PlantOperation): readonly Rule[] {
  const uvLow: Rule = ({ intensity_w_m2: value }) => {
    const limit = UV_LIMITS_W_M2[port.mode];
    const explanation = `UV intensity below the ${port.mode} limit`;
    const alarm: Alarm = { code: "UV_LOW", explanation, parameter: "UVR_INTENSITY", value, limit };
    return value < limit ? alarm : null;
  };
  const flowDeviation: Rule = ({ flow_m3_h: value }) => {
    const limit = Math.round(target_flow_m3_h * FLOW_SHARE_MIN);
    const explanation = "flow below 80 % of its target";
    const code = "FLOW_DEVIATION";
    return value < limit ? { code, explanation, parameter: "SYS_FLOW_RATE", value, limit } : null;
  };
  const filterHigh: Rule = ({ filter_bar: value }) =>
    type === "BALLAST" && value > FILTER_WARN_BAR ? filterAlarm(value, FILTER_WARN_BAR) : null;
  return [uvLow, flowDeviation, filterHigh];
}

/** The alarm of a filter at `value` bar, above its limit. */
export function filterAlarm(value: number, limit: number): Alarm {
  const explanation = "differential pressure across the filter above its limit";
  return { code: "FILTER_HIGH_DP", explanation, parameter: "FLT_DIFF_PRESSURE", value, limit };
}

// Each rule once per operation: the controller latches its alarms until the next start.
function measuredAlarms(leg: Leg, random: Random): readonly PlantEvent[] {
  const { operation } = leg;
  const events: PlantEvent[] = [];
  let open = rulesOf(operation);
  const until_ms = operation.end_ms - STOPPING_MS;
  for (let at_ms = operation.start_ms + WARMUP_MS; at_ms < until_ms; at_ms += MINUTE_MS) {
    if (phaseAt(operation, at_ms) !== "RUNNING") continue;
    const measured = measuredAt(leg, at_ms, random);
    open = open.filter((rule) => {
      const alarm = rule(measured);
      if (alarm !== null) events.push(alarmEvent(operation, at_ms, alarm));
      return alarm === null;
    });
  }
  return events;
}

function lampAlarms({ lamps, operation }: Leg): readonly PlantEvent[] {
  return lamps.flatMap((lamp, index) => {
    const at_ms = failureWithin(lamp, operation);
    if (at_ms === null) return [];
    const alarm: Alarm = {
      code: "LAMP_FAILURE",
      explanation: `lamp ${index + 1} failed after ${Math.floor(lamp.fails_at_h)} h`,
      parameter: `LAMP_${LAMP_NUMBERS[index]}_STATUS`,
      value: "FAILED",
      limit: null,
    };
    return [alarmEvent(operation, at_ms, alarm)];
  });
}
