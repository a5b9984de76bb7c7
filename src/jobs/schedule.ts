// The jobs of the appliance, and when they run: in UTC, never twice at a time. node-cron reports a
// run that was missed but doesn't make it up, and a ship may be dark at three in the morning: the
// last run is kept in the database, and a job whose time passed unseen runs at the start.

import { schedule as cron } from "node-cron";
import { DAY_MS } from "../clock.ts";
import { messageOf } from "../errors.ts";
import { diskWatch } from "./disk.ts";
import { scoreHealth } from "./health.ts";
import type { Job, JobTools } from "./job.ts";
import { expireOldReadings } from "./retention.ts";
import { sealOldReadings } from "./seal.ts";
import { tidyDatabase } from "./tidy.ts";

const JOBS: readonly Job[] = [
  { name: "health", pattern: "*/5 * * * * *", catch_up_ms: 0, run: scoreHealth },
  { name: "seal", pattern: "7 * * * *", catch_up_ms: 0, run: sealOldReadings },
  { name: "disk", pattern: "*/30 * * * * *", catch_up_ms: 0, run: diskWatch() },
  { name: "retention", pattern: "37 3 * * *", catch_up_ms: DAY_MS, run: expireOldReadings },
  { name: "tidy", pattern: "17 3 * * *", catch_up_ms: DAY_MS, run: tidyDatabase },
];

export interface Schedule {
  /** Starts no more runs, and waits for those under way. */
  close(): Promise<void>;
}

/** Starts every job of the table; `lastRuns` says when each ran last. */
export function openSchedule(tools: JobTools, lastRuns: ReadonlyMap<string, number>): Schedule {
  const running = new Map<string, Promise<void>>();
  let closing = false;
  const start = (job: Job) => {
    if (closing || running.has(job.name)) return;
    const run = runJob(job, tools).finally(() => running.delete(job.name));
    running.set(job.name, run);
  };
  const tasks = JOBS.map((job) =>
    cron(job.pattern, () => start(job), { timezone: "UTC", name: job.name }),
  );
  const now_ms = tools.clock.now_ms();
  for (const job of JOBS) if (now_ms - (lastRuns.get(job.name) ?? 0) >= job.catch_up_ms) start(job);
  return {
    async close() {
      closing = true;
      await Promise.all(tasks.map((task) => task.destroy()));
      await Promise.all(running.values());
    },
  };
}

// A job that fails is logged and tried again at its next time: nothing waits for its result.
async function runJob(job: Job, tools: JobTools): Promise<void> {
  const started_ms = tools.clock.now_ms();
  try {
    const result = await job.run(tools);
    if (result === null) return;
    const ended_ms = tools.clock.now_ms();
    await tools.writer.recordJob({ job: job.name, started_ms, ended_ms, result });
    tools.log.debug("job done", { job: job.name, result, took_ms: ended_ms - started_ms });
  } catch (error) {
    tools.log.error("job failed", { job: job.name, problem: messageOf(error) });
  }
}
