// A page of raw readings, as `/api/telemetry/chunked` answers it: `total` counts the whole range,
// so that a client can tell how far it is.

import * as z from "zod";
import { Pagination } from "./pagination.ts";
import { TelemetryReading } from "./reading.ts";

export const ReadingPage = z
  .object({ data: z.array(TelemetryReading), pagination: Pagination })
  .meta({ id: "ReadingPage" });
