// Makes the answer of /api/overview from the facts of a moment: the readings' content, and the time
// of the request, from which ages are derived. Pure.

import { printTime, SECOND_MS } from "../../ground/clock.ts";
import { WATER_TRIP, WATER_WARN } from "../health-parts.ts";
import { dataState } from "../idle-plant.ts";
import type { Doubt } from "../plausible.ts";
import { asText, type Value } from "../reading.ts";
import { indexOfTag, TAGS } from "../tags.ts";
import { totaliserRises, withState } from "../treating.ts";
import { shelvedUntil } from "./alarm.ts";
import { type HiddenQuery, type HidingVoid, hiddenAt, isHiddenNow } from "./hidden.ts";
import type { PresentValue } from "./lacking.ts";
import { isLate, isOverdue } from "./late.ts";
import { untreatedFor } from "./moving-water.ts";
import { type Volume, type VolumePoint, volumeOf } from "./operation.ts";
import { fallOverOperations, type OperationLight } from "./operation-fall.ts";
import { OVERVIEW_TAGS, type OverviewAnswer } from "./overview.ts";
import { type Present, presentOf } from "./present.ts";
import type { ShownLimits } from "./shown-limits.ts";
import { totaliserContradicts, wasOutside } from "./steadiness.ts";
import {
  FALL_CONFIDENCE,
  type HoursToLimit,
  type IntensityLine,
  type NoTimeReason,
} from "./time-to-limit.ts";
import { toDo } from "./to-do.ts";
import { flowLimitOf, limitMode, uvLimitOf } from "./verdict.ts";

/** The request; `at_ms` is null for the present, for which the main thread adds facts. */
export interface OverviewQuery {
  readonly at_ms: number | null;
  readonly now_ms: number;
  readonly simulated: boolean;
  readonly received_seconds_ago: number | null;
  readonly plant_clock_offset_seconds: number | null;
  readonly last_event_id: string | null;
  /** The main thread's own state; for the past, the values of a sound program. */
  readonly is_clock_trusted: boolean;
  readonly is_quarantining: boolean;
  readonly is_cut: boolean;
  readonly has_two_clocks: boolean;
  readonly is_ready: boolean;
  readonly is_damaged: boolean;
}

/** The facts of a moment; all members of the answer but ages are derived from them. */
export interface MomentFacts {
  readonly newest: {
    readonly at_ms: number;
    readonly received_ms: number;
    readonly clock_trusted: boolean;
  } | null;
  /** The newest values; null without a reading. */
  readonly found: FoundValues | null;
  readonly silence_ms: number;
  readonly operation: {
    readonly operation_type: string | null;
    readonly location: string | null;
    readonly since_ms: number;
    readonly known_by: NonNullable<OverviewAnswer["operation"]>["known_by"];
    readonly points: readonly VolumePoint[];
    /** Line through the UV intensity; null with too few readings. */
    readonly line: IntensityLine | null;
  } | null;
  /** Verdict of the running operation if it ended now; null: within limits, or none runs. */
  readonly so_far: "outside" | "unclear" | null;
  /** Verdict of the last operation, if none runs and it ended within a day; null as above. */
  readonly ended: "outside" | "unclear" | null;
  readonly usual: NonNullable<OverviewAnswer["operation"]>["usual"];
  readonly hiding: readonly HidingVoid[];
  readonly cadence_ms: number | null;
  readonly lamps: OverviewAnswer["lamps"];
  /** The lamps that may fail within this many hours. */
  readonly failing: (hours: number) => readonly number[];
  readonly isSuspended: boolean;
  /**
   * End of a lamp's life, in % of a new lamp's output: a lamp at or below it isn't good, unless its
   * forecast gives the reason.
   */
  readonly end_of_life_efficiency: number;
  /** The UV intensity of ended operations, ascending in time. */
  readonly lights: readonly OperationLight[];
  readonly health: OverviewAnswer["health"];
  readonly alerts_open: number;
  readonly alerts: readonly (Omit<OverviewAnswer["alerts"][number], "shelved_until"> & {
    readonly shelved_until_ms: number | null;
  })[];
  readonly kept_ms: number;
}

/** The newest values, and those of the present. */
interface FoundValues {
  readonly values: readonly Value[];
  readonly times: readonly (number | null)[];
  readonly light: PresentValue;
  readonly flow: PresentValue;
  /** The newest values that aren't believed, each with its index into `TAGS`. */
  readonly doubted: readonly { readonly tag: number; readonly value: Value; readonly why: Doubt }[];
  readonly readings: Parameters<typeof withState>[0];
  readonly frozen: Readonly<Record<"light" | "flow", boolean>>;
}

const LOCATION = indexOfTag("location");
const OPERATION = indexOfTag("operation_type");
const NOT_TOLD: PresentValue = { value: null, doubt: null };

export function overviewAnswer(
  facts: MomentFacts,
  asked: OverviewQuery,
  limits: ShownLimits,
): OverviewAnswer {
  const { newest, found, silence_ms, operation, lamps, kept_ms } = facts;
  const { at_ms, now_ms, simulated, received_seconds_ago, plant_clock_offset_seconds } = asked;
  const then_ms = (at_ms ?? now_ms) + (plant_clock_offset_seconds ?? 0) * SECOND_MS;
  const age_ms = newest === null ? null : then_ms - newest.at_ms;
  const received_ms = received_seconds_ago === null ? null : received_seconds_ago * SECOND_MS;
  const data = dataState({ reading_ms: age_ms, received_ms, silence_ms });
  const unseen = { newest_ms: newest?.at_ms ?? null, then_ms, received_ms, silence_ms };
  const hidden = hiddenAt(facts.hiding, unseen);
  const volume = operation === null ? null : volumeOf(operation.points, silence_ms);
  const present = presentAt(facts, asked, { data, hidden, unseen, volume, limits });
  const mode = found === null ? null : limitMode(found.values);
  const { uv_imo, uv_uscg, uv_target, flow_max_imo, flow_max_uscg } = limits;
  const { dp_warn, dp_alarm, cabinet_warn, cabinet_trip, source } = limits;
  const { verdict, because, treating, tick, to_do } = present;
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
    ...{ data, old: data === "old" || data === "silent", treating, verdict },
    ...{ because: [...because], tick: tick && at_ms === null, to_do: [...to_do] },
    ...{ mode, uv_limit: uvLimitOf(mode, limits), flow_limit: flowLimitOf(mode, limits) },
    limits: {
      ...{ uv_imo, uv_uscg, uv_target, flow_max_imo, flow_max_uscg, dp_warn, dp_alarm },
      ...{ cabinet_warn, cabinet_trip, water_warn: WATER_WARN, water_trip: WATER_TRIP, source },
    },
    time_to_limit: {
      ...{ ...hoursOf(present.to_limit), mode },
      ...{ imo: hoursOf(present.to_imo), uscg: hoursOf(present.to_uscg) },
      ...lineOf(operation?.line ?? null),
      over_operations: overOperations(facts.lights, uvLimitOf(mode, limits)),
    },
    lamps,
    forecasts_suspended: facts.isSuspended,
    operation: operation === null ? null : operationOf(facts, operation, { volume, present }),
    health: facts.health,
    alerts_open: facts.alerts_open,
    alerts: facts.alerts.map(({ shelved_until_ms, ...alert }) => ({
      ...alert,
      shelved_until: at_ms === null ? shelvedUntil(shelved_until_ms, now_ms) : null,
    })),
  };
}

interface MomentParts {
  readonly data: ReturnType<typeof dataState>;
  readonly hidden: HidingVoid | null;
  readonly unseen: HiddenQuery;
  readonly volume: Volume | null;
  readonly limits: ShownLimits;
}

function presentAt(
  facts: MomentFacts,
  asked: OverviewQuery,
  { data, hidden, unseen, volume, limits }: MomentParts,
): Present {
  const { found, operation, usual, failing } = facts;
  const operation_type = operation?.operation_type ?? found?.values[OPERATION] ?? null;
  const readings = withState(found?.readings ?? []);
  return presentOf({
    values: found?.values ?? null,
    light: found?.light ?? NOT_TOLD,
    flow: found?.flow ?? NOT_TOLD,
    ...{ data, isHidden: isHiddenNow(hidden, unseen), isClockTrusted: asked.is_clock_trusted },
    isQuarantining: asked.is_quarantining,
    isLate: asked.at_ms === null && isLate(facts.newest, asked),
    hasTwoClocks: asked.has_two_clocks,
    isCut: asked.is_cut && isOverdue(unseen.received_ms, facts.cadence_ms),
    ...{ isRunning: operation !== null, operation_type, limits, failing },
    to_do: toDo(facts, asked, { limits, volume }),
    untreated_ms: untreatedFor(readings, limits, operation_type),
    isRising: totaliserRises(readings, limits),
    isContradicted: totaliserContradicts(readings, limits, operation_type),
    ...{ isLightFrozen: !!found?.frozen.light, isFlowFrozen: !!found?.frozen.flow },
    isUnsteady: wasOutside(readings, limits, operation_type),
    line: operation?.line ?? null,
    left_m3:
      usual === null || volume === null ? null : Math.max(0, usual.volume_m3 - volume.volume_m3),
  });
}

const printed = (at_ms: number | null) => (at_ms === null ? null : printTime(at_ms));

function readingOf(
  newest: NonNullable<MomentFacts["newest"]>,
  { values, times, doubted }: FoundValues,
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

/** A value as a plain number: fields of the catalogue never hold a bigint. */
const plain = (value: Value) => (typeof value === "bigint" ? Number(value) : value);

function hoursOf(to: HoursToLimit | NoTimeReason) {
  if (typeof to === "string") return { hours: null, hours_low: null, hours_high: null, reason: to };
  const { hours, low_h, high_h } = to;
  return { hours: round(hours), hours_low: round(low_h), hours_high: round(high_h), reason: null };
}

/** Rounds to two decimals. */
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

function overOperations(
  lights: readonly OperationLight[],
  limit: number | null,
): OverviewAnswer["time_to_limit"]["over_operations"] {
  const { operations, start_ms, end_ms, isAtEqualPower, line, toLimit } = fallOverOperations(
    lights,
    limit,
  );
  const { hours, hours_low, hours_high, reason } = hoursOf(toLimit);
  return {
    ...{ operations, start: printed(start_ms), end: printed(end_ms) },
    at_equal_power: isAtEqualPower,
    fall_w_m2: line === null ? null : round(-line.slope),
    fall_low: line === null ? null : round(-line.slope_high),
    fall_high: line === null ? null : round(-line.slope_low),
    ...{ operations_left: hours, operations_low: hours_low, operations_high: hours_high, reason },
  };
}

function operationOf(
  { usual, found }: MomentFacts,
  { operation_type, location, since_ms, known_by }: NonNullable<MomentFacts["operation"]>,
  { volume, present }: { readonly volume: Volume | null; readonly present: Present },
): OverviewAnswer["operation"] {
  const { hours_left, can_finish, lamps_at_risk } = present.finish;
  return {
    operation_type: operation_type ?? asText(found?.values[OPERATION]),
    location: location ?? asText(found?.values[LOCATION]),
    ...{ since: printTime(since_ms), known_by },
    volume_m3: volume === null ? null : round(volume.volume_m3),
    volume_by: volume?.by ?? null,
    usual: usual === null ? null : { ...usual, volume_m3: round(usual.volume_m3) },
    hours_left: hours_left === null ? null : round(hours_left),
    ...{ can_finish, lamps_at_risk: [...lamps_at_risk] },
  };
}

const hiddenPart = ({ start_ms, end_ms, reason }: HidingVoid) => {
  return { start: printTime(start_ms), end: printTime(end_ms), reason };
};
