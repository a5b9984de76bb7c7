// Raises an alarm for damaged data: a fault of the disk must be known before the data is needed.
// Damage is found when data is read, and by a proof in small steps after each start and once a
// night, so that data that nobody reads is checked too. ballastd stays ready.

import { setTimeout as pause } from "node:timers/promises";
import { proofResult } from "../bwts/proof.ts";
import { PROOF_BEGIN, type ProofPlace, type Proven } from "../sqlite/care/proving.ts";
import { ownAlarmOf } from "./alarm.ts";
import type { Job, JobTools } from "./job.ts";

/** Pause between two steps of the proof, each of some 20 ms: 24 months take two minutes. */
const PAUSE_MS = 200;

/**
 * Proves all sealed readings, events, the audit log and the sums of readings; null if the process
 * ended before it was complete.
 */
export async function proveStored(tools: JobTools): Promise<string | null> {
  const { readers, damage, clock, ending } = tools;
  let segments = 0;
  let of_segments = 0;
  const found = new Set<string>();
  for (let place: ProofPlace | null = PROOF_BEGIN; place !== null; ) {
    const step: Proven = await readers.call("prove", place);
    segments += step.segments;
    of_segments = step.of_segments ?? 0;
    for (const problem of step.problems) found.add(problem);
    place = step.next;
    if (place !== null) await pause(PAUSE_MS, undefined, { signal: ending }).catch(() => null);
    if (ending.aborted) return null;
  }
  damage.proven(clock.now_ms(), found, segments);
  return proofResult({ segments, of_segments }, damage.state().problems.length);
}

/** A watch that raises the alarm, and clears it after a complete proof. */
export function damageWatch(): Job["run"] {
  const alarm = ownAlarmOf("DATA_DAMAGED");
  return async (tools) => {
    const { problems, isChecked } = tools.damage.state();
    if (problems.length === 0) {
      if (!isChecked || !(await alarm.clear(tools))) return null;
      return "nothing that is stored is damaged any more";
    }
    const [first] = problems;
    const more = problems.length > 1 ? `, and ${problems.length - 1} more` : "";
    const text = `stored data is damaged: ${first}${more}`;
    const damaged = { text, parameter: "stored_data", value: problems.length, limit: 0 };
    return (await alarm.raise(tools, damaged)) ? `alarm: ${first}${more}` : null;
  };
}
