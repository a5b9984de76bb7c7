// Noise of readings: millions of draws, so a generator that steps (xorshift, Marsaglia 2003)
// instead of the simulator's hash for each draw.

export interface Noise {
  /** Bell-shaped, mean 0, standard deviation 1, never beyond 3.5. */
  bell(): number;
  /** Uniform, 0 <= x < 1. */
  unit(): number;
}

/** Standard deviation of the sum of four uniform bytes, and its mean. */
const BYTES_SD = Math.sqrt((4 * (256 ** 2 - 1)) / 12);
const BYTES_MEAN = (4 * 255) / 2;

export function createNoise(seed: number): Noise {
  let state = (seed ^ 0x9e3779b9) | 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  for (let i = 0; i < 8; i += 1) next();
  return {
    bell() {
      const bits = next();
      const sum = (bits >>> 24) + ((bits >>> 16) & 255) + ((bits >>> 8) & 255) + (bits & 255);
      return (sum - BYTES_MEAN) / BYTES_SD;
    },
    unit: () => next() / 2 ** 32,
  };
}
