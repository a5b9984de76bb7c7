// Raises ballastd's own alerts about the quarantine and the PLC's clock: live messages are
// quarantined, the quarantine is nearly full and then loses payloads, or the PLC's clock is wrong.
// Each has one line in the log; /readyz has the present counts.

import { asideText, plcClockFault } from "../bwts/aside-watch.ts";
import { SECOND_MS } from "../ground/clock.ts";
import { ownAlarmOf } from "./alarm.ts";
import type { Job, JobTools } from "./job.ts";

/** Share of either limit of the quarantine above which an alert warns before a loss. */
const NEARLY_FULL = 0.8;

const QUARANTINED_ALARM = "PLANT_ALARM_QUARANTINED";

export function asideWatch(): Job["run"] {
  const alarm = ownAlarmOf("MESSAGES_QUARANTINED");
  // False at the start, because alarms of an earlier run may still be active.
  let [areCleared, raised_ms] = [false, performance.now()];
  return async (tools) => {
    const { writer, log } = tools;
    for (const name of writer.takeAsideAlarms()) {
      await raiseQuarantined(tools, name);
      [areCleared, raised_ms] = [false, performance.now()];
    }
    const { aside, silent_ms } = writer.totals();
    // True if readings were stored since the last such alarm: the plant reports by itself again.
    const isHeard = silent_ms !== null && performance.now() - silent_ms > raised_ms;
    if (!areCleared && aside === null && isHeard) {
      await writer.call("clear_alarms", QUARANTINED_ALARM);
      areCleared = true;
    }
    if (aside === null)
      return (await alarm.clear(tools)) ? "live messages are no longer quarantined" : null;
    const text = asideText(aside, writer.clock().plc);
    const more = { reasons: aside.reasons.map(({ reason }) => reason) };
    const told = { text, parameter: "quarantine", value: aside.messages, more };
    if (!(await alarm.raise(tools, told))) return null;
    log.warn("live messages are quarantined", { problem: text, messages: aside.messages });
    return `alarm: ${text}`;
  };
}

/** Raises the alert for an alarm that is quarantined, again for each receipt, with its time. */
async function raiseQuarantined(tools: JobTools, name: string): Promise<void> {
  const alarm = ownAlarmOf(QUARANTINED_ALARM, name);
  const text = `the treatment system's alarm ${name} came in a message that is quarantined`;
  await alarm.clear(tools);
  if (await alarm.raise(tools, { text, parameter: name }))
    tools.log.warn("an alarm of the treatment system is quarantined", { alarm: name });
}

export function quarantineFullWatch(): Job["run"] {
  const alarm = ownAlarmOf("QUARANTINE_FULL");
  let isLossTold = false;
  return async (tools) => {
    const { writer, log } = tools;
    const fill = writer.quarantine();
    if (fill === null) return null;
    const { bytes, max_bytes, entries, max_entries, lost } = fill;
    const isNear = bytes > max_bytes * NEARLY_FULL || entries > max_entries * NEARLY_FULL;
    if (!isNear && lost === 0)
      return (await alarm.clear(tools)) ? "the quarantine has room again" : null;
    const ofEntries = `${entries} of ${max_entries} entries`;
    const kept = `the quarantine has ${ofEntries}, ${bytes} of ${max_bytes} bytes`;
    const text =
      lost === 0
        ? `${kept}: beyond that payloads are lost`
        : `${kept}: it is full, and the payloads of ${lost} messages are lost`;
    // A loss is raised as a new alert, since the warning may have been acknowledged already.
    if (lost > 0 && !isLossTold) await alarm.clear(tools);
    isLossTold = lost > 0;
    const full = { text, parameter: "quarantine", value: bytes, limit: max_bytes, unit: "B" };
    if (!(await alarm.raise(tools, full))) return null;
    const fix = "raise quarantine.max_bytes, stop the sender, take in what is there";
    log.warn(text, { fix });
    return `alarm: ${text}`;
  };
}

export function plcClockWatch(): Job["run"] {
  const alarm = ownAlarmOf("PLC_CLOCK_WRONG");
  return async (tools) => {
    const { problem: untrusted, plc, two } = tools.writer.clock();
    const { aside } = tools.writer.totals();
    const fault = plcClockFault({ aside, plc, two, isTrusted: untrusted === null });
    if (fault === null) return (await alarm.clear(tools)) ? "the PLC's clock is right again" : null;
    const { off_ms, problem } = fault;
    const value = Math.round(off_ms / SECOND_MS);
    if (!(await alarm.raise(tools, { text: problem, parameter: "plc_clock", value, unit: "s" })))
      return null;
    tools.log.warn("the PLC's clock is wrong", { problem });
    return `alarm: ${problem}`;
  };
}
