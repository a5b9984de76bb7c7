// The number of files that this process may open; every connection is one. Node has raised the soft
// limit to the hard one before.

import { readFileSync } from "node:fs";

/** Usual limit, where the system's can't be read. */
const USUAL_MAX = 1024;

/** The limit; infinite where there is none. */
export function openFilesMax(): number {
  const limit = /^Max open files\s+(\d+|unlimited)/m.exec(processLimits())?.[1] ?? USUAL_MAX;
  return limit === "unlimited" ? Number.POSITIVE_INFINITY : Number(limit);
}

function processLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
}
