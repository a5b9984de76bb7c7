// The running instance's part of a fault report: facts that no file holds. It goes over the control
// socket to the data folder's owner, and contains no secret.

import type { ProgramLog } from "../ground/log.ts";
import type { ReportAnswer } from "./control/protocol.ts";
import type { Metrics } from "./metrics.ts";
import type { OpenedParts } from "./parts.ts";
import { readinessOf } from "./readiness.ts";

export async function reportOf(
  parts: OpenedParts,
  { metrics, log }: { readonly metrics: Metrics; readonly log: ProgramLog },
): Promise<ReportAnswer> {
  return {
    version: parts.build.version,
    pid: process.pid,
    uptime_s: process.uptime(),
    readiness: readinessOf(parts),
    metrics: await metrics.text(),
    log: [...log.memory.lines()],
    problems: [...log.memory.problems()],
  };
}
