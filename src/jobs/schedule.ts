// Runs the jobs, never one twice at a time. Frequent jobs use the steady clock; nightly ones use
// node-cron in UTC, and are rescheduled when the clock was set: node-cron would wait for the old
// time, or report each skipped run. A ship may be dark at 03:00, so the last run is kept in the
// database, and a missed job runs soon after the start, once waiting clients have their answers.

import { schedule as cron } from "node-cron";
import { boxClocks, DAY_MS, HOUR_MS, MINUTE_MS, openBoxClock, SECOND_MS } from "../ground/clock.ts";
import { messageOf } from "../ground/errors.ts";
import type { Derivation } from "../sqlite/derived/derivation.ts";
import { DERIVATIONS } from "../sqlite/derived/derivations.ts";
import { asideWatch, plcClockWatch, quarantineFullWatch } from "./aside.ts";
import { backUpDaily } from "./backup.ts";
import { brokerWatch } from "./broker.ts";
import { CERTIFICATES_EVERY_MS, certificatesWatch } from "./certificates.ts";
import { damageWatch, proveStored } from "./damage.ts";
import { derivationRun } from "./derive.ts";
import { diskWatch } from "./disk.ts";
import { failingWatch } from "./failing.ts";
import type { Job, JobTools } from "./job.ts";
import { ledgerWatch } from "./ledger.ts";
import { limitsWatch } from "./limits.ts";
import { shoreWatch } from "./shore.ts";
import { silenceWatch } from "./silence.ts";
import { tagsWatch } from "./tags.ts";
import { aheadWatch, trustWatch } from "./trust.ts";
import { expireOldReadings, sealOldReadings, tidyDatabase } from "./upkeep.ts";

const jobs = (): readonly Job[] => [
  ...DERIVATIONS.map(jobOf),
  { name: "silence", when: { every_ms: SECOND_MS }, catch_up_ms: 0, run: silenceWatch() },
  { name: "limits", when: { every_ms: 5 * SECOND_MS }, catch_up_ms: 0, run: limitsWatch() },
  { name: "broker", when: { every_ms: 2 * SECOND_MS }, catch_up_ms: 0, run: brokerWatch() },
  { name: "trust", when: { every_ms: 2 * SECOND_MS }, catch_up_ms: 0, run: trustWatch() },
  { name: "ahead", when: { every_ms: 5 * SECOND_MS }, catch_up_ms: 0, run: aheadWatch() },
  { name: "seal", when: { every_ms: MINUTE_MS }, catch_up_ms: 0, run: sealOldReadings },
  { name: "tags", when: { every_ms: 5 * SECOND_MS }, catch_up_ms: 0, run: tagsWatch() },
  { name: "aside", when: { every_ms: 2 * SECOND_MS }, catch_up_ms: 0, run: asideWatch() },
  { name: "room", when: { every_ms: 5 * SECOND_MS }, catch_up_ms: 0, run: quarantineFullWatch() },
  { name: "plc clock", when: { every_ms: 2 * SECOND_MS }, catch_up_ms: 0, run: plcClockWatch() },
  { name: "disk", when: { every_ms: 30 * SECOND_MS }, catch_up_ms: 0, run: diskWatch() },
  {
    name: "certificates",
    when: { every_ms: CERTIFICATES_EVERY_MS },
    catch_up_ms: 0,
    run: certificatesWatch(),
  },
  { name: "damage", when: { every_ms: 5 * SECOND_MS }, catch_up_ms: 0, run: damageWatch() },
  { name: "failing", when: { every_ms: 5 * SECOND_MS }, catch_up_ms: 0, run: failingWatch() },
  { name: "shore", when: { every_ms: 5 * SECOND_MS }, catch_up_ms: 0, run: shoreWatch() },
  { name: "ledger", when: { every_ms: 2 * SECOND_MS }, catch_up_ms: 0, run: ledgerWatch() },
  { name: "proof", when: { pattern: "7 1 * * *" }, catch_up_ms: 0, run: proveStored },
  { name: "backup", when: { pattern: "47 2 * * *" }, catch_up_ms: DAY_MS, run: backUpDaily },
  {
    name: "retention",
    when: { pattern: "37 3 * * *" },
    catch_up_ms: DAY_MS,
    run: expireOldReadings,
  },
  { name: "tidy", when: { pattern: "17 3 * * *" }, catch_up_ms: DAY_MS, run: tidyDatabase },
];

function jobOf(derivation: Derivation): Job {
  const { name, every_ms } = derivation;
  return { name, when: { every_ms }, catch_up_ms: 0, run: derivationRun(derivation) };
}

/** Wait after the start before missed jobs run, so that waiting clients are answered first. */
const AFTER_START_MS = 2 * SECOND_MS;

/** Interval at which the clock is checked for steps. */
const LOOK_MS = SECOND_MS;

/** Time before a failed nightly job is tried again. */
const AGAIN_MS = HOUR_MS;
/** Maximum wait by the steady clock: a clock that is set may skip a job's hour each night. */
const NIGHT_MAX_MS = 25 * HOUR_MS;

export interface Schedule {
  /** Every job; `next_ms` is null for those that run at an interval. */
  table(): readonly {
    readonly name: string;
    readonly every_ms: number | null;
    readonly next_ms: number | null;
  }[];
  /** Starts no more runs, and waits until those in progress have finished their step. */
  close(): Promise<void>;
}

/** Starts every job of the table; `lastRuns` has the time of each job's last run. */
export function openSchedule(
  given: Omit<JobTools, "ending">,
  lastRuns: ReadonlyMap<string, number>,
): Schedule {
  const ending = new AbortController();
  const tools: JobTools = { ...given, ending: ending.signal };
  const running = new Map<string, Promise<void>>();
  const begun_ms = new Map<string, number>();
  const opened_ms = performance.now();
  const start = (job: Job) => {
    if (ending.signal.aborted || running.has(job.name)) return;
    begun_ms.set(job.name, performance.now());
    const run = runJob(job, tools).finally(() => running.delete(job.name));
    running.set(job.name, run);
  };
  const table = jobs();
  const timers = table.flatMap((job) =>
    "every_ms" in job.when ? [setInterval(() => start(job), job.when.every_ms)] : [],
  );
  const planned = () =>
    table.flatMap((job) =>
      "pattern" in job.when
        ? [cron(job.when.pattern, () => start(job), { timezone: "UTC", name: job.name })]
        : [],
    );
  let tasks = planned();
  const setBy_ms = openBoxClock(boxClocks);
  timers.push(
    setInterval(() => {
      if (setBy_ms() === 0) return;
      for (const task of tasks) void task.destroy();
      tasks = planned();
    }, LOOK_MS),
  );
  timers.push(
    setInterval(() => {
      const failing = tools.jobs.all().filter(({ failures }) => failures > 0);
      for (const job of table) {
        const ago_ms = performance.now() - (begun_ms.get(job.name) ?? opened_ms);
        const isDue = ago_ms > NIGHT_MAX_MS || failing.some(({ name }) => name === job.name);
        if ("pattern" in job.when && isDue) start(job);
      }
    }, AGAIN_MS),
  );
  const catchUp = setTimeout(() => {
    const now_ms = tools.clock.now_ms();
    for (const job of table) if (isMissed(job, now_ms - (lastRuns.get(job.name) ?? 0))) start(job);
  }, AFTER_START_MS);
  const nextOf = (name: string) =>
    tasks
      .find((task) => task.name === name)
      ?.getNextRun()
      ?.getTime() ?? null;
  return {
    table: () =>
      table.map(({ name, when }) => ({
        name,
        every_ms: "every_ms" in when ? when.every_ms : null,
        next_ms: "every_ms" in when ? null : nextOf(name),
      })),
    async close() {
      ending.abort();
      clearTimeout(catchUp);
      for (const timer of timers) clearInterval(timer);
      await Promise.all(tasks.map((task) => task.destroy()));
      await Promise.all(running.values());
    },
  };
}

/** True if a job must be caught up; a last run dated ahead comes from a wrong clock. */
function isMissed({ catch_up_ms }: Job, ago_ms: number): boolean {
  return ago_ms >= catch_up_ms || ago_ms < 0;
}

// A failed job is tried again at its next time; the log gets one line for each reason.
async function runJob(job: Job, tools: JobTools): Promise<void> {
  const started_ms = tools.clock.now_ms();
  try {
    const result = await job.run(tools);
    const ended_ms = tools.clock.now_ms();
    if (result !== null) {
      await tools.writer.call("record_job", { job: job.name, started_ms, ended_ms, result });
      tools.log.debug("job done", { job: job.name, result, took_ms: ended_ms - started_ms });
    }
    if (tools.jobs.succeeded(job.name, ended_ms))
      tools.log.info("job succeeds again", { job: job.name });
  } catch (error) {
    const problem = messageOf(error);
    if (tools.jobs.failed(job.name, problem))
      tools.log.error("job failed", { job: job.name, problem });
  }
}
