// Predictions for a lamp: remaining useful life and the probability that it fails within a horizon.
// Predictions that come over MQTT are kept and served unchanged.

import * as z from "zod";

export interface Prediction {
  readonly at_ms: number;
  /** `LAMP_01` to `LAMP_16`. */
  readonly component_id: string;
  readonly predictions: Readonly<Record<string, unknown>>;
  readonly current_state: Readonly<Record<string, unknown>>;
}

export const COMPONENT_TYPE = "UV_LAMP";

/** The values of `current_state.status`. */
export const COMPONENT_STATUSES = ["OPERATIONAL", "DEGRADED", "FAILED"] as const;

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
      })
      .catchall(z.unknown()),
  })
  .meta({ id: "Prediction" });
export type PredictionAnswer = z.output<typeof PredictionAnswer>;
