// One of ballastd's own alarms, raised once by a job when a problem begins and cleared when it
// ends. The writer knows the active alarms across restarts; here only the last report is kept, so
// that nothing is written while nothing changes.

import { type OwnAlarm, ownAlarm } from "../bwts/event.ts";
import type { OwnCode } from "../bwts/present/alert.ts";
import type { JobTools } from "./job.ts";

/** An alarm without its code; a value, limit or unit that is left out is null. */
export type ReportedAlarm = Pick<OwnAlarm, "text" | "parameter" | "more"> &
  Partial<Pick<OwnAlarm, "value" | "limit" | "unit">>;

export interface AlarmSwitch {
  /** Raises the alarm; true if it wasn't active before. */
  raise(tools: Pick<JobTools, "writer" | "clock">, told: ReportedAlarm): Promise<boolean>;
  clear(tools: Pick<JobTools, "writer">): Promise<boolean>;
}

/** The alarm of a code. `about` distinguishes problems that can exist in several places at once. */
export function ownAlarmOf(code: OwnCode, about = ""): AlarmSwitch {
  let told: "raised" | "cleared" | null = null;
  return {
    async raise({ writer, clock }, { value = null, limit = null, unit = null, ...alarm }) {
      if (told === "raised") return false;
      const { text, parameter, more } = alarm;
      const event = ownAlarm(clock.now_ms(), { code, text, parameter, value, limit, unit, more });
      const isNew = await writer.call("raise_alarm", event, about);
      told = "raised";
      return isNew;
    },
    async clear({ writer }) {
      if (told === "cleared") return false;
      const wasActive = await writer.call("clear_alarm", { code, about });
      told = "cleared";
      return wasActive;
    },
  };
}
