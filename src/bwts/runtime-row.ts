// A reading reduced to the fields of the lamps' runtime analysis: 51 members, derived from the
// catalogue. The readers write it (sqlite/json.ts); this is its description for the API.

import * as z from "zod";
import { TelemetryReading } from "./reading.ts";
import { RUNTIME_ANALYSIS, TAGS } from "./tags.ts";

const fields = RUNTIME_ANALYSIS.map((index) => {
  const { name } = TAGS[index];
  return [name, TelemetryReading.shape[name]];
});

/** One reading, as `/api/telemetry/runtime-analysis` answers it. */
export const RuntimeRow = z
  .object({
    timestamp: z.iso.datetime().meta({ description: "time of the reading, UTC" }),
    ...Object.fromEntries(fields),
  })
  .meta({ id: "RuntimeRow" });
