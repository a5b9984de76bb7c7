// An alarm of ballastd's own, kept by a job: raised once when a problem begins, cleared when it
// ends. The writer knows the active alarms across restarts; here only the last report is
// remembered, so that nothing is written while nothing changes.

import type { Event } from "../bwts/event.ts";
import type { Writer } from "../sqlite/threads/writer.ts";

export interface AlarmSwitch {
  /** True if it wasn't active before. */
  raise(writer: Writer, event: () => Event): Promise<boolean>;
  clear(writer: Writer): Promise<boolean>;
}

/** `about` distinguishes problems that can exist in several places at a time. */
export function ownAlarmOf(code: string, about = ""): AlarmSwitch {
  let told: "raised" | "cleared" | null = null;
  return {
    async raise(writer, event) {
      if (told === "raised") return false;
      const isNew = await writer.call("raise_alarm", event(), about);
      told = "raised";
      return isNew;
    },
    async clear(writer) {
      if (told === "cleared") return false;
      const wasActive = await writer.call("clear_alarm", { code, about });
      told = "cleared";
      return wasActive;
    },
  };
}
