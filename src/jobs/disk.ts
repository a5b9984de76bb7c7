// Watches the free space of the data folder, and raises ballastd's own alarm below
// storage.free_warn, while there is enough space to store the alarm.

import { OWN_ALARMS } from "../bwts/alarm.ts";
import { ownAlarm } from "../bwts/event.ts";
import { freeBytes } from "../ground/disk.ts";
import { ownAlarmOf } from "./alarm.ts";
import type { Job } from "./job.ts";

/** Space must be a tenth above the limit before the alarm clears. */
const HYSTERESIS = 1.1;

/** A watch that raises the alarm, and reports nothing else. */
export function diskWatch(): Job["run"] {
  const alarm = ownAlarmOf(OWN_ALARMS.disk);
  return async ({ writer, storage, log, clock }) => {
    const free_bytes = freeBytes(storage.dir);
    const { free_warn } = storage;
    if (free_bytes >= free_warn * HYSTERESIS && (await alarm.clear(writer)))
      return `alarm is over: ${free_bytes} bytes are free`;
    if (free_bytes >= free_warn) return null;
    const low = () =>
      ownAlarm(clock.now_ms(), {
        code: OWN_ALARMS.disk,
        text: "free disk space is below storage.free_warn",
        parameter: "disk_free",
        value: free_bytes,
        limit: free_warn,
        unit: "bytes",
      });
    if (!(await alarm.raise(writer, low))) return null;
    log.warn("free disk space is below storage.free_warn", { free_bytes, free_warn });
    return `alarm: ${free_bytes} bytes are free`;
  };
}
