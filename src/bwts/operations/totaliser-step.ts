// The step in which a totaliser counts, by the rises between its values. One of coarse steps stands
// still while water moves, and is ahead by up to a step. Pure.

/** Steps that totalisers count in, m3. */
const STEPS_M3 = [1000, 500, 100, 50, 20, 10, 5, 2, 1];
/** Values have two or three decimals; the rest is the noise of binary fractions. */
const NOISE = 1e-6;

export function totaliserStep() {
  let last: number | null = null;
  let at = -1;
  const isMultiple = (rise_m3: number, step_m3: number) =>
    Math.abs(rise_m3 / step_m3 - Math.round(rise_m3 / step_m3)) < NOISE;
  return {
    take(value: number): void {
      const rise_m3 = last === null ? 0 : value - last;
      last = value;
      if (rise_m3 <= 0 || at === STEPS_M3.length) return;
      at = Math.max(0, at);
      while (at < STEPS_M3.length && !isMultiple(rise_m3, STEPS_M3[at])) at += 1;
    },
    /** The largest of STEPS_M3 that all rises are multiples of, 0 for none; null without a rise. */
    step_m3: (): number | null => (at < 0 ? null : (STEPS_M3[at] ?? 0)),
  };
}
