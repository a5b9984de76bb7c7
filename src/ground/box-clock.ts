// Compares the box's clock with the steady clock: between
// two calls both must advance equally.

/** The clocks to compare; tests give their own. */
export interface BoxClocks {
  readonly now_ms: () => number;
  /** Never set; its zero has no meaning. */
  readonly steady_ms: () => number;
}

export const boxClocks: BoxClocks = {
  now_ms: () => Date.now(),
  steady_ms: () => performance.now(),
};

/** A smaller difference is a clock being adjusted, or a thread that had to wait. */
const STEP_MIN_MS = 2000;

/** Returns a function that tells how far the clock was set since the last call; 0 if it wasn't. */
export function openBoxClock({ now_ms, steady_ms }: BoxClocks): () => number {
  let apart_ms = now_ms() - steady_ms();
  return () => {
    const before_ms = apart_ms;
    apart_ms = now_ms() - steady_ms();
    const by_ms = apart_ms - before_ms;
    return Math.abs(by_ms) < STEP_MIN_MS ? 0 : Math.round(by_ms);
  };
}
