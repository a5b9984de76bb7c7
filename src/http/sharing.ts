// One making of an answer for all who ask for it at a time, where it costs much and is the same for
// everybody: however many ask, it is made one after the other, at most once in a round of the loop.

import { setImmediate as nextRound } from "node:timers/promises";

/**
 * `make`, shared: whoever asks gets what was begun after that, so that nobody is told something
 * older than the question. Of all names one is made at a time.
 */
export function sharing<Name, Made>(
  make: (name: Name) => Promise<Made>,
): (name: Name) => Promise<Made> {
  const waiting = new Map<Name, Promise<Made>>();
  let last: Promise<unknown> = Promise.resolve();
  return (name) => {
    const known = waiting.get(name);
    if (known !== undefined) return known;
    // All that have come in this round of the loop are among those who ask.
    const made = last
      .then(() => nextRound())
      .then(() => {
        waiting.delete(name);
        return make(name);
      });
    waiting.set(name, made);
    last = made.catch(() => null);
    return made;
  };
}
