// Asks the running instance for its own problems, since failures of background jobs are in no file.
// The answer is that of /readyz, sent over the control socket.

import * as z from "zod";
import type { Config } from "../../config/config.ts";
import { messageOf } from "../../ground/errors.ts";
import { askReport, readAnswer } from "../control/client.ts";
import type { ReportAnswer } from "../control/protocol.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

/** The used members of /readyz; an older version may lack some. */
const Seen = z.object({
  reasons: z.array(z.string()),
  damage: z.object({ problems: z.array(z.string()) }).default({ problems: [] }),
  jobs: z.array(z.object({ name: z.string(), problem: z.string() })).default([]),
});

const FIX = "see its log: journalctl -u ballastd; a report for support: ballastd support";

const SALVAGE =
  "the rest isn't affected; restore a sound backup, or stop the service and type ballastd salvage";

/** A finding for each reason and each failing job; none if no instance runs. */
export async function checkInstance({ storage }: Config): Promise<readonly Finding[]> {
  try {
    const report = await askReport(storage.dir);
    return report === null ? [] : findings(readAnswer(Seen, report.readiness), report);
  } catch (error) {
    return [warning("instance", `can't be asked: ${messageOf(error)}`, FIX)];
  }
}

function findings(
  { reasons, damage, jobs }: z.output<typeof Seen>,
  { version, pid }: ReportAnswer,
): readonly Finding[] {
  const ofJobs = jobs.map(({ name, problem }) => failed(`job ${name}`, problem, FIX));
  const others = reasons
    .filter((reason) => !jobs.some(({ problem }) => reason.endsWith(problem)))
    .map((reason) => failed("instance", reason, FIX));
  const damaged = damage.problems.map((problem) => failed("stored data", problem, SALVAGE));
  const found = [...others, ...ofJobs, ...damaged];
  return found.length > 0 ? found : [ok("instance", `${version} runs as process ${pid}`)];
}
