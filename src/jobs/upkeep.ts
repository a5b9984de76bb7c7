// Upkeep by the writer. Readings that were hot for 24 hours are sealed, so that the last ones
// before an idle time are in the chain too (others are sealed between two commits); the job fails
// if sealing is stuck. Once a day the write-ahead log is emptied into the database, since it would
// grow if readers kept it from being reset, and raw readings past their retention expire.

import { printTime } from "../ground/clock.ts";
import type { JobTools } from "./job.ts";

/**
 * Seals old readings; null, since the chain shows what was sealed. Throws the reason if sealing is
 * stuck.
 */
export async function sealOldReadings({ writer }: JobTools): Promise<null> {
  const problem = await writer.call("seal");
  if (problem !== null) throw new Error(problem);
  return null;
}

export async function tidyDatabase({ writer }: JobTools): Promise<string> {
  await writer.call("tidy");
  return "write-ahead log emptied";
}

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
