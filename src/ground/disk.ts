// Free disk space, in one meaning for all callers: the bytes that an ordinary user may still write,
// without the file system's reserve.

import { statfsSync } from "node:fs";

/** Free bytes of the file system of `dir`. Throws if it can't be measured. */
export function freeBytes(dir: string): number {
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize;
}
