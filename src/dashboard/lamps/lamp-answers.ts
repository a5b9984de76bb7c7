// Reads the answers about lamps: lives, forecasts, curves and the track record. Each
// reader returns null for an unknown shape, and the panel that needs it reports that.

import type { LampCurve } from "../../bwts/lamps/life-curve.ts";
import type { TrackRecord } from "../../bwts/lamps/track-record.ts";
import type { PredictionAnswer, UsedProfile } from "../../bwts/prediction.ts";
import { type LampCondition, lampCondition } from "../../bwts/present/lamp-condition.ts";
import { LAMP_NUMBERS } from "../../bwts/tags.ts";
import {
  instant,
  isLike,
  listOf,
  numberOrNull,
  type Read,
  textOrNull,
  type UncheckedAnswer,
} from "../store/checks.ts";
import type { LampCounter } from "./replacement-doubt.ts";

/** A lamp's forecast, in hours, operations and days. */
export interface LampOutlook {
  /** Number of the lamp, 1 to 16. */
  readonly lamp: number;
  readonly condition: LampCondition;
  readonly at_ms: number;
  readonly hours: number | null;
  readonly efficiency: number | null;
  readonly left_h: number | null;
  readonly p05_h: number | null;
  readonly p95_h: number | null;
  readonly operations: number | null;
  readonly days: number | null;
  /** Limits of the 90 % range as dates, such as `2026-05-01`. */
  readonly end_p05: string | null;
  readonly end_p95: string | null;
  readonly failure_probability: number | null;
  readonly horizon_h: number | null;
  readonly basis: string | null;
  /** Probability that the lamps follow the maker's table; null without one. */
  readonly profile_weight: number | null;
}

/** The newest forecast of each lamp; the answer is newest first. */
export const readOutlooks: Read<readonly LampOutlook[]> = (body) => {
  const known = listOf(body, outlook);
  if (known === null) return null;
  const newest = new Map<number, LampOutlook>();
  for (const one of known.value) if (!newest.has(one.lamp)) newest.set(one.lamp, one);
  return { value: [...newest.values()] };
};

function outlook(given: unknown): LampOutlook | null {
  if (!isLike<PredictionAnswer>(given) || !isLike<ForecastMembers>(given.predictions)) return null;
  const state = isLike<StateMembers>(given.current_state) ? given.current_state : {};
  const at_ms = instant(given.timestamp);
  const lamp = LAMP_NUMBERS.findIndex((number) => given.component_id === `LAMP_${number}`) + 1;
  if (at_ms === null || lamp === 0) return null;
  const condition = lampCondition(null, { predictions: given.predictions, current_state: state });
  // The forecast holds for a burning lamp; it isn't known if this one burns.
  const isDark = state.status === "UNKNOWN";
  const predictions: UncheckedAnswer<ForecastMembers> = isDark ? {} : given.predictions;
  return {
    ...{ lamp, condition },
    at_ms,
    hours: numberOrNull(state.runtime_hours),
    efficiency: numberOrNull(state.efficiency_percent),
    left_h: numberOrNull(predictions.remaining_useful_life_hours),
    p05_h: numberOrNull(predictions.remaining_useful_life_hours_p05),
    p95_h: numberOrNull(predictions.remaining_useful_life_hours_p95),
    operations: numberOrNull(predictions.remaining_operations),
    days: numberOrNull(predictions.remaining_days),
    end_p05: dateOrNull(predictions.end_date_p05),
    end_p95: dateOrNull(predictions.end_date_p95),
    failure_probability: numberOrNull(predictions.failure_probability),
    horizon_h: numberOrNull(predictions.horizon_hours),
    basis: textOrNull(predictions.basis),
    profile_weight: isLike<UsedProfile>(predictions.profile)
      ? numberOrNull(predictions.profile.weight)
      : null,
  };
}

/** A date for display; null for any other text, which a received forecast may have. */
function dateOrNull(given: unknown): string | null {
  return typeof given === "string" && /^\d{4}-\d\d-\d\d$/.test(given) ? given : null;
}

type ForecastMembers = PredictionAnswer["predictions"];
type StateMembers = PredictionAnswer["current_state"];

/** A life with its curve. */
export interface ShownLife {
  readonly began_ms: number;
  /** True if a person stated the replacement that began it. */
  readonly isStated: boolean;
  readonly ended_ms: number | null;
  readonly outcome: string | null;
  readonly hours: number;
  readonly points: readonly MeasuredPoint[];
}

export interface ShownPoint {
  readonly hours: number;
  readonly efficiency: number;
}

/** A measured point and the times of its readings: after `from_ms`, up to `to_ms`. */
export interface MeasuredPoint extends ShownPoint {
  readonly from_ms: number;
  readonly to_ms: number;
}

export interface ShownCurve {
  /** Number of the lamp, 1 to 16. */
  readonly lamp: number;
  readonly rated_h: number;
  readonly end_efficiency: number;
  /** The lives at this place, that of the fitted lamp first if there is one. */
  readonly lives: readonly ShownLife[];
}

/** Time of the stated replacement that ended this life; null if nobody stated one. */
export function statedEnd({ lives }: Pick<ShownCurve, "lives">, life: ShownLife): number | null {
  const next = lives[lives.indexOf(life) - 1];
  return next?.isStated === true && next.began_ms === life.ended_ms ? next.began_ms : null;
}

export const readCurve: Read<ShownCurve> = (body) => {
  if (!isLike<LampCurve>(body)) return null;
  const rated_h = numberOrNull(body.rated_hours);
  const end_efficiency = numberOrNull(body.end_of_life_efficiency);
  const lives = listOf(body.lives, life);
  const lamp = lampNumber(body.lamp);
  if (lamp === null || rated_h === null || end_efficiency === null || lives === null) return null;
  return { value: { lamp, rated_h, end_efficiency, lives: lives.value } };
};

function life(given: unknown): ShownLife | null {
  const span = lifeSpan(given);
  const points = isLike<LampCurve["lives"][number]>(given) ? listOf(given.points, lifePoint) : null;
  return span === null || points === null ? null : { ...span, points: points.value };
}

function lifeSpan(given: unknown): LifeSpan | null {
  if (!isLike<LampCurve["lives"][number]>(given)) return null;
  const began_ms = instant(given.began);
  const hours = numberOrNull(given.hours);
  if (began_ms === null || hours === null) return null;
  return {
    ...{ began_ms, ended_ms: instant(given.ended), hours },
    isStated: given.began_by === "confirmed",
    outcome: textOrNull(given.outcome),
  };
}

function lifePoint(given: unknown): MeasuredPoint | null {
  if (!isLike<LampCurve["lives"][number]["points"][number]>(given)) return null;
  const hours = numberOrNull(given.hours);
  const efficiency = numberOrNull(given.efficiency_percent);
  const [from_ms, to_ms] = [given.from, given.to].map(instant);
  if (hours === null || efficiency === null || from_ms === null || to_ms === null) return null;
  // JSON allows numbers too large for any drawing.
  if (!Number.isFinite(hours) || !Number.isFinite(efficiency)) return null;
  return { hours, efficiency, from_ms, to_ms };
}

/** The number of a lamp, 1 to 16; null for anything else. */
function lampNumber(given: unknown): number | null {
  return LAMP_NUMBERS.findIndex((_, place) => place + 1 === given) + 1 || null;
}

/** A life without its curve. */
export type LifeSpan = Omit<ShownLife, "points">;

/** A life that has ended. */
export interface PastLife extends LifeSpan {
  /** Number of the lamp, 1 to 16. */
  readonly lamp: number;
}

export const readPastLives: Read<readonly PastLife[]> = (body) => {
  if (!isLike<{ lamps: unknown }>(body)) return null;
  const positions = listOf(body.lamps, (one) => {
    if (!isLike<{ lamp: unknown; past: unknown }>(one)) return null;
    const lamp = lampNumber(one.lamp);
    const past = listOf(one.past, (given) => lifeSpan(given));
    return lamp === null || past === null ? null : past.value.map((span) => ({ lamp, ...span }));
  });
  return positions === null ? null : { value: positions.value.flat() };
};

type ShownFigures = Pick<
  TrackRecord,
  "forecasts_scored" | "coverage" | "median_error_hours" | "median_error_hours_rated"
>;

export interface ModelFigures extends ShownFigures {
  readonly model_version: string;
}

export interface ShownRecord extends ShownFigures {
  readonly ended: { readonly failed: number; readonly worn: number; readonly replaced: number };
  /** Figures for each version of the model, the present one first. */
  readonly models: readonly ModelFigures[];
  readonly message: string;
}

export const readTrackRecord: Read<ShownRecord> = (body) => {
  if (!isLike<TrackRecord>(body)) return null;
  const ended = isLike<TrackRecord["lamps_ended"]>(body.lamps_ended) ? body.lamps_ended : {};
  const figures = figuresIn(body);
  const models = listOf(body.models, modelIn);
  const message = textOrNull(body.message);
  const counts = [ended.failed, ended.worn, ended.replaced].map(numberOrNull);
  const [failed, worn, replaced] = counts;
  if (figures === null || models === null || message === null) return null;
  if (failed === null || worn === null || replaced === null) return null;
  return {
    value: {
      ended: { failed, worn, replaced },
      ...figures,
      models: models.value,
      message,
    },
  };
};

function figuresIn(given: UncheckedAnswer<ShownFigures>): ShownFigures | null {
  const forecasts_scored = numberOrNull(given.forecasts_scored);
  if (forecasts_scored === null) return null;
  return {
    forecasts_scored,
    coverage: numberOrNull(given.coverage),
    median_error_hours: numberOrNull(given.median_error_hours),
    median_error_hours_rated: numberOrNull(given.median_error_hours_rated),
  };
}

function modelIn(given: unknown): ModelFigures | null {
  if (!isLike<ModelFigures>(given)) return null;
  const figures = figuresIn(given);
  const model_version = textOrNull(given.model_version);
  return figures === null || model_version === null ? null : { ...figures, model_version };
}

/** The counter of each lamp in the newest reading, by position, as sent; null without one. */
export const readLampCounters: Read<readonly (LampCounter | null)[]> = (body) => {
  if (!isLike<Record<string, unknown>>(body)) return null;
  const read_ms = instant(body.timestamp);
  if (read_ms === null) return null;
  return {
    value: LAMP_NUMBERS.map((number) => {
      const counter_h = numberOrNull(body[`LAMP_${number}_RUNTIME`]);
      return counter_h === null ? null : { counter_h, read_ms };
    }),
  };
};
