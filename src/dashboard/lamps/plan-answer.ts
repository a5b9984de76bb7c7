// Reads the answer about the plan: lamps to change and why, spares aboard, how many to order. Null
// for an unknown shape.

import type { LampPlanAnswer } from "../../bwts/lamps/plan-answer.ts";
import {
  PLAN_REASONS,
  PLANNED,
  type Planned,
  type PlanReason,
} from "../../bwts/lamps/plan-words.ts";
import { LAMP_COUNT } from "../../bwts/tags.ts";
import { instant, isLike, listOf, numberOrNull, type Read, textOrNull } from "../store/checks.ts";

export interface ShownPlanLamp {
  /** Number of the lamp, 1 to 16. */
  readonly lamp: number;
  readonly output: number | null;
  readonly hours: number | null;
  readonly planned: Planned;
  readonly reason: PlanReason | null;
  /** A day, such as `2026-05-01`. */
  readonly by: string | null;
}

export interface ShownNeed {
  readonly expected: number;
  readonly p05: number;
  readonly p95: number;
}

export interface ShownPlan {
  /** Time of the newest reading. */
  readonly last_ms: number | null;
  readonly part_number: string | null;
  readonly spares: number | null;
  readonly lead_days: number;
  readonly end_efficiency: number;
  readonly rated_h: number;
  readonly hours_a_day: number | null;
  readonly calls_apart_days: number | null;
  readonly next_call: string | null;
  /** The plan of all sixteen lamps. */
  readonly lamps: readonly ShownPlanLamp[];
  readonly need: ShownNeed | null;
  /** Lamps without a forecast of their own, 1 to 16. */
  readonly no_forecast: readonly number[];
  readonly order: number | null;
}

type PlanMember = LampPlanAnswer["lamps"][number];

export const readLampPlan: Read<ShownPlan> = (body) => {
  if (!isLike<LampPlanAnswer>(body)) return null;
  const lamps = listOf(body.lamps, plannedLamp);
  const need = body.within_lead_time === null ? { value: null } : needIn(body.within_lead_time);
  const lead_days = numberOrNull(body.lead_days);
  const no_forecast = listOf(body.no_forecast, numberOrNull);
  const [end, rated_h] = [body.end_of_life_efficiency, body.rated_hours].map(numberOrNull);
  if (lamps === null || need === null || no_forecast === null) return null;
  const isWhole = lamps.value.length === LAMP_COUNT;
  if (!isWhole || lamps.value.some(({ lamp }, place) => lamp !== place + 1)) return null;
  if (lead_days === null || end === null || rated_h === null) return null;
  return {
    value: {
      ...{ lead_days, end_efficiency: end, rated_h, lamps: lamps.value },
      no_forecast: no_forecast.value,
      last_ms: instant(body.data_through),
      part_number: textOrNull(body.part_number),
      spares: numberOrNull(body.spares),
      hours_a_day: numberOrNull(body.hours_per_day),
      calls_apart_days: numberOrNull(body.days_between_calls),
      next_call: dayIn(body.next_call),
      need: need.value,
      order: numberOrNull(body.order),
    },
  };
};

function needIn(given: unknown): { readonly value: ShownNeed } | null {
  if (!isLike<ShownNeed>(given)) return null;
  const [expected, p05, p95] = [given.expected, given.p05, given.p95].map(numberOrNull);
  return expected === null || p05 === null || p95 === null
    ? null
    : { value: { expected, p05, p95 } };
}

function plannedLamp(given: unknown): ShownPlanLamp | null {
  if (!isLike<PlanMember>(given)) return null;
  const lamp = numberOrNull(given.lamp);
  const planned = PLANNED.find((word) => word === given.planned);
  const reason = PLAN_REASONS.find((word) => word === given.reason) ?? null;
  if (lamp === null || planned === undefined) return null;
  if (reason === null && given.reason !== null) return null;
  return {
    ...{ lamp, planned, reason, by: dayIn(given.change_by) },
    output: numberOrNull(given.output_percent),
    hours: numberOrNull(given.hours),
  };
}

/** A day for display, such as `2026-05-01`; null for anything else. */
function dayIn(given: unknown): string | null {
  return typeof given === "string" && /^\d{4}-\d\d-\d\d$/.test(given) ? given : null;
}
