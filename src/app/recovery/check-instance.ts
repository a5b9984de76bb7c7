// Asks the running instance if it works and for its own problems, since failures of background jobs
// are in no file. The answer is that of /readyz, sent over the control socket.

import * as z from "zod";
import type { Config } from "../../config/config.ts";
import { messageOf } from "../../ground/errors.ts";
import { askReport, readAnswer } from "../control/client.ts";
import type { ReportAnswer } from "../control/protocol.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

/** The used members of /readyz; an older version may lack some. */
const Seen = z.object({
  ready: z.boolean(),
  reasons: z.array(z.string()),
  clock: z.object({ problem: z.string().nullable() }).default({ problem: null }),
  damage: z.object({ problems: z.array(z.string()) }).default({ problems: [] }),
  jobs: z.array(z.object({ name: z.string(), problem: z.string() })).default([]),
});

const FIX = "see its log: journalctl -u ballastd; a report for support: ballastd support";

const CLOCK_FIX =
  "set the machine's clock to UTC; if it is right: ballastd clock disown --reason TEXT";

const SALVAGE =
  "the rest isn't affected; restore a sound backup, or stop the service and type ballastd salvage";

/** The report of the running instance, or the reason why it gives none; null if none runs. */
export type RunningInstance =
  | { readonly report: ReportAnswer; readonly seen: z.output<typeof Seen> }
  | { readonly problem: string }
  | null;

export async function runningInstance({ storage }: Config): Promise<RunningInstance> {
  try {
    const report = await askReport(storage.dir);
    return report === null ? null : { report, seen: readAnswer(Seen, report.readiness) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** The finding about the service: it works, or the reasons why it doesn't. */
export function serviceFinding(running: NonNullable<RunningInstance>): Finding {
  const fix = "see its /readyz and its log: journalctl -u ballastd";
  if ("problem" in running) return failed("service", running.problem, fix);
  const { ready, reasons } = running.seen;
  const says = saysOf(running.report);
  return ready ? ok("service", says) : failed("service", `${says}: ${reasons.join("; ")}`, fix);
}

/** A finding for each reason and each failing job; none if no instance runs. */
export function instanceFindings(running: RunningInstance): readonly Finding[] {
  if (running === null) return [];
  if ("problem" in running) return [warning("instance", `can't be asked: ${running.problem}`, FIX)];
  const { reasons, clock, damage, jobs } = running.seen;
  // Problems that have a line of their own.
  const own = [
    ...jobs.map(({ problem }) => problem),
    ...(clock.problem === null ? [] : [clock.problem]),
  ];
  const ofJobs = jobs.map(({ name, problem }) => failed(`job ${name}`, problem, FIX));
  const others = reasons
    .filter((reason) => !own.some((problem) => reason.endsWith(problem)))
    .map((reason) => failed("instance", reason, FIX));
  const damaged = damage.problems.map((problem) => failed("stored data", problem, SALVAGE));
  const ofClock = clock.problem === null ? [] : [failed("clock", clock.problem, CLOCK_FIX)];
  const found = [...others, ...ofJobs, ...ofClock, ...damaged];
  return found.length > 0 ? found : [ok("instance", saysOf(running.report))];
}

const saysOf = ({ version, pid }: ReportAnswer) => `${version} runs as process ${pid}`;
