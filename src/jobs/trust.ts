// Raises ballastd's own alarms while the box's clock can't be right (readings are flagged, and
// somebody aboard should set it), and while the newest reading is ahead of a trusted clock (no
// readings expire, and somebody must void it).

import { untrustedText } from "../bwts/clock-step.ts";
import { AHEAD_MAX_MS } from "../bwts/reading.ts";
import { printTime, SECOND_MS } from "../ground/clock.ts";
import { ownAlarmOf } from "./alarm.ts";
import type { Job } from "./job.ts";

/** A watch for a reading dated later than now. */
export function aheadWatch(): Job["run"] {
  const alarm = ownAlarmOf("READINGS_AHEAD");
  return async (tools) => {
    const { writer, log, clock } = tools;
    const { last_reading_ms } = writer.totals();
    const ahead_ms = (last_reading_ms ?? 0) - clock.now_ms();
    if (last_reading_ms === null || writer.clock().problem !== null || ahead_ms <= AHEAD_MAX_MS)
      return (await alarm.clear(tools)) ? "no reading is ahead of the clock" : null;
    const newest = printTime(last_reading_ms);
    const text = `the newest reading is of ${newest}, ahead of the clock: nothing expires`;
    const ahead = {
      ...{ text, parameter: "last_reading", value: Math.round(ahead_ms / SECOND_MS) },
      ...{ limit: AHEAD_MAX_MS / SECOND_MS, unit: "s", more: { newest_reading: newest } },
    };
    if (!(await alarm.raise(tools, ahead))) return null;
    log.warn(text, { fix: `ballastd void --from ${newest} --to ${newest} --reason TEXT` });
    return `alarm: ${text}`;
  };
}

export function trustWatch(): Job["run"] {
  const alarm = ownAlarmOf("CLOCK_NOT_TRUSTED");
  return async (tools) => {
    const { problem } = tools.writer.clock();
    if (problem === null) return (await alarm.clear(tools)) ? "the clock is trusted again" : null;
    const text = untrustedText(problem);
    if (!(await alarm.raise(tools, { text, parameter: "clock" }))) return null;
    tools.log.warn("the box's clock isn't trusted, readings are stored and flagged", { problem });
    return `alarm: ${problem}`;
  };
}
