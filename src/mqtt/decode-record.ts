// Events, and records that were made elsewhere: health in the flat form of the API, predictions in
// the API's own form. Read as liberally as telemetry; a member that can't be read is left null and
// reported, an identity that can't be read (type, component) sets the whole record aside.

import { describeEvent, EVENT_TYPES, type Event } from "../bwts/event.ts";
import { type HealthRecord, riskLevel } from "../bwts/health-record.ts";
import type { Rejects } from "../bwts/message.ts";
import { COMPONENT_TYPE, type Prediction } from "../bwts/prediction.ts";
import type { TagType } from "../bwts/tags.ts";
import { LAMP_NUMBERS } from "../bwts/tags.ts";
import { monthOf } from "../clock.ts";
import { lampNumber, type MessageTime } from "./decode-reading.ts";
import { readValue, saysNothing } from "./decode-value.ts";

type Members = Readonly<Record<string, unknown>>;

/** An `events` object; null when its type or its data can't be taken. */
export function decodeEvent(members: Members, time: MessageTime, rejects: Rejects): Event | null {
  const given = typeof members.event_type === "string" ? members.event_type.trim() : null;
  const event_type = EVENT_TYPES.find((type) => type === given);
  if (event_type === undefined) {
    const shown = JSON.stringify(members.event_type) ?? "none";
    rejects.add("bad_value", `event_type: got ${shown}, expected ${EVENT_TYPES.join(", ")}`);
    return null;
  }
  const data = saysNothing(members.data) ? {} : members.data;
  if (typeof data !== "object" || Array.isArray(data)) {
    rejects.add("bad_value", `data: got ${JSON.stringify(data)}, expected an object`);
    return null;
  }
  const read = objectReader({ ...data }, rejects);
  const known = {
    operation_type: read("operation_type", "string"),
    location: read("location", "string"),
    target_flow: read("target_flow", "number"),
  };
  const all: Record<string, unknown> = { ...finiteMembers({ ...data }, rejects), ...known };
  if (time.timed_by_receipt) all.timestamp_source = "receipt";
  const description = objectReader(members, rejects)("description", "string");
  return {
    at_ms: time.at_ms,
    event_type,
    description: typeof description === "string" ? description : describeEvent(event_type, all),
    data: all,
    source: "plc",
  };
}

/** A `health` object in the flat form; null when it has no score at all. */
export function decodeHealth(
  members: Members,
  time: MessageTime,
  rejects: Rejects,
): HealthRecord | null {
  const read = objectReader(members, rejects);
  const score = (name: string) => numberOrNull(read(name, "number"));
  const overall_score = score("overall_score");
  if (overall_score === null) {
    rejects.add("bad_value", "overall_score: expected a number");
    return null;
  }
  const risk = read("risk_level", "string");
  const month = numberOrNull(read("month", "integer"));
  const monthKnown = month !== null && month >= 1 && month <= 12;
  if (month !== null && !monthKnown) rejects.add("bad_value", `month: got ${month}, expected 1-12`);
  return {
    at_ms: time.at_ms,
    source: "mqtt",
    overall_score,
    risk_level: typeof risk === "string" ? risk : riskLevel(overall_score),
    month: monthKnown ? month : monthOf(time.at_ms),
    components: {
      uv_health: score("componentsUvHealth"),
      lamp_health: score("componentsLampHealth"),
      power_efficiency: score("componentsPowerEfficiency"),
      thermal_health: score("componentsThermalHealth"),
    },
  };
}

/** A `predictions` object; null when its component can't be taken. */
export function decodePrediction(
  members: Members,
  time: MessageTime,
  rejects: Rejects,
): Prediction | null {
  const named = /^LAMP[_-]?(\d{1,2})$/i.exec(String(members.component_id).trim())?.[1];
  const lamp = lampNumber(named);
  if (lamp === null) {
    const shown = JSON.stringify(members.component_id) ?? "none";
    rejects.add("bad_value", `component_id: got ${shown}, expected LAMP_01 to LAMP_16`);
    return null;
  }
  if (!saysNothing(members.component_type) && members.component_type !== COMPONENT_TYPE) {
    const shown = JSON.stringify(members.component_type);
    rejects.add("bad_value", `component_type: got ${shown}, expected ${COMPONENT_TYPE}`);
    return null;
  }
  const forecast = objectOf(members.predictions, "predictions", rejects);
  const state = objectOf(members.current_state, "current_state", rejects);
  const readForecast = objectReader(forecast, rejects);
  const readState = objectReader(state, rejects);
  return {
    at_ms: time.at_ms,
    component_id: `LAMP_${LAMP_NUMBERS[lamp - 1]}`,
    source: "mqtt",
    predictions: {
      ...finiteMembers(forecast, rejects),
      remaining_useful_life_hours: readForecast("remaining_useful_life_hours", "number"),
      failure_probability: probability(readForecast("failure_probability", "number"), rejects),
      efficiency_percent: readForecast("efficiency_percent", "number"),
    },
    current_state: {
      ...finiteMembers(state, rejects),
      runtime_hours: readState("runtime_hours", "number"),
      efficiency_percent: readState("efficiency_percent", "number"),
      status: readState("status", "string"),
    },
  };
}

function objectReader(members: Members, rejects: Rejects) {
  return (name: string, type: TagType) => {
    const read = readValue(members[name], type);
    if ("value" in read) return read.value;
    rejects.add("bad_value", `${name}: got ${read.problem}`);
    return null;
  };
}

/** The members without NaN and infinities, which JSON can't say; each is reported. */
function finiteMembers(members: Members, rejects: Rejects): Members {
  const isSayable = ([name, value]: [string, unknown]) => {
    if (typeof value !== "number" || Number.isFinite(value)) return true;
    rejects.add("bad_value", `${name}: got ${value}, expected a finite number`);
    return false;
  };
  return Object.fromEntries(Object.entries(members).filter(isSayable));
}

function objectOf(given: unknown, name: string, rejects: Rejects): Members {
  if (given !== null && typeof given === "object" && !Array.isArray(given)) return { ...given };
  if (!saysNothing(given)) rejects.add("bad_value", `${name}: expected an object`);
  return {};
}

function probability(value: unknown, rejects: Rejects): number | null {
  const number = numberOrNull(value);
  if (number === null || (number >= 0 && number <= 1)) return number;
  rejects.add("bad_value", `failure_probability: got ${number}, expected 0 to 1`);
  return null;
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
