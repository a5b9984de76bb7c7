// Raises an alarm if readings stop during an operation, once for each outage. It clears when
// readings come again, or when the operation is found to have ended. Silence is measured by the
// steady clock, from the start of the run at the earliest: after a blackout the PLC has the same
// time to return. A heartbeat, which says nothing of the plant, is silence. While messages come and
// are quarantined, that is the alert: no cable is broken.

import { silenceLimit } from "../bwts/idle-plant.ts";
import { SECOND_MS } from "../ground/clock.ts";
import { ownAlarmOf } from "./alarm.ts";
import type { Job } from "./job.ts";

/** Interval at which it asks whether an operation is running while no readings arrive. */
const ASK_MS = 5 * SECOND_MS;

/** A watch that raises and clears the alarm. */
export function silenceWatch(): Job["run"] {
  const alarm = ownAlarmOf("NO_DATA");
  const started_ms = performance.now();
  let asked_ms = Number.NEGATIVE_INFINITY;
  return async (tools) => {
    const { readers, writer, alarms, log } = tools;
    const { untold_ms: silent_ms, aside } = writer.totals();
    if (aside !== null)
      return (await alarm.clear(tools)) ? "messages come, and are quarantined" : null;
    const quiet_ms = silent_ms ?? performance.now() - started_ms;
    const fixed_ms = alarms.no_data_seconds * SECOND_MS;
    const isSilent = quiet_ms > (fixed_ms || silenceLimit(0));
    // An alarm of an earlier run stays until readings come.
    if (!isSilent && silent_ms === null) return null;
    if (!isSilent) return (await alarm.clear(tools)) ? "readings come again" : null;
    if (performance.now() - asked_ms < ASK_MS) return null;
    asked_ms = performance.now();
    const { running, cadence_ms } = await readers.call("operation_now");
    if (running === null) return (await alarm.clear(tools)) ? "the operation is over" : null;
    const limit_ms = fixed_ms || silenceLimit(cadence_ms);
    if (quiet_ms <= limit_ms) return null;
    const [value, limit] = [Math.round(quiet_ms / SECOND_MS), limit_ms / SECOND_MS];
    const text = "no readings come though an operation is running";
    const more = { operation_type: running.operation_type };
    const silent = { text, parameter: "last_reading", value, limit, unit: "s", more };
    if (!(await alarm.raise(tools, silent))) return null;
    log.warn(text, { seconds: value, limit });
    return `alarm: no reading for ${value} s`;
  };
}
