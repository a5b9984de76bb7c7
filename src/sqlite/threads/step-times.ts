// Measures the steps of the writer's thread, by kind. During a step no message is acknowledged, so
// each must be short.

/** The longest step of each kind since the start, in ms. */
export type LongestSteps = Readonly<Record<string, number>>;

export interface StepTimes {
  /** Carries out a step, and notes its time. */
  timed<Result>(kind: string, step: () => Result): Result;
  longest(): LongestSteps;
}

export function openStepTimes(): StepTimes {
  const longest: Record<string, number> = {};
  return {
    timed(kind, step) {
      const began_ms = performance.now();
      try {
        return step();
      } finally {
        longest[kind] = Math.max(longest[kind] ?? 0, performance.now() - began_ms);
      }
    },
    longest: () => ({ ...longest }),
  };
}
