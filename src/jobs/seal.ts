// No reading stays hot for more than 24 hours: what a ship that lies idle received last is sealed
// too, so that it stands in the chain. Sealing itself goes on in the writer between two commits;
// when it has stopped there, this job fails, so that it is told.

import type { JobTools } from "./job.ts";

/** Nothing to record: what was sealed stands in the chain. Throws why sealing doesn't go on. */
export async function sealOldReadings({ writer }: JobTools): Promise<null> {
  const { sealing } = await writer.seal();
  if (sealing !== null) throw new Error(sealing);
  return null;
}
