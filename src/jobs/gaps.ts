// Searches changed days for times without readings during operations: late data closes gaps, and a
// finished day is searched once more and then left alone.

import { FEW } from "../sqlite/threads/readers.ts";
import { DAYS_MAX } from "../sqlite/writing/small-writes.ts";
import type { JobTools } from "./job.ts";

/** Reports nothing, because gaps have their own table. */
export async function findNewGaps({ readers, writer, ending }: JobTools): Promise<null> {
  for (;;) {
    const due = await writer.call("due_days");
    const find = due.length > FEW ? readers.work : readers.call;
    if (due.length > 0) await writer.call("save_gaps", await find("find_gaps", due));
    if (due.length < DAYS_MAX || ending.aborted) return null;
  }
}
