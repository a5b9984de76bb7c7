// Answers about lamps: their lives, the diagnosis of low light, and the accuracy of forecasts. All
// are short, and computed at once from the tracked lives and a few hours of readings.

import { type CleaningGains, cleaningGains } from "../../bwts/diagnosis/cleaning-gains.ts";
import {
  type ComparedOperation,
  type Comparison,
  type ComparisonGiven,
  comparisonOf,
  intensityOf,
  LOOKS_MIN,
  presentLooks,
} from "../../bwts/diagnosis/comparison.ts";
import {
  type Diagnosis,
  diagnosisOf,
  FALL_SHARE,
  type LampAsKnown,
  NOTHING_TO_SAY,
} from "../../bwts/diagnosis/diagnosis.ts";
import type { SleeveFacts } from "../../bwts/diagnosis/light-change.ts";
import { cleaningOf, type Look } from "../../bwts/diagnosis/light-loss.ts";
import type { Effects } from "../../bwts/effects/common-effects.ts";
import { lampsAnswer } from "../../bwts/lamps/answer.ts";
import { sightOf } from "../../bwts/lamps/fields.ts";
import { lampNow } from "../../bwts/lamps/lamp-now.ts";
import { lampCurve } from "../../bwts/lamps/life-curve.ts";
import { effectsOf } from "../../bwts/lamps/outcome.ts";
import { endedLives, type LampConfig } from "../../bwts/lamps/outlook.ts";
import type { TrackerState } from "../../bwts/lamps/state.ts";
import { limitMode } from "../../bwts/overview/verdict.ts";
import { asNumber, type Reading } from "../../bwts/reading.ts";
import { indexOfTag, LAMP_NUMBERS, type TagName } from "../../bwts/tags.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../ground/clock.ts";
import { trackRecordNow } from "../derived/lamp-scores.ts";
import { trackedLamps } from "../derived/lamps.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import { type ClosedRange, EVER } from "../file/query.ts";
import {
  type OperationRow,
  operationRow,
  operationsTouching,
  storedOperation,
} from "../records/operation-rows.ts";
import { BELIEVED, readingsIn } from "../sealed/timeline.ts";
import { lampForecasts } from "./lamp-hours.ts";

/** Lamp lives by position. */
export function lampsJson(db: Connection, config: LampConfig): string {
  return JSON.stringify(lampsAnswer(trackedLamps(db, config), config.lamps));
}

/** Efficiency over operating hours of the lamps at a position, 0 to 15. */
export function lampCurveJson(db: Connection, config: LampConfig, position: number): string {
  return JSON.stringify(lampCurve(trackedLamps(db, config), position, config.lamps));
}

/** An operation is read from its start, at most this long before the latest reading. */
const OPERATION_MAX_MS = 2 * DAY_MS;
/** It is compared with the start of an earlier operation, at most this long before it. */
const REFERENCE_MS = 60 * DAY_MS;
const REFERENCE_LASTS_MS = 6 * HOUR_MS;
/** An operation that ended this shortly before is compared too: a cleaning may lie between. */
const JUST_BEFORE_MS = DAY_MS;
/** Lamps are steady after this time. */
const WARMUP_MS = 10 * MINUTE_MS;

/** A moment, and the number of the operation to compare with; null: now, and the last good one. */
export interface DiagnosisAsked {
  readonly at_ms: number | null;
  readonly compare: number | null;
}

/** The diagnosis of low light. */
export function diagnosisJson(db: Connection, config: LampConfig): string | null {
  return diagnosisOfJson(db, config, { at_ms: null, compare: null });
}

/** The same of a moment, or with a chosen operation; null if there is no such operation. */
export function diagnosisOfJson(
  db: Connection,
  config: LampConfig,
  { at_ms, compare }: DiagnosisAsked,
): string | null {
  const asked = compare === null ? null : operationRow(db, compare);
  if (compare !== null && asked === null) return null;
  const end_ms = at_ms ?? EVER.end_ms;
  const state = trackedLamps(db, config);
  const operations = state.operations.filter(({ start_ms }) => start_ms <= end_ms);
  const effects = effectsOf(state);
  const facts = { state, effects, asked };
  const last = operations.at(-1);
  if (last === undefined) {
    const comparison = comparedNow(db, config, {
      ...facts,
      operation: null,
      earlier: [],
      lamps: [],
    });
    return JSON.stringify({ ...NOTHING_TO_SAY, comparison } satisfies Diagnosis);
  }
  const span = { start_ms: last.start_ms, end_ms: Math.min(last.end_ms, end_ms) };
  const start_ms = Math.max(span.start_ms, span.end_ms - OPERATION_MAX_MS) + WARMUP_MS;
  const looks = looksIn(db, { start_ms, end_ms: span.end_ms }, config);
  const others = operations.slice(0, -1);
  const reference = others.find(({ start_ms: from_ms }) => from_ms >= start_ms - REFERENCE_MS);
  const previous = others.findLast((each) => each.end_ms >= start_ms - JUST_BEFORE_MS);
  const spans = new Map(
    [reference, previous].flatMap((each) => (each === undefined ? [] : [[each.start_ms, each]])),
  );
  const looksBefore = [...spans.values()].flatMap((each) => firstLooks(db, each, config));
  const lamps = at_ms === null ? lampsNow(state, effects, config) : lampsThen(db, at_ms);
  const said = diagnosisOf(looks, looksBefore, { limits: config.limits, effects, lamps });
  const operation = { ...span, looks };
  const comparison = comparedNow(db, config, { ...facts, operation, earlier: looksBefore, lamps });
  return JSON.stringify({ ...said, comparison } satisfies Diagnosis);
}

const lampsNow = (state: TrackerState, { off }: Effects, config: LampConfig) =>
  state.positions.map((at) => lampNow(at, { limits: config.lamps, off }));

/** The lamps as the forecasts of that time knew them. */
function lampsThen(db: Connection, at_ms: number): readonly (LampAsKnown | null)[] {
  const forecasts = lampForecasts(db, at_ms);
  return LAMP_NUMBERS.map((number) => {
    const one = forecasts.find(({ component_id }) => component_id === `LAMP_${number}`);
    if (one === undefined) return null;
    const { runtime_hours: hours, efficiency_percent } = one.current_state;
    const ended = one.predictions.expected_end;
    return { hours, efficiency_percent, outcome: ended, isPast: ended !== null };
  });
}

/** The first hours of an operation, without its warm-up. */
function firstLooks(db: Connection, { start_ms, end_ms }: ClosedRange, config: LampConfig) {
  const range = {
    start_ms: start_ms + WARMUP_MS,
    end_ms: Math.min(end_ms, start_ms + REFERENCE_LASTS_MS),
  };
  return looksIn(db, range, config);
}

interface ComparedFacts {
  readonly state: TrackerState;
  readonly effects: Effects;
  /** The operation to compare with; null: the last good one. */
  readonly asked: OperationRow | null;
  readonly operation: (ClosedRange & { readonly looks: readonly Look[] }) | null;
  /** The looks of earlier operations, in which the last cleaning may be. */
  readonly earlier: readonly Look[];
  readonly lamps: readonly (LampAsKnown | null)[];
}

function comparedNow(db: Connection, config: LampConfig, facts: ComparedFacts): Comparison {
  const { state, effects, asked, operation, earlier, lamps } = facts;
  const gains = cleaningGains(state, operation?.end_ms ?? 0);
  const before = operation === null ? null : comparedWith(db, config, { asked, operation });
  return comparisonOf({
    now: operation === null ? null : presentOperation(db, operation),
    before,
    ...{ limits: config.limits, gains },
    cleaning: cleaningOf([...earlier, ...(operation?.looks ?? [])]),
    drift: driftSince(before?.operation.start_ms ?? null, { state, effects, gains }),
    past: lamps.flatMap((lamp, position) => (lamp?.isPast === true ? [position] : [])),
  });
}

/** With the number that the operation is listed by. */
function presentOperation(
  db: Connection,
  { start_ms, end_ms, looks }: ClosedRange & { readonly looks: readonly Look[] },
): ComparedOperation {
  const at_ms = looks.at(-1)?.at_ms ?? end_ms;
  const rows = withoutDamage(db, () => operationsTouching(db, { start_ms: at_ms, end_ms: at_ms }));
  const row = rows?.at(-1);
  if (row === undefined) return { id: null, operation_type: null, location: null, start_ms, looks };
  const { id, operation_type, location } = row;
  return { id, operation_type, location, start_ms: row.start_ms, looks };
}

/** So many of the newest operations within limits are asked for a higher light. */
const GOOD_MAX = 30;

/**
 * The operation that was asked for, else the newest one within limits whose light was clearly
 * higher, else the newest within limits. Null if there is none.
 */
function comparedWith(
  db: Connection,
  config: LampConfig,
  {
    asked,
    operation,
  }: Pick<ComparedFacts, "asked"> & {
    readonly operation: NonNullable<ComparedFacts["operation"]>;
  },
): ComparisonGiven["before"] {
  const looksOf = ({ id, operation_type, location, start_ms, end_ms }: OperationRow) => {
    const looks = firstLooks(db, { start_ms, end_ms: end_ms ?? EVER.end_ms }, config);
    return { id, operation_type, location, start_ms, looks };
  };
  if (asked !== null) return { operation: looksOf(asked), by: "asked" };
  const present = presentLooks(operation.looks);
  if (present.length === 0) return null;
  const now_w_m2 = intensityOf(present);
  const any = { operation_type: null, location: null, verdict: "within_limits", limit: GOOD_MAX };
  const range = { start_ms: EVER.start_ms, end_ms: operation.start_ms - 1 };
  let newest: ComparedOperation | null = null;
  for (const { id } of prepare(db, "operation.page").all({ ...range, ...any })) {
    const row = withoutDamage(db, () => operationRow(db, id));
    const stored = row === null ? null : withoutDamage(db, () => storedOperation(db, id));
    if (row === null || stored === null || stored.verdict !== "within_limits") continue;
    if (row.end_ms === null || row.end_ms >= operation.start_ms) continue;
    const { mean } = stored.values.UVR_INTENSITY;
    const isHigher = mean !== null && now_w_m2 < FALL_SHARE * mean;
    if (!isHigher && newest !== null) continue;
    const found = looksOf(row);
    if (found.looks.length < LOOKS_MIN) continue;
    if (isHigher) return { operation: found, by: "good_operation" };
    newest = found;
  }
  return newest === null ? null : { operation: newest, by: "good_operation" };
}

/** After fewer cleanings the sensor's drift isn't told from the sleeves. */
const DRIFT_CLEANINGS = 4;

/** The sensor's drift since a time, by its learned one in 1,000 operating hours. */
function driftSince(
  start_ms: number | null,
  { state, effects, gains }: Pick<ComparedFacts, "state" | "effects"> & { gains: CleaningGains },
): SleeveFacts["drift"] {
  const { drift } = effects;
  const first_ms = state.operations[0]?.start_ms ?? Number.POSITIVE_INFINITY;
  if (start_ms === null || drift === null || gains.measured < DRIFT_CLEANINGS) return null;
  if (first_ms > start_ms + HOUR_MS) return null;
  const since = state.operations.filter((each) => each.start_ms >= start_ms);
  const thousands = since.reduce((sum, { hours }) => sum + hours, 0) / 1000;
  return { log: drift.mean * thousands, sd: drift.sd * thousands };
}

function looksIn(db: Connection, range: ClosedRange, { limits }: LampConfig): readonly Look[] {
  const looks: Look[] = [];
  for (const reading of readingsIn(db, range, BELIEVED)) {
    const sight = sightOf(reading.at_ms, (tag) => reading.values[tag], limits);
    const intensity_w_m2 = numberAt(reading, "UVR_INTENSITY");
    const last = looks.at(-1);
    if (!sight.treating || intensity_w_m2 === null || intensity_w_m2 <= 0) continue;
    if (last !== undefined && reading.at_ms - last.at_ms < MINUTE_MS) continue;
    looks.push({
      at_ms: reading.at_ms,
      intensity_w_m2,
      power_pct: positive(numberAt(reading, "UVR_POWER_OUTPUT")),
      compensation_pct: numberAt(reading, "POWER_COMPENSATION_PCT"),
      water: positive(numberAt(reading, "WATER_QUALITY_FACTOR")),
      filter_bar: numberAt(reading, "FLT_DIFF_PRESSURE"),
      backflushes: numberAt(reading, "FLT_BACKFLUSH_COUNT"),
      since_cleaning_h: sight.since_cleaning_h,
      mode: limitMode(reading.values),
      lamps: sight.lamps,
    });
  }
  return looks;
}

function numberAt({ values }: Reading, name: TagName): number | null {
  return asNumber(values[indexOfTag(name)]);
}

const positive = (value: number | null) => (value !== null && value > 0 ? value : null);

/** The scores of forecasts made aboard. A job computes them after their lamp has ended. */
export function trackRecordJson(db: Connection, config: LampConfig): string {
  return JSON.stringify(trackRecordNow(db, endedLives(trackedLamps(db, config), config.lamps)));
}
