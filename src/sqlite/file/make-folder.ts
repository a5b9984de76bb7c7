// Makes folders. Node's own `recursive` option isn't used: if no folder can be made, as under
// /proc, it retries for ever.

import { mkdirSync, statSync } from "node:fs";
import path from "node:path";

/** Makes a folder and its parents; returns the topmost one made, null if all existed. */
export function makeFolder(dir: string, mode: number): string | null {
  if (isFolder(dir)) return null;
  const above = path.dirname(dir);
  const made = above === dir ? null : makeFolder(above, mode);
  try {
    mkdirSync(dir, mode);
  } catch (error) {
    // Another process may have just made it.
    if (!isFolder(dir)) throw error;
  }
  return made ?? dir;
}

function isFolder(dir: string): boolean {
  return statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true;
}
