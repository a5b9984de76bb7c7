// Reads the answer of /api/overview, one part for each panel of the page: an invalid member affects
// only the panel that shows it.

import { REACTOR_PLACES } from "../../bwts/lamps/reactor.ts";
import { lampStatusOf } from "../../bwts/plc-word.ts";
import { LACKING } from "../../bwts/present/lacking.ts";
import { LAMP_CONDITIONS } from "../../bwts/present/lamp-condition.ts";
import type { OverviewAnswer } from "../../bwts/present/overview.ts";
import { FINISH_WORDS, TO_DO, VERDICTS } from "../../bwts/present/present-words.ts";
import { ALERT_STATES, PRIORITIES } from "../../bwts/present/priority.ts";
import { NO_TIME_REASONS } from "../../bwts/present/time-to-limit.ts";
import type { TagName } from "../../bwts/tags.ts";
import {
  instant,
  isLike,
  isNumberOrNull,
  listOf,
  numberOrNull,
  type Read,
  textOrNull,
  type UncheckedAnswer,
  type Valid,
} from "./checks.ts";
import type {
  PastAlert,
  PastAlerts,
  ShownAges,
  ShownHealth,
  ShownIntensity,
  ShownLamp,
  ShownLamps,
  ShownMeasure,
  ShownNumber,
  ShownOperation,
  ShownOverOperations,
  ShownOverview,
  ShownTimeToLimit,
  ShownVerdict,
} from "./overview-shapes.ts";

type Body = UncheckedAnswer<OverviewAnswer>;
type RawMembers = Readonly<Record<string, unknown>>;

export const readOverview: Read<ShownOverview> = (body) => {
  if (!isLike<OverviewAnswer>(body)) return null;
  const valid = <T>(value: T | undefined): Valid<T> | null =>
    value === undefined ? null : { value };
  return {
    value: {
      last_event_id: textOrNull(body.last_event_id),
      verdict: valid(verdictIn(body)),
      ages: valid(agesIn(body)),
      toLimit: valid(timeToLimitIn(body)),
      intensity: valid(intensityIn(body)),
      lamps: valid(lampsIn(body)),
      measures: valid(measuresIn(body)),
      operation: valid(operationIn(body.operation)),
      health: valid(healthIn(body.health)),
      alerts: valid(alertsIn(body)),
    },
  };
};

const wordOf = <W extends string>(words: readonly W[], given: unknown): W | undefined =>
  words.find((word) => word === given);

const wordsIn = <W extends string>(words: readonly W[], given: unknown): readonly W[] =>
  Array.isArray(given) ? given.flatMap((one: unknown) => wordOf(words, one) ?? []) : [];

const membersOf = (given: unknown): RawMembers => (isLike<RawMembers>(given) ? given : {});

function verdictIn(body: Body): ShownVerdict | undefined {
  const state = wordOf(VERDICTS, body.verdict);
  const reading_ms = readingTime(body);
  if (state === undefined || reading_ms === undefined || typeof body.old !== "boolean")
    return undefined;
  const reading = membersOf(body.reading);
  return {
    ...{ state, isOld: body.old, isRunning: isLike<object>(body.operation), reading_ms },
    ...{ because: wordsIn(LACKING, body.because), toDo: wordsIn(TO_DO, body.to_do) },
    isTicked: body.tick === true,
    process: textOrNull(membersOf(reading.values).PROCESS_STATE),
    mode: textOrNull(body.mode),
    modeWord: textOrNull(membersOf(reading.values).COMPLIANCE_MODE),
    hiddenFor: textOrNull(membersOf(body.hidden).reason),
  };
}

/** Time of the newest reading; null without one, undefined for another shape. */
function readingTime({ reading }: Body): number | null | undefined {
  return reading === null ? null : (instant(membersOf(reading).timestamp) ?? undefined);
}

function agesIn(body: Body): ShownAges | undefined {
  const reading_ms = readingTime(body);
  const silence_s = numberOrNull(body.silence_seconds);
  const { plant_clock_offset_seconds: offset } = body;
  if (reading_ms === undefined || silence_s === null || !isNumberOrNull(offset)) return undefined;
  const received_ms = instant(membersOf(body.reading).received_at);
  return {
    ...{ reading_ms, received_ms, silence_s },
    received_ago_s: numberOrNull(body.received_seconds_ago),
    offset_s: numberOrNull(offset),
  };
}

function timeToLimitIn(body: Body): ShownTimeToLimit | undefined {
  if (!isLike<RawMembers>(body.time_to_limit)) return undefined;
  const given = membersOf(body.time_to_limit);
  const { hours, hours_low, hours_high, fall_w_m2_per_hour, points } = given;
  const numbers = [hours, hours_low, hours_high, fall_w_m2_per_hour, body.uv_limit];
  const reason = wordOf(NO_TIME_REASONS, given.reason) ?? null;
  if (!numbers.every(isNumberOrNull) || typeof points !== "number") return undefined;
  if (hours === null && reason === null) return undefined;
  return {
    ...{ hours: numberOrNull(hours), low_h: numberOrNull(hours_low) },
    ...{ high_h: numberOrNull(hours_high), reason, mode: textOrNull(given.mode), points },
    ...{ limit: numberOrNull(body.uv_limit), fall: numberOrNull(fall_w_m2_per_hour) },
    over: overOperationsIn(given.over_operations),
    each: [
      { name: "IMO", ...hoursIn(given.imo) },
      { name: "USCG", ...hoursIn(given.uscg) },
    ],
  };
}

function overOperationsIn(told: unknown): ShownOverOperations | null {
  const given = membersOf(told);
  const operations = numberOrNull(given.operations);
  if (operations === null) return null;
  return {
    ...{ operations, isAtEqualPower: given.at_equal_power === true },
    ...{ fall: numberOrNull(given.fall_w_m2), low: numberOrNull(given.operations_low) },
    high: numberOrNull(given.operations_high),
    reason: wordOf(NO_TIME_REASONS, given.reason) ?? null,
  };
}

function hoursIn(told: unknown) {
  const { hours, hours_low, hours_high, reason } = membersOf(told);
  return {
    ...{ hours: numberOrNull(hours), low_h: numberOrNull(hours_low) },
    ...{ high_h: numberOrNull(hours_high), reason: wordOf(NO_TIME_REASONS, reason) ?? null },
  };
}

/** A field's number with its own time; undefined for another shape. */
function numberIn(body: Body, name: TagName): ShownNumber | undefined {
  const reading_ms = readingTime(body);
  const { values, times, doubted } = membersOf(body.reading);
  const value = membersOf(values)[name] ?? null;
  if (reading_ms === undefined || !isNumberOrNull(value)) return undefined;
  if (reading_ms !== null && !isLike<RawMembers>(values)) return undefined;
  const at_ms = instant(membersOf(times)[name]) ?? reading_ms;
  const { value: odd, reason } = membersOf(membersOf(doubted)[name]);
  const why = reason === "bad_quality" ? "bad_quality" : "implausible";
  const came = typeof odd === "number" ? ({ value: odd, why } as const) : null;
  return { value: numberOrNull(value), doubted: came, at_ms };
}

function intensityIn(body: Body): ShownIntensity | undefined {
  const intensity = numberIn(body, "UVR_INTENSITY");
  const { uv_imo, uv_uscg, uv_target, source } = membersOf(body.limits);
  if (intensity === undefined || typeof uv_imo !== "number") return undefined;
  if (typeof uv_uscg !== "number" || typeof uv_target !== "number") return undefined;
  const mode = textOrNull(body.mode);
  return { intensity, mode, uv_imo, uv_uscg, uv_target, source: textOrNull(source) };
}

function lampsIn(body: Body): ShownLamps | undefined {
  const lamps = listOf(body.lamps, lampIn)?.value;
  if (lamps?.length !== REACTOR_PLACES) return undefined;
  return { lamps, isSuspended: body.forecasts_suspended === true };
}

function lampIn(given: unknown): ShownLamp | null {
  if (!isLike<OverviewAnswer["lamps"][number]>(given) || typeof given.lamp !== "number")
    return null;
  const { efficiency_percent, runtime_hours, power_w, forecast } = given;
  if (![efficiency_percent, runtime_hours, power_w].every(isNumberOrNull)) return null;
  const left = membersOf(forecast);
  const status = textOrNull(given.status);
  const { since, hours } = membersOf(given.past_life);
  const [since_ms, past_h] = [instant(since), numberOrNull(hours)];
  return {
    condition: wordOf(LAMP_CONDITIONS, given.condition) ?? "unknown",
    no_light_since_ms: instant(given.no_light_since),
    past: since_ms === null || past_h === null ? null : { since_ms, hours: past_h },
    ...{ lamp: given.lamp, status, state: lampStatusOf(status), at_ms: instant(given.timestamp) },
    ...{ efficiency: numberOrNull(efficiency_percent), runtime_h: numberOrNull(runtime_hours) },
    ...{ power_w: numberOrNull(power_w), left_h: numberOrNull(left.remaining_hours) },
    p05_h: numberOrNull(left.remaining_hours_p05),
    p95_h: numberOrNull(left.remaining_hours_p95),
    operations: numberOrNull(left.remaining_operations),
    basis: textOrNull(left.basis),
  };
}

function measuresIn(body: Body): readonly ShownMeasure[] | undefined {
  const limits = membersOf(body.limits);
  const rows = [
    ["SYS_FLOW_RATE", [body.flow_limit], 1.2],
    ["FLT_DIFF_PRESSURE", [limits.dp_warn, limits.dp_alarm], 1.2],
    ["UVR_POWER_OUTPUT", [], 1],
    ["LDC_AIR_TEMP", [limits.cabinet_warn, limits.cabinet_trip], 1.2],
    ["UVR_WATER_TEMP", [limits.water_warn, limits.water_trip], 1.2],
  ] as const;
  const measures: ShownMeasure[] = [];
  for (const [name, given, beyond] of rows) {
    const known = given.flatMap((limit) => (typeof limit === "number" ? [limit] : []));
    const shown = numberIn(body, name);
    if (shown === undefined || known.length !== given.length) return undefined;
    // Without limits it is a power, which is sent in % of the rated one.
    const full = known.length === 0 ? 100 : Math.max(...known) * beyond;
    measures.push({ ...shown, name, limits: known, full });
  }
  return measures;
}

function operationIn(given: unknown): ShownOperation | null | undefined {
  if (given === null) return null;
  if (!isLike<NonNullable<OverviewAnswer["operation"]>>(given)) return undefined;
  const since_ms = instant(given.since);
  const canFinish = wordOf(FINISH_WORDS, given.can_finish);
  const { volume_m3, hours_left, volume_by, lamps_at_risk } = given;
  if (since_ms === null || canFinish === undefined) return undefined;
  if (!isNumberOrNull(volume_m3) || !isNumberOrNull(hours_left)) return undefined;
  const { volume_m3: usual_m3, operations, of } = membersOf(given.usual);
  const isUsual = typeof usual_m3 === "number" && typeof operations === "number";
  const risky = Array.isArray(lamps_at_risk) ? lamps_at_risk : [];
  return {
    ...{ type: textOrNull(given.operation_type), location: textOrNull(given.location), since_ms },
    ...{ volume_m3: numberOrNull(volume_m3), hours_left: numberOrNull(hours_left), canFinish },
    by: volume_by === "totaliser" || volume_by === "flow" ? volume_by : null,
    usual: isUsual
      ? { volume_m3: usual_m3, n: operations, isHere: of === "type_and_location" }
      : null,
    lampsAtRisk: risky.filter((lamp) => typeof lamp === "number"),
  };
}

function healthIn(given: unknown): ShownHealth | null | undefined {
  if (given === null) return null;
  const { timestamp, overall_score, risk_level } = membersOf(given);
  const at_ms = instant(timestamp);
  if (at_ms === null || !isNumberOrNull(overall_score)) return undefined;
  return { at_ms, score: numberOrNull(overall_score), risk: textOrNull(risk_level) };
}

function alertsIn({ alerts, alerts_open }: Body): PastAlerts | undefined {
  const known = listOf(alerts, alertIn);
  if (known === null) return undefined;
  return { open: numberOrNull(alerts_open) ?? known.value.length, shown: known.value };
}

function alertIn(given: unknown): PastAlert | null {
  const { priority, alert_state, description, since } = membersOf(given);
  const known = wordOf(PRIORITIES, priority);
  const state = wordOf(ALERT_STATES, alert_state);
  if (known === undefined || state === undefined || typeof description !== "string") return null;
  return { priority: known, state, description, since_ms: instant(since) };
}
