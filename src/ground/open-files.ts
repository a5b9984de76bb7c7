// The maximum number of open files of this process; every connection is one. Node has already
// raised the soft limit to the hard one.

import { readFileSync } from "node:fs";

/** Usual limit, used if the system's can't be read. */
const USUAL_MAX = 1024;

/** Maximum number of open files; Infinity without a limit. */
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
