// Scores due slots: closed ones whose readings came or changed since their last score, a minute or
// a year ago. The writer keeps the list in the transaction that changes readings, so that neither a
// stop nor a late reading can leave a slot unscored.

import { FEW } from "../sqlite/threads/readers.ts";
import { SCORED_MAX } from "../sqlite/writing/small-writes.ts";
import type { JobTools } from "./job.ts";

/**
 * Scores every due slot. A slot is closed when the clock, or the newest reading, is past its end.
 */
export async function scoreHealth(tools: JobTools): Promise<string | null> {
  const { readers, writer, clock, ending } = tools;
  let scored = 0;
  for (;;) {
    const closed_ms = Math.max(clock.now_ms(), writer.totals().last_reading_ms ?? 0);
    const due = await writer.call("due_slots", closed_ms);
    const score = due.length > FEW ? readers.work : readers.call;
    if (due.length > 0) await writer.call("save_health", await score("score", due));
    scored += due.length;
    if (due.length < SCORED_MAX || ending.aborted)
      return scored === 0 ? null : `${scored} slots scored`;
  }
}
