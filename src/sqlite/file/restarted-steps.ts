// Work in steps that begins anew when a step fails, for example because the disk is full: a
// generator that threw has ended, and without this its work would wait for the next start.

/**
 * Returns a function that does one step per call, and returns true if there may be more. Throws the
 * error of a step.
 */
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
