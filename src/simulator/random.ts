// The simulator's source of chance. It has no state: every draw is a hash of the seed, the name of
// what is drawn, and the numbers that say which draw (operation, lamp, instant). So any stretch of
// a voyage can be made alone and is the same as in the whole; a generator that steps from draw to
// draw was rejected because a reading would then depend on how many were made before it.

export interface Random {
  /** A uniform draw, 0 <= x < 1. */
  unit(name: string, ...keys: readonly number[]): number;
  /** A uniform draw, `low` <= x < `high`. */
  between(low: number, high: number, name: string, ...keys: readonly number[]): number;
  /** A bell-shaped draw of mean 0 and standard deviation 1, never beyond 3.5. */
  bell(name: string, ...keys: readonly number[]): number;
  /** A smooth curve over time, -1 to 1, that takes a new direction every `period_ms`. */
  wave(name: string, at_ms: number, period_ms: number): number;
}

const TWO_32 = 2 ** 32;
// 2^32 / the golden ratio: keeps a key of 0 from leaving the hash as it was.
const GOLDEN = 0x9e3779b9;

/** All draws that follow from `seed`, an integer from 0 to 2^53 - 1. */
export function createRandom(seed: number): Random {
  const start = mix(low(seed)) ^ mix(high(seed) + GOLDEN);
  const hashByName = new Map<string, number>();

  const hash = (name: string, keys: readonly number[]): number => {
    let state = hashByName.get(name);
    if (state === undefined) {
      state = [...name].reduce((sum, letter) => fold(sum, letter.charCodeAt(0)), start);
      hashByName.set(name, state);
    }
    for (const key of keys) state = fold(fold(state, low(key)), high(key));
    return state >>> 0;
  };

  const unit: Random["unit"] = (name, ...keys) => hash(name, keys) / TWO_32;
  return {
    unit,
    between: (from, to, name, ...keys) => from + (to - from) * (hash(name, keys) / TWO_32),
    bell(name, ...keys) {
      // The sum of four uniform draws, scaled: 16 bits of a hash are enough for each.
      const first = hash(name, keys);
      const second = fold(first, GOLDEN) >>> 0;
      const halves = (first >>> 16) + (first & 0xffff) + (second >>> 16) + (second & 0xffff);
      return (halves / 65_535 - 2) * Math.sqrt(3);
    },
    wave(name, at_ms, period_ms) {
      const step = Math.floor(at_ms / period_ms);
      const share = at_ms / period_ms - step;
      const eased = share * share * (3 - 2 * share);
      const before = 2 * unit(name, step) - 1;
      const after = 2 * unit(name, step + 1) - 1;
      return before + (after - before) * eased;
    },
  };
}

function fold(state: number, key: number): number {
  return mix((state + GOLDEN) ^ key);
}

// A 32-bit finaliser with little bias (the constants of "lowbias32", public domain).
function mix(value: number): number {
  let state = value >>> 0;
  state = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
  state = Math.imul(state ^ (state >>> 15), 0x735a2d97);
  return (state ^ (state >>> 15)) >>> 0;
}

function low(key: number): number {
  return key | 0;
}

function high(key: number): number {
  return Math.floor(key / TWO_32) | 0;
}
