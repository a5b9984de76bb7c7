// Answers that parts of the page have asked for and never had. Until they are there the page that
// is opened first isn't shown: each answer makes its part larger, and moves those below it.

let awaited = 0;
const listeners = new Set<() => void>();

/** Counts a first answer as awaited; the result ends that, once. */
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

/** Calls `listener` whenever the last awaited answer has come; the result ends that. */
export function onFirstAnswers(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
