// Decodes records made elsewhere: health in the API's flat and nested form, predictions in the
// API's form. They are read as tolerantly as telemetry. An unreadable member is null and reported;
// an unreadable identity (type, component) rejects the whole record.

import {
  HealthBucket,
  type HealthComponents,
  HealthFlat,
  NestedHealth,
  type ReceivedHealth,
  RISK_LEVELS,
} from "../bwts/health-record.ts";
import type { Rejects } from "../bwts/message.ts";
import {
  COMPONENT_STATUSES,
  COMPONENT_TYPE,
  END_DATES,
  type Prediction,
  PredictionAnswer,
} from "../bwts/prediction.ts";
import type { Value } from "../bwts/reading.ts";
import { LAMP_NUMBERS } from "../bwts/tags.ts";
import { parseTime } from "../ground/clock.ts";
import { lampNumber } from "./lamp-reading.ts";
import {
  isDotted,
  isTooLarge,
  isTooLong,
  joined,
  type Members,
  nestedMembers,
  objectReader,
  otherMembers,
  reportUnknown,
} from "./members.ts";
import { MESSAGE_MEMBERS, type MessageTime } from "./reading.ts";
import { saysNothing, shown } from "./value.ts";

/** A `health` object in the flat or the nested form; null if it has no score. */
export function decodeHealth(
  members: Members,
  time: MessageTime,
  rejects: Rejects,
): ReceivedHealth | null {
  const read = objectReader(members, rejects);
  const overall_score = within("overall_score", read("overall_score", "number"), SCORES, rejects);
  if (overall_score === null) {
    if (saysNothing(members.overall_score))
      rejects.add("bad_value", "overall_score: expected a number");
    return null;
  }
  const isKnown = (name: string) => HEALTH_MEMBERS.has(name) || isDotted(name, "components");
  reportUnknown(members, { kind: "a health record", isKnown }, rejects);
  return {
    at_ms: time.at_ms,
    source: "mqtt",
    overall_score,
    risk_level: oneOf("risk_level", read("risk_level", "string"), RISK_LEVELS, rejects),
    month: within("month", read("month", "integer"), MONTHS, rejects),
    components: componentsOf(members, rejects),
  };
}

/** Members of health records as the API answers them, which are accepted too. */
const HEALTH_MEMBERS: ReadonlySet<string> = new Set([
  ...MESSAGE_MEMBERS,
  ...[HealthFlat, NestedHealth, HealthBucket].flatMap(({ shape }) => Object.keys(shape)),
]);

const FLAT_NAMES = {
  uv_health: "componentsUvHealth",
  lamp_health: "componentsLampHealth",
  power_efficiency: "componentsPowerEfficiency",
  thermal_health: "componentsThermalHealth",
} as const satisfies Record<keyof HealthComponents, keyof typeof HealthFlat.shape>;

/** The components, by their flat names or in `components`; the flat ones count. */
function componentsOf(members: Members, rejects: Rejects): HealthComponents {
  const nested = nestedMembers(members, "components", rejects);
  const named = Object.entries(FLAT_NAMES);
  const flat = new Map<string, string>(named);
  const told = (name: string) => `components.${name}`;
  const all = joined(
    Object.fromEntries(named.map(([name, own]) => [name, members[own]])),
    nested,
    { counting: (name) => flat.get(name) ?? told(name), other: told },
    rejects,
  );
  const beyond = Object.entries(nested).map(([name, value]) => [told(name), value]);
  const isKnown = (name: string) => named.some(([known]) => told(known) === name);
  reportUnknown(Object.fromEntries(beyond), { kind: "a health record", isKnown }, rejects);
  const score = (name: keyof HealthComponents) => {
    const shownAs = saysNothing(members[FLAT_NAMES[name]]) ? told(name) : FLAT_NAMES[name];
    const read = objectReader({ [shownAs]: all[name] }, rejects);
    return within(shownAs, read(shownAs, "number"), SCORES, rejects);
  };
  return {
    uv_health: score("uv_health"),
    lamp_health: score("lamp_health"),
    power_efficiency: score("power_efficiency"),
    thermal_health: score("thermal_health"),
  };
}

/** Decodes a `predictions` object; null if its component is rejected, or no member can be read. */
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
  reportUnknown(members, { kind: "a prediction", isKnown: isOfPrediction }, rejects);
  const predictions = forecastOf(nestedMembers(members, "predictions", rejects), rejects);
  const current_state = stateOf(nestedMembers(members, "current_state", rejects), rejects);
  if ([predictions, current_state].every((part) => Object.values(part).every(saysNothing))) {
    const both = "predictions and current_state";
    rejects.add("bad_value", `${both}: no member could be read, expected at least one`);
    return null;
  }
  const component = `LAMP_${LAMP_NUMBERS[lamp - 1]}`;
  return { at_ms: time.at_ms, component_id: component, predictions, current_state };
}

const PREDICTION_MEMBERS = new Set([...MESSAGE_MEMBERS, ...Object.keys(PredictionAnswer.shape)]);

function isOfPrediction(name: string): boolean {
  const isNested = ["predictions", "current_state"].some((object) => isDotted(name, object));
  return isNested || PREDICTION_MEMBERS.has(name);
}

function forecastOf(forecast: Members, rejects: Rejects): Members {
  const read = objectReader(forecast, rejects);
  const number = (name: string, range: NumberRange) =>
    within(name, read(name, "number"), range, rejects);
  const predictions = {
    remaining_useful_life_hours: number("remaining_useful_life_hours", HOURS),
    failure_probability: number("failure_probability", PROBABILITIES),
    efficiency_percent: number("efficiency_percent", EFFICIENCIES),
  };
  const sent = FROM_0.filter((name) => Object.hasOwn(forecast, name));
  const numbers = Object.fromEntries(sent.map((name) => [name, number(name, HOURS)]));
  const further = { ...numbers, ...interval(numbers, rejects), ...endDates(forecast, rejects) };
  const known = { ...predictions, ...further };
  return { ...predictions, ...otherMembers(forecast, known, rejects), ...further };
}

function stateOf(state: Members, rejects: Rejects): Members {
  const read = objectReader(state, rejects);
  const number = (name: string, range: NumberRange) =>
    within(name, read(name, "number"), range, rejects);
  const current_state = {
    runtime_hours: number("runtime_hours", HOURS),
    efficiency_percent: number("efficiency_percent", EFFICIENCIES),
    status: oneOf("status", read("status", "string"), COMPONENT_STATUSES, rejects),
  };
  return { ...current_state, ...otherMembers(state, current_state, rejects) };
}

/** The ends of the interval, lower first. */
const INTERVAL = ["remaining_useful_life_hours_p05", "remaining_useful_life_hours_p95"] as const;

/** Members of `predictions` that are numbers of 0 or more. */
const FROM_0 = [...INTERVAL, "horizon_hours", "remaining_operations", "remaining_days"];

/** The ends of an interval; if they aren't one, they are reported, and null. */
function interval(sent: Readonly<Record<string, number | null>>, rejects: Rejects): Members {
  const [low, high] = INTERVAL;
  const [p05, p95] = [sent[low] ?? null, sent[high] ?? null];
  if (p05 === null || p95 === null || p05 <= p95) return {};
  rejects.add("bad_value", `${low}: got ${p05}, expected at most ${high}, which is ${p95}`);
  return { [low]: null, [high]: null };
}

/** The dates of an expected end; a value that isn't a date is reported, and null. */
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

interface NumberRange {
  readonly min: number;
  readonly max: number;
}

const SCORES: NumberRange = { min: 0, max: 100 };
const MONTHS: NumberRange = { min: 1, max: 12 };
const PROBABILITIES: NumberRange = { min: 0, max: 1 };
/** Valid hours of a lamp, up to about a century. */
const HOURS: NumberRange = { min: 0, max: 1e6 };
/** Valid efficiencies in % of a new lamp; a good lamp is a little above 100. */
const EFFICIENCIES: NumberRange = { min: 0, max: 150 };

/** A number in its range; any other is reported, and becomes null. */
function within(name: string, value: Value, range: NumberRange, rejects: Rejects): number | null {
  if (typeof value !== "number") return null;
  const { min, max } = range;
  if (value >= min && value <= max) return value;
  rejects.add("bad_value", `${name}: got ${value}, expected ${min} to ${max}`);
  return null;
}

/** One of the words, in any case; any other is reported, and becomes null. */
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
