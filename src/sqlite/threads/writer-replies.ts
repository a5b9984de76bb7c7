// Handles the writer thread's messages to the main thread: calls are settled, commits are counted,
// and problems go to the log.

import { stepAnswer } from "../../bwts/clock-step.ts";
import type { Log } from "../../ground/log.ts";
import type { Problem, WriterReply } from "./calls.ts";
import type { Calls } from "./writer-calls.ts";
import type { Totals } from "./writer-totals.ts";

/** A message, or a small write, that isn't on disk: the sender must send it again. */
export class NotCommitted extends Error {
  readonly code: string | null;

  constructor(problem: Problem) {
    super(problem.message);
    this.name = "NotCommitted";
    this.code = problem.code;
  }
}

export interface ReplyTools {
  readonly calls: Calls;
  readonly totals: Totals;
  readonly log: Log;
  readonly onDamage: (problem: string) => void;
}

/** Settles the calls that a reply answers, and applies its other contents. */
export function settle(reply: WriterReply, { calls, totals, log, onDamage }: ReplyTools): void {
  switch (reply.kind) {
    case "committed":
      totals.addCommit(reply.batch, reply.seqs.length);
      for (const seq of reply.seqs) calls.resolve(seq, null);
      return;
    case "withheld": {
      const { seqs, problem } = reply;
      totals.addWithheld(problem, seqs.length);
      log.error("messages can't be committed, acknowledgements are withheld", {
        code: problem.code,
        problem: problem.message,
        count: seqs.length,
      });
      for (const seq of seqs) calls.reject(seq, new NotCommitted(problem));
      return;
    }
    case "fault":
      totals.addFaults(reply.count);
      log.error("a fault of ballastd itself was got around, please report it", {
        problem: reply.problem,
        count: reply.count,
      });
      return;
    case "damage":
      for (const problem of reply.problems) onDamage(problem);
      return;
    case "done":
      calls.resolve(reply.seq, reply.result);
      return;
    case "failed":
      calls.reject(reply.seq, new NotCommitted(reply.problem));
      return;
    case "clock":
      for (const step of reply.steps)
        log.warn(step.clock === "plc" ? "the PLC's clock was set" : "the box's clock was set", {
          ...stepAnswer(step),
        });
      return;
    case "ready":
    case "refused":
      return;
  }
}
