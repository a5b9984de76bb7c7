// The job of a derivation: takes the pieces that are due, has a reader compute them and the writer
// save them, until none is due. A failed run changes nothing: the next one takes the same again.

import type { Ask, Derivation, DerivedProblem } from "../sqlite/derived/derivation.ts";
import { ownAlarmOf } from "./alarm.ts";
import type { Job, JobTools } from "./job.ts";

export function derivationRun({ name, pieces_max, few, counted, ...rest }: Derivation): Job["run"] {
  const pace = rest.openPace?.() ?? (() => ({ isIdle: false }));
  const alarm = rest.alarm === undefined ? null : problemAlarm(rest.alarm);
  /** The request that isn't completed yet. */
  let left: Ask | null = null;
  return async (tools) => {
    const { readers, writer, clock, ending } = tools;
    const asked = pace(writer.totals());
    const ask = asked === null ? left : { isIdle: asked.isIdle || left?.isIdle === true };
    if (ask === null) return null;
    left = ask;
    let count = 0;
    for (;;) {
      const now_ms = Math.max(clock.now_ms(), writer.totals().last_reading_ms ?? 0);
      const due = await writer.call("take_due", name, now_ms);
      if (due.starts.length === 0) break;
      const compute = due.starts.length > few ? readers.work : readers.call;
      const made = await compute("derive", due, ask);
      await writer.call("save_made", made);
      await alarm?.(made.problem, tools);
      count += made.count;
      if (made.isMore) return told(count, counted);
      if (due.starts.length < pieces_max || ending.aborted) break;
    }
    left = null;
    return told(count, counted);
  };
}

const told = (count: number, counted: string): string | null =>
  count === 0 ? null : `${count} ${counted}`;

/** Keeps an alarm with the reason raised while there is a problem. */
function problemAlarm({ code, parameter }: NonNullable<Derivation["alarm"]>) {
  let alarm = ownAlarmOf(code);
  let text = "";
  return async (problem: DerivedProblem | null, tools: JobTools): Promise<void> => {
    // A changed text may be a new problem; the writer decides.
    if (problem !== null && problem.text !== text) alarm = ownAlarmOf(code);
    text = problem?.text ?? "";
    if (problem === null) await alarm.clear(tools);
    else if (await alarm.raise(tools, { ...problem, parameter })) tools.log.warn(problem.text, {});
  };
}
