// No reading stays hot for more than 24 hours: what a ship that lies idle received last is sealed
// too, so that it stands in the chain.

import type { JobTools } from "./job.ts";

/** Nothing to record: what was sealed stands in the chain. */
export async function sealOldReadings({ writer }: JobTools): Promise<null> {
  await writer.seal();
  return null;
}
