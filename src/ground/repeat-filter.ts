// Recognises the first occurrence of a name, and the first after a pause: for lines that the log
// gets once, and not each time a client causes them.

import { LRUCache } from "lru-cache";

/** Names remembered; of more, the one seen first is forgotten. */
const NAMES_MAX = 1000;

/** The function returned is true if it wasn't true for that name in the last `every_ms`. */
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
