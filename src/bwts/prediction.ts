// Predictions for a lamp: remaining useful life and the probability that it fails within a horizon.
// Predictions received over MQTT are kept and served unchanged.

import * as z from "zod";
import { printTime } from "../ground/clock.ts";

export interface Prediction {
  readonly at_ms: number;
  /** The lamp, `LAMP_01` to `LAMP_16`. */
  readonly component_id: string;
  readonly predictions: Readonly<Record<string, unknown>>;
  readonly current_state: Readonly<Record<string, unknown>>;
}

export const COMPONENT_TYPE = "UV_LAMP";

/** The values of `current_state.status`. */
export const COMPONENT_STATUSES = ["OPERATIONAL", "DEGRADED", "FAILED", "UNKNOWN"] as const;

/** Members of `predictions` that are dates, such as 2026-05-01, or null. */
export const END_DATES = ["end_date_p05", "end_date_p50", "end_date_p95"] as const;

/** The make's profile that a forecast used, and how well it fitted the ship's lamps. */
export const UsedProfile = z.object({
  part_number: z.string().nullable(),
  points: z.array(z.string()).meta({ description: "hours and output in % of new, lamps.profile" }),
  weight: z.number().min(0).max(1).meta({
    description: "probability that the ship's lamps follow it; 0.5 before there is light of them",
  }),
  stretch: z.number().nullable().meta({
    description: "the ship's hours over the table's, if they do; null before there is light",
  }),
});
export type UsedProfile = z.output<typeof UsedProfile>;

/** A prediction on the wire. */
export const PredictionAnswer = z
  .object({
    timestamp: z.iso.datetime(),
    component_id: z.string().meta({ description: "LAMP_01 to LAMP_16", examples: ["LAMP_07"] }),
    component_type: z.literal(COMPONENT_TYPE),
    predictions: z
      .object({
        remaining_useful_life_hours: z.number().nullable(),
        failure_probability: z.number().min(0).max(1).nullable(),
        efficiency_percent: z.number().nullable(),
        profile: UsedProfile.nullable().optional().meta({
          description: "of ballastd's own: lamps.profile as used; null: none was configured",
        }),
      })
      .catchall(z.unknown()),
    current_state: z
      .object({
        runtime_hours: z.number().nullable(),
        efficiency_percent: z.number().nullable(),
        status: z
          .string()
          .nullable()
          .meta({ description: COMPONENT_STATUSES.join(", ") }),
        condition: z.string().optional().meta({
          description: "of ballastd's own: good, near_end, past_life, failed or unknown",
        }),
      })
      .catchall(z.unknown()),
  })
  .meta({
    id: "Prediction",
    example: {
      timestamp: "2026-05-01T06:30:00.000Z",
      component_id: "LAMP_07",
      component_type: "UV_LAMP",
      predictions: {
        remaining_useful_life_hours: 812.5,
        failure_probability: 0.04,
        efficiency_percent: 88.1,
        remaining_useful_life_hours_p05: 240.5,
        remaining_useful_life_hours_p95: 1630,
        horizon_hours: 500,
        basis: "fit",
        model_version: "lamps-9",
        expected_end: null,
        remaining_operations: 33.9,
        remaining_days: 339,
        end_date_p05: "2026-08-09",
        end_date_p50: "2027-04-05",
        end_date_p95: "2028-03-11",
        counter_divisor: null,
        profile: {
          part_number: "UVL-3400",
          points: ["0 100", "1000 88", "2000 79", "3000 70"],
          ...{ weight: 0.83, stretch: 1.12 },
        },
        data_through: "2026-05-01T06:30:00.000Z",
      },
      current_state: {
        ...{ runtime_hours: 2187.5, efficiency_percent: 90.3, status: "OPERATIONAL" },
        condition: "good",
      },
    },
  });
export type PredictionAnswer = z.output<typeof PredictionAnswer>;

export function predictionAnswer(prediction: Prediction) {
  const { at_ms, component_id, predictions, current_state } = prediction;
  return {
    timestamp: printTime(at_ms),
    component_id,
    component_type: COMPONENT_TYPE,
    predictions,
    current_state,
  };
}
