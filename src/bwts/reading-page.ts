// A page of raw readings, as `/api/telemetry/chunked` answers it: `total` counts the whole range,
// so that a client can tell how far it is.

import { z } from "zod";
import { TelemetryReading } from "./reading.ts";

const count = z.number().int().min(0);

export const ReadingPage = z
  .object({
    data: z.array(TelemetryReading),
    pagination: z.object({
      offset: count.meta({ description: "readings skipped" }),
      limit: count.meta({ description: "page size asked for" }),
      total: count.meta({ description: "readings in the whole range" }),
      hasMore: z.boolean().meta({ description: "whether more follow after this page" }),
    }),
  })
  .meta({ id: "ReadingPage" });
