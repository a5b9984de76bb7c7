// Waits until the very thing that must be true is true, however slow the machine.

import { setTimeout as sleep } from "node:timers/promises";

/** Beyond whatever a busy machine takes, and below the time limit of a test. */
const PATIENCE_MS = 180_000;

/** Tries again until `holds`; throws with what `tell` says if it doesn't come. */
export async function until(
  what: string,
  holds: () => Promise<boolean>,
  tell: () => string = () => "",
): Promise<void> {
  const began_ms = performance.now();
  while (!(await holds())) {
    if (performance.now() - began_ms > PATIENCE_MS)
      throw new Error(`waited in vain for ${what}: ${tell()}`);
    await sleep(50);
  }
}
