// Raises an alarm for each job that keeps failing, since nobody sees work in the background. It is
// cleared when the job succeeds.

import { SECOND_MS } from "../ground/clock.ts";
import { withoutPlaces } from "../ground/redaction.ts";
import { type AlarmSwitch, ownAlarmOf } from "./alarm.ts";
import type { Job } from "./job.ts";
import { failingJobs } from "./job-states.ts";

/** A watch over all other jobs. */
export function failingWatch(): Job["run"] {
  const alarms = new Map<string, AlarmSwitch>();
  const alarmOf = (name: string): AlarmSwitch => {
    const alarm = alarms.get(name) ?? ownAlarmOf("JOB_FAILING", name);
    alarms.set(name, alarm);
    return alarm;
  };
  return async (tools) => {
    for (const { name, problem } of tools.jobs.all())
      if (problem === null) await alarmOf(name).clear(tools);
    for (const { name, problem, failing_ms } of failingJobs(tools.jobs))
      await alarmOf(name).raise(tools, {
        text: `the job ${name} fails: ${withoutPlaces(problem)}`,
        parameter: "job",
        value: Math.round((failing_ms ?? 0) / SECOND_MS),
        unit: "s",
        more: { job: name },
      });
    return null;
  };
}
