// Free disk space, as everybody who looks at it means it: what an ordinary user may still write,
// without the file system's reserve.

import { statfsSync } from "node:fs";

/** Free bytes of the file system that `dir` lies on. Throws when it can't be asked. */
export function freeBytes(dir: string): number {
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize;
}
