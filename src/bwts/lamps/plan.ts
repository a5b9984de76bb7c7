// The plan for lamps: which to change at the next port call, which within three months, and how
// many to order. When to change a lamp is decided by the plain rule of two numbers, output at or
// below the limit or the rated hours, which no forecast was found to beat (docs/lamps.md); the
// forecast says how soon that will be, and how many lamps the lead time needs.

import { DAY_MS } from "../../ground/clock.ts";
import { type LampNow, lampNow } from "./lamp-now.ts";
import { endsWithin, type ForecastPoints, type LampNeed, lampNeed } from "./need.ts";
import { effectsOf, type LampLimits } from "./outcome.ts";
import { dutyOf } from "./outlook.ts";
import type { Planned, PlanReason } from "./plan-words.ts";
import { type PortCalls, portCalls } from "./port-calls.ts";
import type { TrackerState } from "./state.ts";
import { areCountersUnknown } from "./unit.ts";

/** Time ahead that the plan calls three months. */
const SOON_MS = 90 * DAY_MS;
/** Maximum time ahead for which a date is given. */
const DATES_MAX_MS = 10 * 365 * DAY_MS;

export interface PlannedLamp {
  readonly lamp: number;
  readonly output_percent: number | null;
  readonly hours: number | null;
  /** Time since which its output isn't known; null while it is. */
  readonly no_light_since_ms: number | null;
  readonly planned: Planned;
  /** Reason to change it; null without a lamp, or if nothing is known. */
  readonly reason: PlanReason | null;
  /** The day by which to change it, by the plain rule or the forecast, whichever is sooner. */
  readonly by_ms: number | null;
  /** Probability that it must be changed within the lead time; null: the duty isn't known. */
  readonly within_lead_time: number | null;
}

/** The settings of the plan. */
export interface PlanConfig extends LampLimits {
  readonly lead_days: number;
}

/** The newest forecast of a lamp; `isOwn` if it rests on its own light, not the rated hours. */
export interface NewestForecast extends ForecastPoints {
  readonly isOwn: boolean;
}

/** The newest forecasts by number of the lamp, 1 to 16. */
export type ForecastsByLamp = ReadonlyMap<number, NewestForecast>;

export interface LampPlan {
  readonly calls: PortCalls;
  readonly hours_a_day: number | null;
  readonly lamps: readonly PlannedLamp[];
  /** Lamps needed within the lead time; null if the ship's duty isn't known. */
  readonly need: LampNeed | null;
  /** Lamps without a forecast of their own, except those that are counted as ending anyway. */
  readonly no_forecast: readonly number[];
}

/**
 * The plan at a time, by the readings up to it. After the newest reading the ship is taken to treat
 * water for as many hours a day, and to call as often, as before.
 */
export function lampPlan(
  state: TrackerState,
  config: PlanConfig & { readonly now_ms: number },
  forecasts: ForecastsByLamp,
): LampPlan {
  const last_ms = state.last_ms ?? 0;
  const now_ms = Math.max(last_ms, config.now_ms);
  const calls = portCalls(state.operations, now_ms);
  const { hours_a_day } = dutyOf(state);
  const judging = { limits: config, ...effectsOf(state) };
  const ahead = { last_ms, now_ms, calls, hours_a_day, areHoursKnown: !areCountersUnknown(state) };
  const lamps = state.positions.map((at, position) => {
    const forecast = ahead.areHoursKnown ? (forecasts.get(position + 1) ?? null) : null;
    return plannedLamp(position + 1, { now: lampNow(at, judging), forecast }, { ahead, config });
  });
  const isOwn = ({ lamp, planned }: PlannedLamp) =>
    planned !== "unknown" && ahead.areHoursKnown && forecasts.get(lamp)?.isOwn;
  return {
    ...{ calls, hours_a_day, lamps },
    need:
      hours_a_day === null ? null : lampNeed(lamps.flatMap((one) => one.within_lead_time ?? [])),
    no_forecast: lamps.flatMap((one) =>
      one.within_lead_time === 1 || isOwn(one) === true ? [] : one.lamp,
    ),
  };
}

interface LampFacts {
  readonly now: LampNow | null;
  readonly forecast: NewestForecast | null;
}

interface Ahead {
  /** Time of the newest reading. */
  readonly last_ms: number;
  readonly now_ms: number;
  readonly calls: PortCalls;
  readonly hours_a_day: number | null;
  /** False while the hour counters can't be read. */
  readonly areHoursKnown: boolean;
}

function plannedLamp(
  lamp: number,
  { now, forecast }: LampFacts,
  { ahead, config }: { readonly ahead: Ahead; readonly config: PlanConfig },
): PlannedLamp {
  const { last_ms, now_ms, calls, hours_a_day, areHoursKnown } = ahead;
  const lead_days = config.lead_days + (now_ms - last_ms) / DAY_MS;
  const lead_h = hours_a_day === null ? null : lead_days * hours_a_day;
  // Fail-safe: a lamp of which nothing is known ends as often as lamps of its rated hours do.
  const rate = lead_h === null ? null : Math.min(1, lead_h / config.rated_hours);
  const unknown = {
    planned: "unknown",
    ...{ reason: null, by_ms: null, within_lead_time: rate },
  } as const;
  if (now === null)
    return { lamp, output_percent: null, hours: null, no_light_since_ms: null, ...unknown };
  const hours = areHoursKnown ? now.hours : null;
  const { no_light_since_ms } = now;
  const known = { lamp, output_percent: now.efficiency_percent, hours, no_light_since_ms };
  const reason = dueReason(now, hours, config);
  if (reason !== null)
    return { ...known, planned: "now", reason, by_ms: null, within_lead_time: 1 };
  if (hours === null || hours_a_day === null || rate === null || lead_h === null)
    return { ...known, ...unknown };
  const rated_h = config.rated_hours - hours;
  const isByForecast = forecast?.isOwn === true && forecast.median_h < rated_h;
  const left_h = isByForecast ? forecast.median_h : rated_h;
  const by_ms = last_ms + (left_h / hours_a_day) * DAY_MS;
  // It may have reached its end since the newest reading, or the ship may have been laid up.
  const isOver = by_ms <= now_ms && now_ms > last_ms;
  const ends = forecast === null ? 0 : endsWithin(forecast, lead_h);
  const isOwn = forecast?.isOwn === true && no_light_since_ms === null;
  const within_lead_time = rated_h <= lead_h || isOver ? 1 : isOwn ? ends : Math.max(rate, ends);
  if (no_light_since_ms !== null || isOver) return { ...known, ...unknown, within_lead_time };
  return {
    ...known,
    planned: plannedFor(by_ms, { now_ms, calls }),
    reason: isByForecast ? "forecast" : "rated_hours",
    by_ms: by_ms - now_ms > DATES_MAX_MS ? null : by_ms,
    within_lead_time,
  };
}

/** The reason to change a lamp already; null if there is none. */
function dueReason(
  { outcome, full_percent, efficiency_percent }: LampNow,
  hours: number | null,
  { end_of_life_efficiency, rated_hours }: PlanConfig,
): PlanReason | null {
  if (outcome === "failed") return "failed";
  const output = full_percent ?? efficiency_percent;
  if (output !== null && output <= end_of_life_efficiency) return "output";
  if (hours !== null && hours >= rated_hours) return "rated_hours";
  // Worn by its own output: the losses by dirt and power, which all lamps share, don't count.
  return outcome === "worn" ? "forecast" : null;
}

function plannedFor(by_ms: number, { now_ms, calls }: Pick<Ahead, "now_ms" | "calls">): Planned {
  if (calls.after_ms !== null && by_ms <= calls.after_ms) return "next_call";
  return by_ms <= now_ms + SOON_MS ? "three_months" : "later";
}
