// Words that a controller sends (`RUNNING`, `FAILED`, `IMO`). Controllers differ in upper and lower
// case and in spaces around them, so every rule and the page compare the same form, and all read a
// lamp's status here. Without zod: it is part of the page.

/** The word in upper case without spaces around it; null for anything but text. */
export function wordOf(given: unknown): string | null {
  return typeof given === "string" ? given.trim().toUpperCase() : null;
}

/** The known words of PROCESS_STATE, in the usual order of an operation. */
export const STATE_WORDS = [
  "IDLE",
  "WARMUP",
  "RUNNING",
  "BACKFLUSH",
  "STOPPING",
  "STOPPED",
  "STANDBY",
  "BYPASS",
  "FAULT",
  "CIP",
] as const;

export type LampStatus = "active" | "standby" | "failed" | "unknown";

/** Words of a lamp that burns; WARNING and DEGRADED lamps burn too. */
const ACTIVE: ReadonlySet<string> = new Set([
  ...["ACTIVE", "OK", "ON", "RUNNING", "OPERATIONAL", "NORMAL"],
  ...["WARNING", "DEGRADED"],
]);

/** Words of a lamp that is whole and doesn't burn. */
const STANDBY: ReadonlySet<string> = new Set(["STANDBY", "OFF", "IDLE", "STOPPED", "DISABLED"]);

/** The status that a lamp's word means; `unknown` for any other word, and without one. */
export function lampStatusOf(given: unknown): LampStatus {
  const word = wordOf(given);
  if (word === "FAILED") return "failed";
  if (word === null) return "unknown";
  if (STANDBY.has(word)) return "standby";
  return ACTIVE.has(word) ? "active" : "unknown";
}
