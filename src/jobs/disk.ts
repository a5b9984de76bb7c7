// Watches the free space of the data folder, and raises ballastd's own alarm below
// storage.free_warn, while there is enough space to store the alarm.

import { freeBytes, printedSize } from "../ground/disk.ts";
import { ownAlarmOf } from "./alarm.ts";
import type { Job } from "./job.ts";

/** Factor above the limit that free space must reach before the alarm clears. */
const HYSTERESIS = 1.1;

/** A watch that raises and clears the alarm. */
export function diskWatch(): Job["run"] {
  const alarm = ownAlarmOf("DISK_LOW");
  return async (tools) => {
    const { storage, log } = tools;
    const free_bytes = freeBytes(storage.dir);
    const { free_warn } = storage;
    if (free_bytes >= free_warn * HYSTERESIS && (await alarm.clear(tools)))
      return `alarm is over: ${printedSize(free_bytes)} are free`;
    if (free_bytes >= free_warn) return null;
    const text = "free disk space is below storage.free_warn";
    const low = {
      text,
      parameter: "disk_free",
      value: free_bytes,
      limit: free_warn,
      unit: "bytes",
    };
    if (!(await alarm.raise(tools, low))) return null;
    log.warn(text, { free_bytes, free_warn });
    return `alarm: ${printedSize(free_bytes)} are free`;
  };
}
