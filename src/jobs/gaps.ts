// Looks for times without readings in operations, in the days that changed: late data closes gaps,
// and a day that is over is looked through once more and then left alone.

import { DAYS_MAX } from "../sqlite/small-writes.ts";
import type { JobTools } from "./job.ts";

/** Nothing to record: what was found is a table of its own. */
export async function findNewGaps({ readers, writer, ending }: JobTools): Promise<null> {
  for (;;) {
    const due = await writer.dueDays();
    if (due.length > 0) await writer.saveGaps(await readers.findGaps(due));
    if (due.length < DAYS_MAX || ending.aborted) return null;
  }
}
