// Seals readings that were hot for 24 hours, so that the last ones before an idle time are in the
// chain too. The writer seals all others between two commits; if that is stuck, this job fails and
// is reported.

import type { JobTools } from "./job.ts";

/**
 * Reports nothing, because the chain has all sealed readings. Throws the reason if sealing is
 * stuck.
 */
export async function sealOldReadings({ writer }: JobTools): Promise<null> {
  const { sealing } = await writer.call("seal");
  if (sealing !== null) throw new Error(sealing);
  return null;
}
