// Looks at the free space of the data folder, and raises ballastd's own alarm when it falls below
// storage.free_warn: while there still is enough to store the alarm.

import { type Event, ownAlarm } from "../bwts/event.ts";
import { freeBytes } from "../disk.ts";
import type { Job } from "./job.ts";

/** Space must grow by a tenth beyond the limit before the alarm can rise again. */
const HYSTERESIS = 1.1;

/** A watch that raises the alarm when the limit is crossed, and says nothing else. */
export function diskWatch(): Job["run"] {
  let isLow = false;
  return async ({ writer, storage, log, clock }) => {
    const free_bytes = freeBytes(storage.dir);
    const { free_warn } = storage;
    const wasLow = isLow;
    isLow = free_bytes < (wasLow ? free_warn * HYSTERESIS : free_warn);
    if (!isLow || wasLow) return null;
    log.warn("free disk space is below storage.free_warn", { free_bytes, free_warn });
    await writer.addEvent(diskLow(clock.now_ms(), free_bytes, free_warn));
    return `alarm: ${free_bytes} bytes are free`;
  };
}

function diskLow(at_ms: number, free_bytes: number, free_warn: number): Event {
  return ownAlarm(at_ms, {
    code: "DISK_LOW",
    text: "free disk space is below storage.free_warn",
    parameter: "disk_free",
    value: free_bytes,
    limit: free_warn,
    unit: "bytes",
  });
}
