// Waits for jobs of the running program by what /metrics tells of them: how long a run of theirs
// takes to come, on a busy machine too, nobody can say beforehand.

import type { Appliance } from "../oracle/appliance.ts";

/** A run that was under way may have begun before what the caller did; the one after it hasn't. */
const RUNS = 2;

/** Resolves when each of these jobs has done a run that began after the call. */
export async function jobsRan(appliance: Appliance, names: readonly string[]): Promise<void> {
  const ends = new Map(names.map((name) => [name, new Set<string>()]));
  await appliance.program.waitUntil(`runs of ${names.join(", ")}`, async () => {
    const { text } = await appliance.get("/metrics");
    for (const [name, found] of ends) {
      const line = `^ballastd_job_last_success_timestamp_seconds\\{job="${name}"\\} (\\S+)$`;
      found.add(new RegExp(line, "m").exec(text)?.[1] ?? "never");
    }
    return [...ends.values()].every((found) => found.size > RUNS);
  });
}
