// Every background job: its last run, the result, and its next run. Results and problems are
// ballastd's own English.

import { systemWords as t } from "../lang/words.ts";
import { printAge, printMoment } from "../parts/moments.ts";
import { Panel } from "../parts/panel.tsx";
import { jobsIn, panelPart, type ShownJob, type SystemPanelProps } from "./facts.ts";

export function JobsPanel({ system, now_ms }: SystemPanelProps) {
  return (
    <Panel name="jobs" title={t("jobs")} part={panelPart(system, jobsIn)}>
      {(jobs) => (
        <ul class="rows jobs">
          {jobs.map((job) => (
            <li key={job.name}>
              <strong>{job.name}</strong> {whenText(job, now_ms)}
              <p class={job.problem === null ? "quiet" : "problem"}>
                {outcomeText(job, now_ms)}
                {job.problem !== null && <span lang="en">: {job.problem}</span>}
              </p>
              {job.result !== null && job.ended_ms !== null && (
                <p class="quiet">
                  {t("last_result", { moment: printMoment(job.ended_ms, now_ms) })}{" "}
                  <span lang="en">{job.result}</span>
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function whenText({ every_s, next_ms }: ShownJob, now_ms: number): string {
  if (every_s !== null) return t("every", { age: printAge(every_s * 1000) });
  return next_ms === null ? "" : t("next", { moment: printMoment(next_ms, now_ms) });
}

function outcomeText({ failures, success_ms }: ShownJob, now_ms: number): string {
  if (failures > 0) return t("failed", { n: failures });
  if (success_ms === null) return t("not_run");
  return t("succeeded", { moment: printMoment(success_ms, now_ms) });
}
