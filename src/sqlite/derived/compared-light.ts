// The UV intensity of operations for the comparison on the page Why: their readings, a minute
// apart, the last good operation, and the sensor's drift since then.

import type { LampConfig } from "../../bwts/lamps/outlook.ts";
import type { TrackerState } from "../../bwts/lamps/state.ts";
import type { CleaningGains } from "../../bwts/light/cleaning-gains.ts";
import type { Effects } from "../../bwts/light/common-effects.ts";
import {
  type ComparedOperation,
  type ComparisonFacts,
  intensityOf,
  LOOKS_MIN,
  presentLooks,
} from "../../bwts/light/comparison.ts";
import { FALL_SHARE } from "../../bwts/light/diagnosis.ts";
import { sightOf } from "../../bwts/light/lamp-fields.ts";
import type { SleeveFacts } from "../../bwts/light/light-change.ts";
import type { Look } from "../../bwts/light/light-loss.ts";
import { limitMode } from "../../bwts/present/verdict.ts";
import { asNumber, type Reading } from "../../bwts/reading.ts";
import { indexOfTag, type TagName } from "../../bwts/tags.ts";
import { HOUR_MS, MINUTE_MS } from "../../ground/clock.ts";
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

/** Warm-up time, after which the lamps' output is steady. */
export const LAMPS_WARM_MS = 10 * MINUTE_MS;
const REFERENCE_LASTS_MS = 6 * HOUR_MS;

/** A stretch in which water was treated, with the readings compared (looks). */
export interface LookedAt extends ClosedRange {
  readonly looks: readonly Look[];
}

/** The first hours of an operation, without its warm-up. */
export function firstLooks(db: Connection, { start_ms, end_ms }: ClosedRange, config: LampConfig) {
  const range = {
    start_ms: start_ms + LAMPS_WARM_MS,
    end_ms: Math.min(end_ms, start_ms + REFERENCE_LASTS_MS),
  };
  return looksIn(db, range, config);
}

/** The operation of a stretch, with the number under which it is listed; null without one. */
export function listedPresent(
  db: Connection,
  { start_ms, end_ms, looks }: LookedAt,
): ComparedOperation {
  const at_ms = looks.at(-1)?.at_ms ?? end_ms;
  const rows = withoutDamage(db, () => operationsTouching(db, { start_ms: at_ms, end_ms: at_ms }));
  const row = rows?.at(-1);
  if (row === undefined) return { id: null, operation_type: null, location: null, start_ms, looks };
  const { id, operation_type, location } = row;
  return { id, operation_type, location, start_ms: row.start_ms, looks };
}

/** Maximum number of newest operations within limits that are searched for a higher light. */
const GOOD_MAX = 30;

/**
 * The operation that was asked for, or else the newest one within limits with a clearly higher UV
 * intensity, or else the newest within limits. Null if there is none.
 */
export function comparedWith(
  db: Connection,
  config: LampConfig,
  { asked, operation }: { readonly asked: OperationRow | null; readonly operation: LookedAt },
): ComparisonFacts["before"] {
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

/** Minimum number of cleanings that separate the sensor's drift from the sleeves' fouling. */
const DRIFT_CLEANINGS = 4;

interface DriftFacts {
  readonly state: TrackerState;
  readonly effects: Effects;
  readonly gains: CleaningGains;
}

/**
 * The sensor's drift since a time, from the drift learned per 1,000 operating hours; null if it
 * isn't known.
 */
export function driftSince(
  start_ms: number | null,
  { state, effects, gains }: DriftFacts,
): SleeveFacts["drift"] {
  const { drift } = effects;
  const first_ms = state.operations[0]?.start_ms ?? Number.POSITIVE_INFINITY;
  if (start_ms === null || drift === null || gains.measured < DRIFT_CLEANINGS) return null;
  if (first_ms > start_ms + HOUR_MS) return null;
  const since = state.operations.filter((each) => each.start_ms >= start_ms);
  const thousands = since.reduce((sum, { hours }) => sum + hours, 0) / 1000;
  return { log: drift.mean * thousands, sd: drift.sd * thousands };
}

/** Looks: readings of treated water with a UV intensity, at least a minute apart. */
export function looksIn(
  db: Connection,
  range: ClosedRange,
  { limits }: LampConfig,
): readonly Look[] {
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
