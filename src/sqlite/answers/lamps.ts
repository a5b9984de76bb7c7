// Answers about lamps: their lives, the diagnosis of low light, and the accuracy of forecasts. All
// are short and computed at once from the tracked lives and a few hours of readings.

import { lampsAnswer } from "../../bwts/lamps/answer.ts";
import { lampNow } from "../../bwts/lamps/lamp-now.ts";
import { lampCurve } from "../../bwts/lamps/life-curve.ts";
import { effectsOf } from "../../bwts/lamps/outcome.ts";
import { type LampConfig, scoredLives } from "../../bwts/lamps/outlook.ts";
import type { TrackerState } from "../../bwts/lamps/state.ts";
import { cleaningGains, NO_GAINS } from "../../bwts/light/cleaning-gains.ts";
import type { Effects } from "../../bwts/light/common-effects.ts";
import { type ComparedLight, comparisonOf } from "../../bwts/light/comparison.ts";
import {
  type Diagnosis,
  diagnosisOf,
  type KnownLamp,
  NOTHING_TO_SAY,
} from "../../bwts/light/diagnosis.ts";
import { cleaningOf, type Look } from "../../bwts/light/light-loss.ts";
import { LAMP_NUMBERS } from "../../bwts/tags.ts";
import { DAY_MS } from "../../ground/clock.ts";
import {
  comparedWith,
  driftSince,
  firstLooks,
  LAMPS_WARM_MS,
  type LookedAt,
  listedPresent,
  looksIn,
} from "../derived/compared-light.ts";
import { trackRecordNow } from "../derived/lamp-record.ts";
import { trackedLamps } from "../derived/lamps.ts";
import type { Connection } from "../file/open.ts";
import { EVER } from "../file/query.ts";
import { type OperationRow, operationRow } from "../records/operation-rows.ts";
import { lampForecasts } from "./lamp-hours.ts";

/** The lives of lamps by position, as JSON. */
export function lampsJson(db: Connection, config: LampConfig): string {
  return JSON.stringify(lampsAnswer(trackedLamps(db, config), config.lamps));
}

/** The output over hours of the lamps at a position, 0 to 15, as JSON. */
export function lampCurveJson(db: Connection, config: LampConfig, position: number): string {
  return JSON.stringify(lampCurve(trackedLamps(db, config), position, config.lamps));
}

/** Maximum length of the diagnosed part of an operation, up to the latest reading. */
const OPERATION_MAX_MS = 2 * DAY_MS;
/** Maximum age of the earlier operation to compare with, before the start of the diagnosed part. */
const REFERENCE_MS = 60 * DAY_MS;
/** An operation that ended within this time before is compared too: a cleaning may lie between. */
const JUST_BEFORE_MS = DAY_MS;

/**
 * The moment to diagnose, null for now, and the number of the operation to compare with, null for
 * the last good one.
 */
export interface DiagnosisQuery {
  readonly at_ms: number | null;
  readonly compare: number | null;
}

/** The diagnosis of low light now, as JSON. */
export function diagnosisJson(db: Connection, config: LampConfig): string | null {
  return diagnosisOfJson(db, config, { at_ms: null, compare: null });
}

/** The diagnosis at a moment, or against a chosen operation; null if there is no such operation. */
export function diagnosisOfJson(
  db: Connection,
  config: LampConfig,
  { at_ms, compare }: DiagnosisQuery,
): string | null {
  const asked = compare === null ? null : operationRow(db, compare);
  if (compare !== null && asked === null) return null;
  const end_ms = at_ms ?? EVER.end_ms;
  const state = trackedLamps(db, config);
  const operations = state.operations.filter(({ start_ms }) => start_ms <= end_ms);
  const effects = effectsOf(state);
  const last = operations.at(-1);
  if (last === undefined) {
    const comparison = comparisonOf({
      ...{ now: null, before: null, limits: config.limits, past: [] },
      ...{ gains: NO_GAINS, cleaning: null, drift: null },
    });
    return JSON.stringify({ ...NOTHING_TO_SAY, comparison } satisfies Diagnosis);
  }
  const span = { start_ms: last.start_ms, end_ms: Math.min(last.end_ms, end_ms) };
  const start_ms = Math.max(span.start_ms, span.end_ms - OPERATION_MAX_MS) + LAMPS_WARM_MS;
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
  const comparison = comparedNow(db, config, {
    ...{ state, effects, asked, operation, earlier: looksBefore, lamps },
  });
  return JSON.stringify({ ...said, comparison } satisfies Diagnosis);
}

const lampsNow = (state: TrackerState, effects: ReturnType<typeof effectsOf>, config: LampConfig) =>
  state.positions.map((at) => lampNow(at, { limits: config.lamps, ...effects }));

/** The lamps as known by the forecasts of that time. */
function lampsThen(db: Connection, at_ms: number): readonly (KnownLamp | null)[] {
  const forecasts = lampForecasts(db, at_ms);
  return LAMP_NUMBERS.map((number) => {
    const one = forecasts.find(({ component_id }) => component_id === `LAMP_${number}`);
    if (one === undefined) return null;
    const { runtime_hours: hours, efficiency_percent } = one.current_state;
    const ended = one.predictions.expected_end;
    return { hours, efficiency_percent, outcome: ended, isPast: ended !== null };
  });
}

interface ComparedFacts {
  readonly state: TrackerState;
  readonly effects: Effects;
  /** The operation to compare with; null: the last good one. */
  readonly asked: OperationRow | null;
  readonly operation: LookedAt;
  /** Looks at earlier operations, which may show the last cleaning. */
  readonly earlier: readonly Look[];
  readonly lamps: readonly (KnownLamp | null)[];
}

function comparedNow(db: Connection, config: LampConfig, facts: ComparedFacts): ComparedLight {
  const { state, effects, asked, operation, earlier, lamps } = facts;
  const gains = cleaningGains(state, operation.end_ms);
  const before = comparedWith(db, config, { asked, operation });
  return comparisonOf({
    now: listedPresent(db, operation),
    before,
    ...{ limits: config.limits, gains },
    cleaning: cleaningOf([...earlier, ...operation.looks]),
    drift: driftSince(before?.operation.start_ms ?? null, { state, effects, gains }),
    past: lamps.flatMap((lamp, position) => (lamp?.isPast === true ? [position] : [])),
  });
}

/** The scores of forecasts made aboard, as JSON. A job computes those of lamps that have ended. */
export function trackRecordJson(db: Connection, { lamps, limits }: LampConfig): string {
  const lives = scoredLives(trackedLamps(db, { lamps, limits }), lamps);
  return JSON.stringify(trackRecordNow(db, lives, lamps.rated_hours));
}
