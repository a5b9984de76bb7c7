// Makes folders. Not by mkdir's own `recursive`: where none can be made, as under /proc, that tries
// for ever.

import { mkdirSync, statSync } from "node:fs";
import path from "node:path";

/**
 * Makes a folder with those above it; gives the topmost that was made, null when all were there.
 */
export function makeFolder(dir: string, mode: number): string | null {
  if (isFolder(dir)) return null;
  const above = path.dirname(dir);
  const made = above === dir ? null : makeFolder(above, mode);
  try {
    mkdirSync(dir, mode);
  } catch (error) {
    // Somebody else may have just made it.
    if (!isFolder(dir)) throw error;
  }
  return made ?? dir;
}

function isFolder(dir: string): boolean {
  return statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true;
}
