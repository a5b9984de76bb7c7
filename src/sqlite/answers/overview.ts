// The overview: the plant at one moment, now or in the past, from what was there up to it. What
// readings tell is computed once after each commit; ages follow from the time of the question.

import { shelvedUntil } from "../../bwts/alerts/alarm.ts";
import { WATER_TRIP, WATER_WARN } from "../../bwts/health-parts.ts";
import { healthNested } from "../../bwts/health-record.ts";
import { dataState, silenceLimit } from "../../bwts/idle-plant.ts";
import type { LampConfig } from "../../bwts/lamps/outlook.ts";
import { type HidingVoid, hiddenAt, isHiddenNow } from "../../bwts/overview/hidden.ts";
import { finishOf, volumeOf } from "../../bwts/overview/operation.ts";
import { OVERVIEW_TAGS, type OverviewAnswer } from "../../bwts/overview/overview.ts";
import {
  FALL_CONFIDENCE,
  type HoursToLimit,
  hoursToLimit,
  type IntensityLine,
  intensityLine,
  type NoTimeReason,
} from "../../bwts/overview/time-to-limit.ts";
import {
  flowLimitOf,
  limitMode,
  treatingBy,
  uvLimitOf,
  verdictOf,
} from "../../bwts/overview/verdict.ts";
import { asText, type Value } from "../../bwts/reading.ts";
import { indexOfTag, TAGS } from "../../bwts/tags.ts";
import { MINUTE_MS, printTime, SECOND_MS } from "../../ground/clock.ts";
import { exactJson } from "../../ground/exact-json.ts";
import { operationNow, presentOperation } from "../derived/gaps.ts";
import { freshNumber, type NewestValues, newestValues } from "../derived/newest-values.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, memo } from "../file/open.ts";
import { EVER } from "../file/query.ts";
import { rawFrom } from "../sealed/timeline.ts";
import { listVoids } from "../sealed/voids.ts";
import { newestHealth } from "./health.ts";
import { lampCounters, mostUrgent, openPlaces } from "./overview-alerts.ts";
import { overviewLamps } from "./overview-lamps.ts";
import {
  fallPoints,
  type OperationUnderWay,
  operationUnderWay,
  usualVolume,
} from "./overview-operation.ts";

/** The question; `at_ms` is null for the present, of which the main thread knows more. */
export interface OverviewAsked {
  readonly at_ms: number | null;
  readonly now_ms: number;
  readonly simulated: boolean;
  readonly received_seconds_ago: number | null;
  readonly plant_clock_offset_seconds: number | null;
  readonly last_event_id: string | null;
}

/** A health score is known when its quarter of an hour has ended. */
const SLOT_MS = 15 * MINUTE_MS;
const INTENSITY = indexOfTag("UVR_INTENSITY");
const FLOW = indexOfTag("SYS_FLOW_RATE");
const LOCATION = indexOfTag("location");
const OPERATION = indexOfTag("operation_type");

export function overviewJson(db: Connection, asked: OverviewAsked, config: LampConfig): string {
  const { at_ms } = asked;
  const compute = () => db.transaction(() => factsAt(db, asked, config))();
  const facts = at_ms === null ? memo(db, "overview", compute) : compute();
  return exactJson(answerOf(facts, asked, config));
}

type MomentFacts = ReturnType<typeof factsAt>;

/**
 * All that doesn't depend on the time of the question, but for `now_ms`: an alert whose shelving
 * ends gets its place in a list that is cut with the next commit.
 */
function factsAt(
  db: Connection,
  { at_ms, now_ms }: Pick<OverviewAsked, "at_ms" | "now_ms">,
  config: LampConfig,
) {
  const { limits } = config;
  const end_ms = at_ms ?? EVER.end_ms;
  const { newest, running, cadence_ms } =
    at_ms === null ? presentOperation(db, limits) : operationNow(db, limits, end_ms);
  const silence_ms = silenceLimit(cadence_ms);
  const found = newest === null ? null : newestValues(db, newest.at_ms);
  const operation =
    newest === null || running === null
      ? null
      : operationUnderWay(db, running, { end_ms: newest.at_ms, silence_ms, limits });
  const places = openPlaces(db, at_ms);
  const alerts = mostUrgent(db, places, { at_ms, now_ms });
  const { areCountersFast, isSuspended } = lampCounters(db, places, at_ms);
  const scored = { ...EVER, end_ms: at_ms === null ? EVER.end_ms : at_ms - SLOT_MS };
  const [health] = withoutDamage(db, () => newestHealth(db, 1, scored)) ?? [];
  return {
    ...{ newest, found, silence_ms, operation, alerts, isSuspended },
    alerts_open: places.length,
    usual: operation === null ? null : usualVolume(db, operation, silence_ms),
    hiding: hidingAfter(db, newest?.at_ms ?? null),
    lamps: overviewLamps(db, found, { end_ms, isSuspended, areCountersFast }),
    health: health === undefined ? null : healthNested(health),
    kept_ms: rawFrom(db),
  };
}

function answerOf(
  facts: MomentFacts,
  asked: OverviewAsked,
  { limits }: LampConfig,
): OverviewAnswer {
  const { newest, found, silence_ms, operation, lamps, kept_ms } = facts;
  const { at_ms, now_ms, simulated, received_seconds_ago, plant_clock_offset_seconds } = asked;
  const then_ms = (at_ms ?? now_ms) + (plant_clock_offset_seconds ?? 0) * SECOND_MS;
  const age_ms = newest === null ? null : then_ms - newest.at_ms;
  const received_ms = received_seconds_ago === null ? null : received_seconds_ago * SECOND_MS;
  const data = dataState({ reading_ms: age_ms, received_ms, silence_ms });
  const isOld = data === "old" || data === "silent";
  const unseen = { newest_ms: newest?.at_ms ?? null, then_ms, received_ms, silence_ms };
  const hidden = hiddenAt(facts.hiding, unseen);
  const values = found?.values ?? null;
  const mode = values === null ? null : limitMode(values);
  const treating = values === null ? null : treatingBy(values, limits);
  const intensity_w_m2 = found === null ? null : freshNumber(found, INTENSITY, silence_ms);
  const isRunning = operation !== null;
  const isHidden = isHiddenNow(hidden, unseen);
  const verdict = verdictOf({ values, intensity_w_m2, isOld, isHidden, isRunning, limits });
  const line = operation === null ? null : intensityLine(fallPoints(operation));
  const untreated = treating === null ? "unknown" : treating ? null : "not_treating";
  const without = isOld ? "old" : untreated;
  const toLimit = (limit: number | null) => timeTo(line, limit, without);
  const uv_limit = uvLimitOf(mode, limits);
  const { uv_imo, uv_uscg, uv_target, flow_max_imo, flow_max_uscg } = limits;
  const { dp_warn, dp_alarm, cabinet_warn, cabinet_trip, source } = limits;
  return {
    at: printed(at_ms),
    now: printTime(now_ms),
    last_event_id: asked.last_event_id,
    simulated,
    kept_from: kept_ms === 0 ? null : printTime(kept_ms),
    reading: newest === null || found === null ? null : readingOf(newest, found),
    hidden: hidden === null ? null : hiddenPart(hidden),
    received_seconds_ago,
    reading_seconds_ago: age_ms === null ? null : Math.round(age_ms) / SECOND_MS,
    plant_clock_offset_seconds,
    silence_seconds: silence_ms / SECOND_MS,
    ...{ data, old: isOld, treating, verdict, mode, uv_limit },
    flow_limit: flowLimitOf(mode, limits),
    limits: {
      ...{ uv_imo, uv_uscg, uv_target, flow_max_imo, flow_max_uscg, dp_warn, dp_alarm },
      ...{ cabinet_warn, cabinet_trip, water_warn: WATER_WARN, water_trip: WATER_TRIP, source },
    },
    time_to_limit: {
      ...hoursOf(toLimit(uv_limit)),
      ...{ mode, imo: hoursOf(toLimit(uv_imo)), uscg: hoursOf(toLimit(uv_uscg)) },
      ...lineOf(line),
    },
    lamps,
    forecasts_suspended: facts.isSuspended,
    operation: operation === null ? null : operationOf(facts, operation, toLimit(uv_limit)),
    health: facts.health,
    alerts_open: facts.alerts_open,
    alerts: facts.alerts.map(({ shelved_until_ms, ...alert }) => ({
      ...alert,
      shelved_until: at_ms === null ? shelvedUntil(shelved_until_ms, now_ms) : null,
    })),
  };
}

const printed = (at_ms: number | null) => (at_ms === null ? null : printTime(at_ms));

function readingOf(
  newest: NonNullable<MomentFacts["newest"]>,
  { values, times, doubted }: NewestValues,
): OverviewAnswer["reading"] {
  const { at_ms, received_ms, clock_trusted } = newest;
  const earlier = OVERVIEW_TAGS.flatMap(({ name, index }) => {
    const time_ms = times[index];
    return time_ms === null || time_ms === at_ms ? [] : [[name, printTime(time_ms)] as const];
  });
  const named = OVERVIEW_TAGS.map(({ name, index }) => [name, plain(values[index])] as const);
  return {
    ...{ timestamp: printTime(at_ms), received_at: printTime(received_ms), clock_trusted },
    ...{ values: Object.fromEntries(named), times: Object.fromEntries(earlier) },
    doubted: Object.fromEntries(
      doubted.flatMap(({ tag, value, why: reason }) => {
        const sent = plain(value);
        return sent === null ? [] : [[TAGS[tag].name, { value: sent, reason }] as const];
      }),
    ),
  };
}

/** Fields of the catalogue hold no bigint. */
const plain = (value: Value) => (typeof value === "bigint" ? Number(value) : value);

function timeTo(
  line: IntensityLine | null,
  limit: number | null,
  without: NoTimeReason | null,
): HoursToLimit | NoTimeReason {
  if (without !== null) return without;
  if (limit === null) return "no_limit";
  return line === null ? "too_few" : hoursToLimit(line, limit);
}

function hoursOf(to: HoursToLimit | NoTimeReason) {
  if (typeof to === "string") return { hours: null, hours_low: null, hours_high: null, reason: to };
  const { hours, low_h, high_h } = to;
  return { hours: round(hours), hours_low: round(low_h), hours_high: round(high_h), reason: null };
}

/** Two decimals. */
const round = (value: number) => Math.round(value * 100) / 100;

function lineOf(line: IntensityLine | null) {
  const none = { fall_w_m2_per_hour: null, fall_low: null, fall_high: null };
  const confidence = FALL_CONFIDENCE;
  if (line === null) return { ...none, confidence, points: 0, start: null, end: null };
  return {
    fall_w_m2_per_hour: round(-line.slope),
    ...{ fall_low: round(-line.slope_high), fall_high: round(-line.slope_low), confidence },
    ...{ points: line.points, start: printTime(line.start_ms), end: printTime(line.end_ms) },
  };
}

function operationOf(
  { usual, lamps, found, silence_ms }: MomentFacts,
  { operation_type, location, since_ms, known_by, points }: OperationUnderWay,
  toLimit: HoursToLimit | NoTimeReason,
): OverviewAnswer["operation"] {
  const volume = volumeOf(points, silence_ms);
  const left_m3 =
    usual === null || volume === null ? null : Math.max(0, usual.volume_m3 - volume.volume_m3);
  const flow_m3_h = found === null ? null : freshNumber(found, FLOW, silence_ms);
  const early = lamps.map(({ lamp, forecast }) => {
    return { lamp, p05_h: forecast?.remaining_hours_p05 ?? null };
  });
  const { hours_left, ...finish } = finishOf({ left_m3, flow_m3_h, toLimit, lamps: early });
  return {
    operation_type: operation_type ?? asText(found?.values[OPERATION]),
    location: location ?? asText(found?.values[LOCATION]),
    ...{ since: printTime(since_ms), known_by },
    volume_m3: volume === null ? null : round(volume.volume_m3),
    volume_by: volume?.by ?? null,
    usual: usual === null ? null : { ...usual, volume_m3: round(usual.volume_m3) },
    hours_left: hours_left === null ? null : round(hours_left),
    ...{ ...finish, lamps_at_risk: [...finish.lamps_at_risk] },
  };
}

const hiddenPart = ({ start_ms, end_ms, reason }: HidingVoid) => {
  return { start: printTime(start_ms), end: printTime(end_ms), reason };
};

/** The voids that hide readings after `newest_ms`. */
function hidingAfter(db: Connection, newest_ms: number | null): readonly HidingVoid[] {
  return listVoids(db).filter(
    ({ what, undone_ms, end_ms }) =>
      what === "readings" && undone_ms === null && end_ms > (newest_ms ?? EVER.start_ms),
  );
}
