// Steps between doubles: two doubles of one sign are as many steps apart as their bits differ. A
// sum that is nearly a decimal is then the decimal and a small integer.

const double = new Float64Array(1);
const halves = new Uint32Array(double.buffer);
const LOW = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 0 : 1;
const HIGH = 1 - LOW;
const HALF = 2 ** 32;
/** Beyond this it isn't worth counting. */
const ULPS_MAX = 2 ** 31;

/** Number of doubles from one double to another; null if they are far apart. */
export function ulpsBetween(from: number, to: number): number | null {
  double[0] = from;
  const high = halves[HIGH];
  const low = halves[LOW];
  double[0] = to;
  const ulps = (halves[HIGH] - high) * HALF + (halves[LOW] - low);
  return Math.abs(ulps) < ULPS_MAX ? ulps : null;
}

/** The double that lies `ulps` doubles after `from`. */
export function addUlps(from: number, ulps: number): number {
  double[0] = from;
  const low = halves[LOW] + ulps;
  const carry = Math.floor(low / HALF);
  halves[LOW] = low - carry * HALF;
  halves[HIGH] += carry;
  return double[0];
}
