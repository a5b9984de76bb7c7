// Shares one computation among all callers, for answers that are expensive and equal for all: they
// are computed one after the other, at most once in a round of the event loop.

import { setImmediate as nextRound } from "node:timers/promises";

/**
 * `make`, shared by those that ask for the same name: each caller gets a result that was begun
 * after its call, never an older one. One is made at a time.
 */
export function sharing<Asked, Made>(
  make: (asked: Asked) => Promise<Made>,
  nameOf: (asked: Asked) => string,
): (asked: Asked) => Promise<Made> {
  const waiting = new Map<string, Promise<Made>>();
  let last: Promise<unknown> = Promise.resolve();
  return (asked) => {
    const name = nameOf(asked);
    const known = waiting.get(name);
    if (known !== undefined) return known;
    // All that have come in this round of the loop are among those who ask.
    const made = last
      .then(() => nextRound())
      .then(() => {
        waiting.delete(name);
        return make(asked);
      });
    waiting.set(name, made);
    last = made.catch(() => null);
    return made;
  };
}
