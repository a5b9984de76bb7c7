// Answers about lamps: their lives, the diagnosis of low light, and the accuracy of forecasts. All
// are short, and computed at once from the tracked lives and a few hours of readings.

import { diagnosisOf, NOTHING_TO_SAY } from "../../bwts/diagnosis/diagnosis.ts";
import type { Look } from "../../bwts/diagnosis/light-loss.ts";
import { lampsAnswer } from "../../bwts/lamps/answer.ts";
import { sightOf } from "../../bwts/lamps/fields.ts";
import { lampNow } from "../../bwts/lamps/lamp-now.ts";
import { lampCurve } from "../../bwts/lamps/life-curve.ts";
import { effectsOf } from "../../bwts/lamps/outcome.ts";
import { endedLives, type LampConfig } from "../../bwts/lamps/outlook.ts";
import { asNumber, type Reading } from "../../bwts/reading.ts";
import { indexOfTag, type TagName } from "../../bwts/tags.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../ground/clock.ts";
import { trackRecordNow } from "../derived/lamp-scores.ts";
import { trackedLamps } from "../derived/lamps.ts";
import type { Connection } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { BELIEVED, readingsIn } from "../sealed/timeline.ts";

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

/** The diagnosis of low light. */
export function diagnosisJson(db: Connection, config: LampConfig): string {
  const state = trackedLamps(db, config);
  const operation = state.operations.at(-1);
  if (operation === undefined) return JSON.stringify(NOTHING_TO_SAY);
  const start_ms = Math.max(operation.start_ms, operation.end_ms - OPERATION_MAX_MS) + WARMUP_MS;
  const looks = looksIn(db, { start_ms, end_ms: operation.end_ms }, config);
  const earlier = state.operations.slice(0, -1);
  const reference = earlier.find(({ start_ms: at_ms }) => at_ms >= start_ms - REFERENCE_MS);
  const previous = earlier.findLast(({ end_ms }) => end_ms >= start_ms - JUST_BEFORE_MS);
  const spans = new Map(
    [reference, previous].flatMap((span) => (span === undefined ? [] : [[span.start_ms, span]])),
  );
  const before = [...spans.values()].flatMap(({ start_ms: at_ms, end_ms }) =>
    looksIn(
      db,
      { start_ms: at_ms + WARMUP_MS, end_ms: Math.min(end_ms, at_ms + REFERENCE_LASTS_MS) },
      config,
    ),
  );
  const effects = effectsOf(state);
  const lamps = state.positions.map((at) =>
    lampNow(at, { limits: config.lamps, off: effects.off }),
  );
  return JSON.stringify(diagnosisOf(looks, before, { limits: config.limits, effects, lamps }));
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
