// Waits until the very thing that must be true is true, however slow the machine.

import { setTimeout as sleep } from "node:timers/promises";
import { PATIENCE_MS } from "./patience.ts";

/** A condition is asked for less often the longer it doesn't hold. */
const REST_MIN_MS = 25;
const REST_MAX_MS = 250;
/** Asking takes at most a third of the time: it may cost the program an answer, or a process. */
const RESTS = 2;
const RESTS_MAX_MS = 1000;

/** Tries again until `holds`; throws with what `tell` says if it doesn't come. */
export async function until(
  what: string,
  holds: () => Promise<boolean>,
  tell: () => string = () => "",
): Promise<void> {
  const began_ms = performance.now();
  for (;;) {
    const asked_ms = performance.now();
    if (await holds()) return;
    const now_ms = performance.now();
    if (now_ms - began_ms > PATIENCE_MS) throw new Error(`waited in vain for ${what}: ${tell()}`);
    await sleep(restBetween(now_ms - began_ms, now_ms - asked_ms));
  }
}

/** The time until a condition is asked for again, after `waited_ms`, when asking took `took_ms`. */
export function restBetween(waited_ms: number, took_ms: number): number {
  const usual_ms = Math.min(REST_MAX_MS, Math.max(REST_MIN_MS, waited_ms / 10));
  return Math.max(usual_ms, Math.min(RESTS_MAX_MS, RESTS * took_ms));
}
