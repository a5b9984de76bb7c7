// Recognises the first occurrence of a name, and the first after a pause: for lines that the log
// gets once, and not each time a client causes them.

/** Names remembered; of more, the one seen first is forgotten. */
const NAMES_MAX = 1000;

/** The function returned is true if it wasn't true for that name in the last `every_ms`. */
export function openFirsts(every_ms: number): (name: string) => boolean {
  const seen = new Map<string, number>();
  return (name) => {
    const now_ms = performance.now();
    const before_ms = seen.get(name);
    if (before_ms !== undefined && now_ms - before_ms < every_ms) return false;
    seen.delete(name);
    seen.set(name, now_ms);
    const [oldest] = seen.keys();
    if (seen.size > NAMES_MAX) seen.delete(oldest);
    return true;
  };
}
