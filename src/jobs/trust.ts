// Raises ballastd's own alarm while the box's clock can't be right: what is stored then is flagged,
// and somebody aboard should set it.

import { OWN_ALARMS } from "../bwts/alarm.ts";
import { ownAlarm } from "../bwts/event.ts";
import { ownAlarmOf } from "./alarm.ts";
import type { Job } from "./job.ts";

export function trustWatch(): Job["run"] {
  const alarm = ownAlarmOf(OWN_ALARMS.clock);
  return async ({ writer, log, clock }) => {
    const { problem } = writer.clock();
    if (problem === null) return (await alarm.clear(writer)) ? "the clock is trusted again" : null;
    const distrusted = () =>
      ownAlarm(clock.now_ms(), {
        code: OWN_ALARMS.clock,
        text: `the clock of ballastd's computer isn't trusted: ${problem}`,
        parameter: "clock",
        value: null,
        limit: null,
        unit: null,
      });
    if (!(await alarm.raise(writer, distrusted))) return null;
    log.warn("the box's clock isn't trusted, readings are stored and flagged", { problem });
    return `alarm: ${problem}`;
  };
}
