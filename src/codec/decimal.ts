// Numbers as scaled integers: 612.3 is 6123 tenths. A decimal is the power of ten under which most
// numbers of a column are integers from which the very same double is restored; others (17 digits,
// negative zero, huge numbers) are stored as 64 bits beside them. Controllers that count in single
// precision send 23.100000381469727 for 23.1: a `single` decimal stores that as 231 tenths.

/** The scaling of a column's numbers. `single`: the quotient is rounded to single precision. */
export interface Decimal {
  readonly scale: number;
  readonly single: boolean;
}

/** Limit of scaled integers, so that differences of four of them are still exact doubles. */
export const SCALED_MAX = 2 ** 48;
export const FACTORS: readonly number[] = Array.from({ length: 13 }, (_, scale) => 10 ** scale);
export const SCALE_MAX = FACTORS.length - 1;

/** Numbers for each allowed exception, which is stored apart instead of a larger scale for all. */
const EXCEPTIONS_PER = 64;

/** The scaled integer of `value`, or null if `value` couldn't be restored bit for bit. */
export function scaledOf(value: number, scale: number, single: boolean): number | null {
  const factor = FACTORS[scale];
  const scaled = Math.round(value * factor);
  if (!(Math.abs(scaled) < SCALED_MAX) || (scaled === 0 && !Object.is(value, 0))) return null;
  const back = single ? Math.fround(scaled / factor) : scaled / factor;
  return back === value ? scaled : null;
}

/** The inverse of `scaledOf`. */
export function unscaled(scaled: number, { scale, single }: Decimal): number {
  return single ? Math.fround(scaled / FACTORS[scale]) : scaled / FACTORS[scale];
}

/** The decimal that holds most of `numbers`; null if it holds fewer than half. */
export function decimalFor(numbers: Float64Array): Decimal | null {
  return holding(numbers, false) ?? holding(numbers, true);
}

function holding(numbers: Float64Array, single: boolean): Decimal | null {
  const counts = new Uint32Array(FACTORS.length);
  let held = 0;
  let guess = 0;
  for (const value of numbers) {
    const scale = leastScale(value, single, guess);
    if (scale === null) continue;
    guess = scale;
    counts[scale] += 1;
    held += 1;
  }
  if (held === 0 || held * 2 < numbers.length) return null;
  let beyond = 0;
  let scale = SCALE_MAX;
  while (scale > 0 && (beyond + counts[scale]) * EXCEPTIONS_PER <= numbers.length) {
    beyond += counts[scale];
    scale -= 1;
  }
  return { scale, single };
}

// The smallest scale that holds `value`. `guess`, the neighbour's scale, is tried first.
function leastScale(value: number, single: boolean, guess: number): number | null {
  if (scaledOf(value, guess, single) !== null) {
    let scale = guess;
    while (scale > 0 && scaledOf(value, scale - 1, single) !== null) scale -= 1;
    return scale;
  }
  for (let scale = 0; scale <= SCALE_MAX; scale += 1)
    if (scaledOf(value, scale, single) !== null) return scale;
  return null;
}
