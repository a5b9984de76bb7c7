// Recognises the first occurrence of a name, and the first after a pause: so the log gets a line
// once, and not each time a client causes it.

import { LRUCache } from "lru-cache";

/** Maximum number of names kept; beyond it the one seen first is dropped. */
const NAMES_MAX = 1000;

/** Returns a function that is true if it wasn't true for the name within the last `every_ms`. */
export function openRepeatFilter(every_ms: number): (name: string) => boolean {
  const seen = new LRUCache<string, number>({ max: NAMES_MAX });
  return (name) => {
    const now_ms = performance.now();
    const before_ms = seen.peek(name);
    if (before_ms !== undefined && now_ms - before_ms < every_ms) return false;
    seen.set(name, now_ms);
    return true;
  };
}
