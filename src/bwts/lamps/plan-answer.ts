// The plan for lamps in an answer, with the spares aboard and the number to order, and the crew's
// statements about the spares.

import * as z from "zod";
import { printTime } from "../../ground/clock.ts";
import { asDouble } from "../../ground/exact-json.ts";
import { LAMP_COUNT } from "../tags.ts";
import type { LampPlan, PlanConfig } from "./plan.ts";
import { PLAN_REASONS, PLANNED, SPARES_MAX } from "./plan-words.ts";

const SPARES_EXPECTED = `expected a whole number from 0 to ${SPARES_MAX}`;
// The bounds come first: a whole number has one of its own at 2^53, which a reason would name.
const Spares = z
  .number(SPARES_EXPECTED)
  .min(0, SPARES_EXPECTED)
  .max(SPARES_MAX, SPARES_EXPECTED)
  .int(SPARES_EXPECTED);

/** The body of POST /admin/lamps/spares, and the command's input. */
export const LampSparesBody = z
  .object({
    spares: z
      .preprocess(asDouble, Spares)
      .meta({ type: "integer", description: "lamps that are aboard and not fitted, as counted" }),
    old: z
      .preprocess(asDouble, Spares.nullable())
      .optional()
      .meta({
        type: ["integer", "null"],
        description:
          "the number that this replaces, null if they were never counted: with another one " +
          "stored nothing is changed (409)",
      }),
  })
  .meta({ id: "LampSpares", example: { spares: 4 } });
export type LampSparesBody = z.output<typeof LampSparesBody>;

/** The refusal of a count that replaces another one than the stored; null: the count is stored. */
export const SparesRefusal = z
  .object({ problem: z.string(), now: z.number().nullable() })
  .nullable();
export type SparesRefusal = z.output<typeof SparesRefusal>;

export const LampSparesAnswer = z
  .object({ spares: z.number().int() })
  .meta({ id: "LampSparesStored", example: { spares: 4 } });

const day = z.iso.date();
const number = z.number().nullable();

export const LampPlanAnswer = z
  .object({
    data_through: z.iso.datetime().nullable(),
    part_number: z.string().nullable().meta({ description: "lamps.part_number" }),
    spares: z
      .number()
      .int()
      .nullable()
      .meta({ description: "spares aboard, one less at each lamp replaced; null: never counted" }),
    lead_days: z.number().int().meta({ description: "lamps.lead_days" }),
    end_of_life_efficiency: z.number().meta({ description: "lamps.end_of_life_efficiency" }),
    rated_hours: z.number().meta({ description: "lamps.rated_hours" }),
    hours_per_day: number.meta({
      description: "operating hours per day, of the newest six months",
    }),
    days_between_calls: number.meta({
      description: "median of the newest 12 distances of port calls, as operations tell them",
    }),
    next_call: day.nullable().meta({
      description: "about the day of the next port call, at the usual distance from the last one",
    }),
    call_after: day.nullable(),
    lamps: z
      .array(
        z.object({
          lamp: z.number().int().min(1).max(LAMP_COUNT),
          output_percent: number,
          hours: number,
          no_light_since: z.iso
            .datetime()
            .nullable()
            .meta({
              description:
                "since when its output isn't known: no light of it came in the newest hour of " +
                "treatment; null while it is known, and of a lamp that failed",
            }),
          planned: z.enum(PLANNED).meta({
            description:
              "now: at the next call at the latest, it failed or the plain rule says so; " +
              "next_call: it will end before the call after the next; three_months: in 90 days",
          }),
          reason: z
            .enum(PLAN_REASONS)
            .nullable()
            .meta({
              description:
                "output, rated_hours: the plain rule (output at or below " +
                "lamps.end_of_life_efficiency, or lamps.rated_hours); forecast: its own, where " +
                "that is sooner than the rated hours",
            }),
          change_by: day.nullable().meta({
            description: "null: now, not known, or more than ten years ahead",
          }),
        }),
      )
      .length(LAMP_COUNT),
    within_lead_time: z
      .object({ expected: z.number(), p05: z.number().int(), p95: z.number().int() })
      .nullable()
      .meta({
        description:
          "number of lamps to change within the lead time with its 90 % range, those that are " +
          "due now included; null while the ship's duty isn't known",
      }),
    no_forecast: z.array(z.number().int().min(1).max(LAMP_COUNT)).meta({
      description:
        "lamps without a forecast of their own, except those that end anyway: counted by the " +
        "rated hours",
    }),
    order: z
      .number()
      .int()
      .nullable()
      .meta({
        description:
          "upper end of the 90 % range less the spares; without spares told the upper end; " +
          "null while the range isn't known",
      }),
  })
  .meta({
    id: "LampPlan",
    example: {
      data_through: "2026-05-01T06:30:00.000Z",
      part_number: "UVL-3400",
      spares: 4,
      lead_days: 60,
      end_of_life_efficiency: 70,
      rated_hours: 3000,
      hours_per_day: 2.4,
      days_between_calls: 10,
      next_call: "2026-05-08",
      call_after: "2026-05-18",
      lamps: Array.from({ length: LAMP_COUNT }, (_, index) => ({
        ...{ lamp: index + 1, no_light_since: null },
        ...(index === 4
          ? { output_percent: 66.5, hours: 2776, planned: "now", reason: "output", change_by: null }
          : {
              ...{ output_percent: 93.9, hours: 489, planned: "later", reason: "forecast" },
              change_by: "2029-06-17",
            }),
      })),
      within_lead_time: { expected: 1.4, p05: 1, p95: 3 },
      no_forecast: [],
      order: 0,
    },
  });
export type LampPlanAnswer = z.output<typeof LampPlanAnswer>;

interface AnswerParts {
  readonly plan: LampPlan;
  readonly last_ms: number | null;
  /** Number of spares aboard; null if they were never counted. */
  readonly spares: number | null;
  /** Part number of the lamps; empty if it isn't configured. */
  readonly part_number: string;
  readonly config: PlanConfig;
}

export function planAnswer({ plan, ...parts }: AnswerParts): LampPlanAnswer {
  const { last_ms, spares, part_number } = parts;
  const { lead_days, end_of_life_efficiency, rated_hours } = parts.config;
  const { calls, hours_a_day, lamps, need, no_forecast } = plan;
  return {
    data_through: last_ms === null ? null : printTime(last_ms),
    part_number: part_number === "" ? null : part_number,
    ...{ spares, lead_days, end_of_life_efficiency, rated_hours },
    hours_per_day: hours_a_day === null ? null : Math.round(hours_a_day * 10) / 10,
    days_between_calls: calls.apart_days,
    next_call: dayOf(calls.next_ms),
    call_after: dayOf(calls.after_ms),
    lamps: lamps.map(({ lamp, output_percent, hours, planned, reason, by_ms, ...one }) => ({
      ...{ lamp, output_percent, hours, planned, reason },
      no_light_since: one.no_light_since_ms === null ? null : printTime(one.no_light_since_ms),
      change_by: dayOf(by_ms),
    })),
    within_lead_time: need,
    no_forecast: [...no_forecast],
    order: need === null ? null : Math.max(0, need.p95 - (spares ?? 0)),
  };
}

const dayOf = (at_ms: number | null) => (at_ms === null ? null : printTime(at_ms).slice(0, 10));
