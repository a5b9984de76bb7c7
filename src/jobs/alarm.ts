// An alarm of ballastd's own as a job keeps it: raised once when something is wrong, over when it
// no longer is. The writer knows what is active, across restarts; here is only remembered what it
// was told last, so that nothing is written while nothing changes.

import type { Event } from "../bwts/event.ts";
import type { Writer } from "../sqlite/writer.ts";

export interface OwnAlarm {
  /** True when it wasn't active before. */
  raise(writer: Writer, event: () => Event): Promise<boolean>;
  clear(writer: Writer): Promise<boolean>;
}

/** `about` tells apart what can be wrong in several places at a time. */
export function ownAlarmOf(code: string, about = ""): OwnAlarm {
  let told: "raised" | "cleared" | null = null;
  return {
    async raise(writer, event) {
      if (told === "raised") return false;
      const isNew = await writer.raiseAlarm(event(), about);
      told = "raised";
      return isNew;
    },
    async clear(writer) {
      if (told === "cleared") return false;
      const wasActive = await writer.clearAlarm({ code, about });
      told = "cleared";
      return wasActive;
    },
  };
}
