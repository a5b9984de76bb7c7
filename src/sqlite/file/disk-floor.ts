// The floor of free disk space below which nothing is committed: a database that can't grow must
// still be readable, and open again. Senders keep unacknowledged messages.

import { freeBytes } from "../../ground/disk.ts";
import { EXIT, Failure } from "../../ground/errors.ts";

/** Interval between two measurements of the free space. */
const LOOK_MS = 500;

/** Refused for lack of space; `code` is that of a full disk. */
export class BelowFloor extends Failure {
  readonly code = "ENOSPC";
}

/** A check to call before each write. It throws BelowFloor while there is too little space. */
export function openDiskFloor(dir: string, floor_bytes: number): () => void {
  let looked_ms = Number.NEGATIVE_INFINITY;
  let free_bytes = Number.POSITIVE_INFINITY;
  return () => {
    const now_ms = performance.now();
    if (now_ms - looked_ms >= LOOK_MS) {
      free_bytes = freeBytes(dir);
      looked_ms = now_ms;
    }
    if (free_bytes < floor_bytes)
      throw new BelowFloor(
        EXIT.io,
        `${free_bytes} bytes are free, storage.free_stop is ${floor_bytes}: nothing is committed`,
      );
  };
}
