// The states of the watched values at the newest reading, computed from the stored readings and
// forecasts each time, so that nothing needs correction after a late reading, a void or a restart.

import { silenceLimit } from "../../bwts/idle-plant.ts";
import type { LampConfig, StoredForecast } from "../../bwts/lamps/outlook.ts";
import { believed } from "../../bwts/plausible.ts";
import type { OwnCode } from "../../bwts/present/alert.ts";
import { type LimitState, limitState } from "../../bwts/present/limit-state.ts";
import { type LimitResult, WATCHED } from "../../bwts/present/watched.ts";
import { LAMP_NUMBERS } from "../../bwts/tags.ts";
import { DamagedError } from "../../codec/bytes.ts";
import { DAY_MS } from "../../ground/clock.ts";
import { damageOf } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import { spansInForce } from "../sealed/spans.ts";
import { readingsIn, UNDAMAGED } from "../sealed/timeline.ts";
import { doubtedNow } from "./doubted-now.ts";
import { operationNow } from "./gaps.ts";
import { newestForecasts } from "./lamp-rows.ts";

export interface LimitsNow {
  readonly newest_ms: number;
  /** Time without readings above which there is a silence. */
  readonly silence_ms: number;
  /** False if the operation has ended by events or readings. */
  readonly isRunning: boolean;
  readonly found: readonly LimitResult[];
}

const SETTLED_MAX_MS = Math.max(...WATCHED.map(({ rule }) => rule.settled_ms));

/** The states now; null without a reading. */
export function limitsNow(db: Connection, { limits, lamps }: LampConfig): LimitsNow | null {
  return db.transaction(() => {
    // The newest reading of any kind is used, because failed lamps may be sent in readings of lamps
    // alone.
    const { running, last: newest, cadence_ms, since_ms } = operationNow(db, limits);
    if (newest === null) return null;
    const silence_ms = silenceLimit(cadence_ms);
    // The range includes one more reading before the settled span, at the usual distance.
    const range = {
      start_ms: newest.at_ms - SETTLED_MAX_MS - silence_ms,
      end_ms: newest.at_ms,
    };
    const raw = [...readingsIn(db, range, UNDAMAGED)].filter(
      ({ received_ms }) => since_ms === 0 || received_ms >= since_ms,
    );
    const spans = spansInForce(db);
    const readings = spans === null ? raw : raw.map((reading) => believed(reading, spans));
    const operation_type = running?.operation_type ?? null;
    const judged = { readings, operation_type, silence_ms, limits };
    const states = new Map(WATCHED.map((value) => [value, limitState(value.rule, judged)]));
    const alarms = prepare(db, "alarm.active").all({});
    const active = new Set(alarms.map(({ code }) => code));
    const isTold = (code: OwnCode) =>
      [...states].some(
        ([value, { kind }]) =>
          value.code === code && (kind === "out" || (kind === "unclear" && active.has(code))),
      );
    const found = [...states].map(
      ([{ rule: _, limits: __, margin: ___, further, ...value }, own]) => {
        // One alert per situation: that of the further limit replaces this one.
        const isFurther = further !== null && isTold(further);
        const state: LimitState = isFurther
          ? { kind: "over", why: "beyond the further limit" }
          : own;
        return { ...value, state };
      },
    );
    const isRunning = running !== null;
    const ending = lampsEnding(db, newest.at_ms, lamps.horizon_hours);
    const doubted = spans === null ? [] : doubtedNow(raw, spans, alarms);
    const all = [...found, ...ending, ...doubted];
    return { newest_ms: newest.at_ms, silence_ms, isRunning, found: all };
  })();
}

/** Share above the horizon at which an alert ends: forecasts vary somewhat from day to day. */
const HORIZON_MARGIN = 0.1;

/**
 * Maximum age of a forecast that counts; an older one means that a history of months is being
 * imported.
 */
const FORECAST_AGE_MAX_MS = DAY_MS;

/**
 * The lamps near their end by the newest forecasts: `out` with at most the horizon's hours left.
 */
function lampsEnding(db: Connection, newest_ms: number, horizon_h: number): readonly LimitResult[] {
  const known = forecastsNow(db).filter(({ at_ms }) => newest_ms - at_ms <= FORECAST_AGE_MAX_MS);
  return known.map(({ component_id, predictions, current_state }) => {
    const about = component_id.slice(-2);
    const value = predictions.remaining_useful_life_hours;
    // A failed lamp has an alert of its own.
    const isFailed = current_state.status === "FAILED";
    const limit = { value: horizon_h, key: "lamps.horizon_hours" };
    const state: LimitState =
      value <= horizon_h && !isFailed
        ? { kind: "out", value, limit, since_ms: newest_ms }
        : value > horizon_h * (1 + HORIZON_MARGIN) || isFailed
          ? { kind: "over", why: "well within" }
          : { kind: "unclear" };
    return {
      ...{ code: "LAMP_NEAR_END", about, name: `the life left of lamp ${Number(about)}`, state },
      ...{ parameter: `${component_id}_RUNTIME`, unit: "h", side: "below", during: "always" },
    };
  });
}

/** The newest forecasts; empty if one of them is damaged: the next start makes them again. */
function forecastsNow(db: Connection): readonly StoredForecast[] {
  try {
    const forecasts = newestForecasts(db, LAMP_NUMBERS.length);
    return forecasts.filter(({ at_ms }) => at_ms === forecasts[0].at_ms);
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error;
    damageOf(db).note(error.message);
    return [];
  }
}
