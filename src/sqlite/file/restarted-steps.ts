// Work in steps that begins anew when a step fails, as on a full disk: a generator that threw is
// over, and what it was about would wait for the next start.

/** Does one step a call; returns true if there may be more. Throws what a step throws. */
export function restartedSteps(begin: () => Generator<void>): () => boolean {
  let steps = begin();
  return () => {
    try {
      return steps.next().done !== true;
    } catch (error) {
      steps = begin();
      throw error;
    }
  };
}
