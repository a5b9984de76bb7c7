// What a running instance says of itself for a report of a fault: what no file tells. It goes over
// the control socket to whoever may write the data folder, and holds no secret.

import type { ProgramLog } from "../log.ts";
import type { ReportAnswer } from "./control-protocol.ts";
import type { Parts } from "./parts.ts";
import { readinessOf } from "./readiness.ts";

export async function reportOf(
  parts: Parts,
  { metrics, log }: { readonly metrics: () => Promise<string>; readonly log: ProgramLog },
): Promise<ReportAnswer> {
  return {
    version: parts.build.version,
    pid: process.pid,
    uptime_s: process.uptime(),
    readiness: readinessOf(parts),
    metrics: await metrics(),
    log: [...log.memory.lines()],
    problems: [...log.memory.problems()],
  };
}
