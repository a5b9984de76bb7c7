// Once a day raw readings past their retention expire, from the old end; the cut is logged and
// recorded with the job's run.

import { printTime } from "../ground/clock.ts";
import type { JobTools } from "./job.ts";

/** Expires up to a month of raw readings from the old end. */
export async function expireOldReadings({ writer, storage, log }: JobTools): Promise<string> {
  const expired = await writer.call("expire", storage.retention_months);
  if (expired === null) return "nothing to expire";
  if ("kept" in expired) return `nothing expires: ${expired.kept}`;
  const raw_from = printTime(expired.raw_from_ms);
  log.info("raw readings past their retention have expired", {
    months: storage.retention_months,
    raw_from,
    segments: expired.segments,
  });
  return `${expired.segments} segments expired, raw readings from ${raw_from} on are kept`;
}
