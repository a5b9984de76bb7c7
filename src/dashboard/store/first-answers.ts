// Counts requests of parts of the page that haven't had an answer yet. The first page is hidden
// until they have: each answer enlarges its part, and moves the parts below.

let awaited = 0;
const listeners = new Set<() => void>();

/** Counts a first answer as awaited; returns a function that ends this, once. */
export function awaitFirstAnswer(): () => void {
  awaited += 1;
  let isAwaited = true;
  return () => {
    if (!isAwaited) return;
    isAwaited = false;
    awaited -= 1;
    if (awaited === 0) for (const listener of listeners) listener();
  };
}

export const hasFirstAnswers = () => awaited === 0;

/** Calls `listener` when the last awaited answer has come; returns a function that ends this. */
export function onFirstAnswers(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
