// The box's own clock, watched by one that nobody can set: between two looks both must have gone on
// by the same.

/** The clocks that are looked at; tests give their own. */
export interface BoxClocks {
  readonly now_ms: () => number;
  /** Never set; where it begins means nothing. */
  readonly steady_ms: () => number;
}

export const boxClocks: BoxClocks = {
  now_ms: () => Date.now(),
  steady_ms: () => performance.now(),
};

/** Between two looks less than this is a clock being trimmed, or a thread that had to wait. */
const STEP_MIN_MS = 2000;

/** A look that tells by how much the clock was set since the one before; 0 when it wasn't. */
export function openBoxClock({ now_ms, steady_ms }: BoxClocks): () => number {
  let apart_ms = now_ms() - steady_ms();
  return () => {
    const before_ms = apart_ms;
    apart_ms = now_ms() - steady_ms();
    const by_ms = apart_ms - before_ms;
    return Math.abs(by_ms) < STEP_MIN_MS ? 0 : Math.round(by_ms);
  };
}
