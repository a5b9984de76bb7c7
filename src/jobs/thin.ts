// The writer thins between two commits, when no caller waits. If thinning is stuck, this job fails
// and is reported.

import type { JobTools } from "./job.ts";

/** Reports nothing. Throws the reason if thinning is stuck. */
export async function watchThinning({ writer }: JobTools): Promise<null> {
  const { thinning } = await writer.call("sealing");
  if (thinning !== null) throw new Error(thinning);
  return null;
}
