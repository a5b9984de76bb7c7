// The overview for a dashboard's first screen: four answers in one, each null or empty while there
// is no data.

import * as z from "zod";
import { EventAnswer } from "./event.ts";
import { HealthNested } from "./health-record.ts";
import { TelemetryReading } from "./telemetry.ts";

const mean = (description: string, example: number) =>
  z.number().nullable().meta({ description, example });

/** The answer of `/api/stats`; parts without data are null. */
export const Stats = z
  .object({
    latestTelemetry: TelemetryReading.nullable(),
    latestHealth: HealthNested.nullable(),
    recentEvents: z
      .array(EventAnswer)
      .max(100)
      .meta({ description: "of the 24 hours up to the newest event, newest first" }),
    monthlyAvg: z
      .object({
        avgUVIntensity: mean("mean UVR_INTENSITY (W/m2)", 612.4),
        avgPowerOutput: mean("mean UVR_POWER_OUTPUT (% of rated)", 78.2),
        avgFlowRate: mean("mean SYS_FLOW_RATE (m3/h)", 640.9),
      })
      .meta({ description: "over the UTC calendar month of the latest reading" }),
  })
  .meta({ id: "Stats" });
export type Stats = z.output<typeof Stats>;
