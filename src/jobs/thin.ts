// Thinning goes on in the writer between two commits, where nobody waits for it: when it can't,
// this job fails, so that it is told.

import type { JobTools } from "./job.ts";

/** Nothing to record. Throws why thinning doesn't go on. */
export async function watchThinning({ writer }: JobTools): Promise<null> {
  const { thinning } = await writer.sealing();
  if (thinning !== null) throw new Error(thinning);
  return null;
}
