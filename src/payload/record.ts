// Decodes events, and records made elsewhere: health in the flat form of the API, predictions in
// the API's own form. They are read as liberally as telemetry. An unreadable member is null and
// reported; an unreadable identity (type, component) rejects the whole record.

import { describeEvent, EVENT_TYPES, type Event } from "../bwts/event.ts";
import { type HealthRecord, RISK_LEVELS, riskLevel } from "../bwts/health-record.ts";
import type { Rejects } from "../bwts/message.ts";
import {
  COMPONENT_STATUSES,
  COMPONENT_TYPE,
  END_DATES,
  type Prediction,
} from "../bwts/prediction.ts";
import type { Value } from "../bwts/reading.ts";
import type { TagType } from "../bwts/tags.ts";
import { LAMP_NUMBERS } from "../bwts/tags.ts";
import { monthOf, parseTime } from "../ground/clock.ts";
import { lampNumber, type MessageTime } from "./reading.ts";
import { readValue, saysNothing, shown, TEXT_MAX } from "./value.ts";

/** The members of an object in a payload. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * The most members of one event's data, or of one prediction, at all levels: a record is stored in
 * one step, and so many take 10 ms of it; 60,000 took 400. Real ones have ten.
 */
const MEMBERS_MAX = 1000;

/**
 * The most characters of an event or a prediction, names included: `/api/stats` answers 100 events,
 * other answers 10,000. Without it 750 alarms of a megabyte each took 3 GB of memory.
 */
const CHARACTERS_MAX = 16 * 1024;

/** An `events` object; null if its type or data is rejected. */
export function decodeEvent(members: Members, time: MessageTime, rejects: Rejects): Event | null {
  const given = typeof members.event_type === "string" ? members.event_type.trim() : null;
  const event_type = EVENT_TYPES.find((type) => type === given);
  if (event_type === undefined) {
    const got = shown(members.event_type);
    rejects.add("bad_value", `event_type: got ${got}, expected ${EVENT_TYPES.join(", ")}`);
    return null;
  }
  const data = saysNothing(members.data) ? {} : members.data;
  if (typeof data !== "object" || Array.isArray(data)) {
    rejects.add("bad_value", `data: got ${shown(data)}, expected an object`);
    return null;
  }
  if (isTooLarge("data", data, rejects) || isTooLong("the event", members, rejects)) return null;
  const read = objectReader({ ...data }, rejects);
  const known = {
    operation_type: read("operation_type", "string"),
    location: read("location", "string"),
    target_flow: read("target_flow", "number"),
  };
  const sent = { ...known, ...otherMembers({ ...data }, known, rejects) };
  const all = time.timed_by_receipt ? { ...sent, timestamp_source: "receipt" } : sent;
  const description =
    objectReader(members, rejects)("description", "string") ?? beginning(members.description);
  return {
    at_ms: time.at_ms,
    event_type,
    description: typeof description === "string" ? description : describeEvent(event_type, all),
    data: all,
    source: "plc",
  };
}

/** The beginning of a text that is too long, which is in quarantine as it was sent; else null. */
function beginning(given: unknown): string | null {
  if (typeof given !== "string" || given.length <= TEXT_MAX) return null;
  return `${given.slice(0, TEXT_MAX - 1).toWellFormed()}\u2026`;
}

/** A `health` object in the flat form; null if it has no score at all. */
export function decodeHealth(
  members: Members,
  time: MessageTime,
  rejects: Rejects,
): HealthRecord | null {
  const read = objectReader(members, rejects);
  const score = (name: string) => within(name, read(name, "number"), SCORES, rejects);
  const overall_score = score("overall_score");
  if (overall_score === null) {
    if (saysNothing(members.overall_score))
      rejects.add("bad_value", "overall_score: expected a number");
    return null;
  }
  const risk = oneOf("risk_level", read("risk_level", "string"), RISK_LEVELS, rejects);
  const month = within("month", read("month", "integer"), MONTHS, rejects);
  return {
    at_ms: time.at_ms,
    source: "mqtt",
    overall_score,
    risk_level: risk ?? riskLevel(overall_score),
    month: month ?? monthOf(time.at_ms),
    components: {
      uv_health: score("componentsUvHealth"),
      lamp_health: score("componentsLampHealth"),
      power_efficiency: score("componentsPowerEfficiency"),
      thermal_health: score("componentsThermalHealth"),
    },
  };
}

/** A `predictions` object; null if its component is rejected. */
export function decodePrediction(
  members: Members,
  time: MessageTime,
  rejects: Rejects,
): Prediction | null {
  const { component_id, component_type } = members;
  const named = typeof component_id === "string" ? component_id : "";
  const lamp = lampNumber(/^\s*LAMP[_-]?(\d{1,2})\s*$/i.exec(named)?.[1]);
  if (lamp === null) {
    const got = shown(component_id);
    rejects.add("bad_value", `component_id: got ${got}, expected LAMP_01 to LAMP_16`);
    return null;
  }
  if (!saysNothing(component_type) && component_type !== COMPONENT_TYPE) {
    const got = shown(component_type);
    rejects.add("bad_value", `component_type: got ${got}, expected ${COMPONENT_TYPE}`);
    return null;
  }
  if (isTooLarge("the prediction", members, rejects)) return null;
  if (isTooLong("the prediction", members, rejects)) return null;
  const forecast = objectOf(members.predictions, "predictions", rejects);
  const state = objectOf(members.current_state, "current_state", rejects);
  const readForecast = objectReader(forecast, rejects);
  const readState = objectReader(state, rejects);
  const number = (read: typeof readState, name: string, range: NumberRange) =>
    within(name, read(name, "number"), range, rejects);
  const predictions = {
    remaining_useful_life_hours: number(readForecast, "remaining_useful_life_hours", HOURS),
    failure_probability: number(readForecast, "failure_probability", PROBABILITIES),
    efficiency_percent: number(readForecast, "efficiency_percent", EFFICIENCIES),
  };
  const sent = FROM_0.filter((name) => Object.hasOwn(forecast, name));
  const numbers = Object.fromEntries(sent.map((name) => [name, number(readForecast, name, HOURS)]));
  const further = { ...numbers, ...interval(numbers, rejects), ...endDates(forecast, rejects) };
  const current_state = {
    runtime_hours: number(readState, "runtime_hours", HOURS),
    efficiency_percent: number(readState, "efficiency_percent", EFFICIENCIES),
    status: oneOf("status", readState("status", "string"), COMPONENT_STATUSES, rejects),
  };
  return {
    at_ms: time.at_ms,
    component_id: `LAMP_${LAMP_NUMBERS[lamp - 1]}`,
    predictions: {
      ...predictions,
      ...otherMembers(forecast, { ...predictions, ...further }, rejects),
      ...further,
    },
    current_state: { ...current_state, ...otherMembers(state, current_state, rejects) },
  };
}

/** The ends of the interval, lower first. */
const INTERVAL = ["remaining_useful_life_hours_p05", "remaining_useful_life_hours_p95"] as const;

/** Members of `predictions` that may be sent: numbers from 0, as pages show them. */
const FROM_0 = [...INTERVAL, "horizon_hours", "remaining_operations", "remaining_days"];

/** Ends of an interval that isn't one are reported, and null. */
function interval(sent: Readonly<Record<string, number | null>>, rejects: Rejects): Members {
  const [low, high] = INTERVAL;
  const [p05, p95] = [sent[low] ?? null, sent[high] ?? null];
  if (p05 === null || p95 === null || p05 <= p95) return {};
  rejects.add("bad_value", `${low}: got ${p05}, expected at most ${high}, which is ${p95}`);
  return { [low]: null, [high]: null };
}

/** The dates of an expected end that were sent; what isn't a date is reported, and null. */
function endDates(forecast: Members, rejects: Rejects): Members {
  const sent = END_DATES.filter((name) => Object.hasOwn(forecast, name));
  return Object.fromEntries(
    sent.map((name) => {
      const given = forecast[name];
      if (saysNothing(given)) return [name, null];
      if (typeof given === "string" && parseTime(given)?.dateOnly === true) return [name, given];
      const expected = "expected a date, such as 2026-05-01";
      rejects.add("bad_value", `${name}: got ${shown(given)}, ${expected}`);
      return [name, null];
    }),
  );
}

/** True, with a report, for an object with more members than one step can store. */
function isTooLarge(name: string, given: object, rejects: Rejects): boolean {
  const count = memberCount(given);
  if (count <= MEMBERS_MAX) return false;
  rejects.add("too_large", `${name}: got ${count} members, expected ${MEMBERS_MAX} at most`);
  return true;
}

/** True, with a report, for an object with more characters than answers of many can hold. */
function isTooLong(name: string, given: Members, rejects: Rejects): boolean {
  const count = characterCount(given);
  if (count <= CHARACTERS_MAX) return false;
  rejects.add("too_large", `${name}: got ${count} characters, expected ${CHARACTERS_MAX} at most`);
  return true;
}

/** Characters of texts, long integers and members' names, at all levels; the rest is short. */
function characterCount(given: unknown): number {
  if (typeof given === "string" || typeof given === "bigint") return String(given).length;
  if (given === null || typeof given !== "object") return 0;
  return Object.entries(given).reduce(
    (count, [name, value]) => count + name.length + characterCount(value),
    0,
  );
}

/** Members of objects and places of arrays, at all levels; a payload's levels have a bound. */
function memberCount(given: unknown): number {
  if (given === null || typeof given !== "object") return 0;
  return Object.values(given).reduce((count, value) => count + 1 + memberCount(value), 0);
}

function objectReader(members: Members, rejects: Rejects) {
  return (name: string, type: TagType) => {
    const read = readValue(members[name], type);
    if ("value" in read) return read.value;
    rejects.add("bad_value", `${name}: got ${read.problem}`);
    return null;
  };
}

/** The members outside `known`, as sent. */
function otherMembers(members: Members, known: object, rejects: Rejects): Members {
  const others = Object.entries(members).filter(([name]) => !Object.hasOwn(known, name));
  return Object.fromEntries(others.map(([name, value]) => [name, sayable(name, value, rejects)]));
}

/**
 * The value with null for NaN and infinities, which JSON can't express, at any depth; each is
 * reported.
 */
function sayable(name: string, value: unknown, rejects: Rejects): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) {
    rejects.add("bad_value", `${name}: got ${value}, expected a finite number`);
    return null;
  }
  if (Array.isArray(value)) return value.map((item) => sayable(name, item, rejects));
  return value !== null && typeof value === "object"
    ? otherMembers({ ...value }, {}, rejects)
    : value;
}

function objectOf(given: unknown, name: string, rejects: Rejects): Members {
  if (given !== null && typeof given === "object" && !Array.isArray(given)) return { ...given };
  if (!saysNothing(given)) rejects.add("bad_value", `${name}: expected an object`);
  return {};
}

interface NumberRange {
  readonly min: number;
  readonly max: number;
}

const SCORES: NumberRange = { min: 0, max: 100 };
const MONTHS: NumberRange = { min: 1, max: 12 };
const PROBABILITIES: NumberRange = { min: 0, max: 1 };
/** A century: more hours are no lamp's. */
const HOURS: NumberRange = { min: 0, max: 1e6 };
/** In % of a new lamp of the type; a good lamp is a little above 100. */
const EFFICIENCIES: NumberRange = { min: 0, max: 150 };

/** A number in its range; any other is reported, and null. */
function within(name: string, value: Value, range: NumberRange, rejects: Rejects): number | null {
  if (typeof value !== "number") return null;
  const { min, max } = range;
  if (value >= min && value <= max) return value;
  rejects.add("bad_value", `${name}: got ${value}, expected ${min} to ${max}`);
  return null;
}

/** One of some words, in any case; any other is reported, and null. */
function oneOf<Word extends string>(
  name: string,
  value: Value,
  words: readonly Word[],
  rejects: Rejects,
): Word | null {
  if (typeof value !== "string") return null;
  const given = value.trim().toUpperCase();
  const word = words.find((one) => one === given);
  if (word === undefined)
    rejects.add("bad_value", `${name}: got ${shown(value)}, expected ${words.join(", ")}`);
  return word ?? null;
}
