// Prints scaled integers as JavaScript prints their decimals, from tables of four digits. The
// number itself is never computed.

/** Maximum bytes that `writeDecimal` stores: sign, 15 digits, point, and the overrun of a word. */
export const DECIMAL_BYTES_MAX = 32;
/** Maximum scale of a decimal that never needs an exponent. */
export const DECIMAL_SCALE_MAX = 6;

const FACTORS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6];
/** Entries of a table: all numbers of four digits. */
const FOUR = 10_000;
/** Largest scale with tables of its own. */
const TABLED_MAX = 4;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;

// short: numbers of four digits at scales 0 to 4. padded: with leading zeros. endings: a fraction
// with its point and without trailing zeros; empty for 0. An entry has at most eight bytes.
const short = new Float64Array((TABLED_MAX + 1) * FOUR);
const shortBytes = new Uint8Array(short.length);
const endings = new Float64Array(short.length);
const endingBytes = new Uint8Array(short.length);
const padded = new Float64Array(FOUR);
let areFilled = false;

/**
 * Fills the tables. Call it before the first write. It takes 20 ms and 1 MB, which threads that
 * print nothing save.
 */
export function fillDigitTables(): void {
  if (areFilled) return;
  areFilled = true;
  const bytes = Buffer.alloc(8);
  const pack = (text: string) => {
    bytes.fill(0);
    bytes.write(text, "latin1");
    return bytes.readDoubleLE(0);
  };
  for (let digits = 0; digits < FOUR; digits += 1) {
    padded[digits] = pack(String(digits).padStart(4, "0"));
    for (let scale = 0; scale <= TABLED_MAX; scale += 1) {
      const entry = scale * FOUR + digits;
      const text = String(digits / FACTORS[scale]);
      short[entry] = pack(text);
      shortBytes[entry] = text.length;
      if (digits === 0 || digits >= FACTORS[scale]) continue;
      endings[entry] = pack(text.slice(1));
      endingBytes[entry] = text.length - 1;
    }
  }
}

/**
 * Stores `scaled / 10^scale` at `at` and returns the end; `scale` is at most `DECIMAL_SCALE_MAX`.
 */
export function writeDecimal(view: DataView, at: number, scaled: number, scale: number): number {
  if (scaled >= 0 && scaled < FOUR && scale <= TABLED_MAX) {
    const entry = scale * FOUR + scaled;
    view.setFloat64(at, short[entry], true);
    return at + shortBytes[entry];
  }
  return writeLong(view, at, scaled, scale);
}

/** Above this a decimal of four places has more digits than a double can distinguish. */
const ROUNDED_MAX = 1e15;

/**
 * Stores `value` at `at` as JavaScript prints it and returns the end. Stores nothing and returns
 * `at` for more than four decimals and for negative zero.
 */
export function writeNumber(view: DataView, at: number, value: number): number {
  if (value >= 0 && value < FOUR && Number.isInteger(value)) {
    if (Object.is(value, -0)) return at;
    view.setFloat64(at, short[value], true);
    return at + shortBytes[value];
  }
  const scaled = Math.round(value * FOUR);
  if (scaled / FOUR !== value || Math.abs(scaled) >= ROUNDED_MAX || scaled === 0) return at;
  return writeDecimal(view, at, scaled, TABLED_MAX);
}

function writeLong(view: DataView, start: number, scaled: number, scale: number): number {
  let at = start;
  if (scaled < 0) {
    view.setUint8(at, MINUS);
    at += 1;
  }
  const size = Math.abs(scaled);
  const factor = FACTORS[scale];
  const whole = Math.floor(size / factor);
  at = writeWhole(view, at, whole);
  return writeFraction(view, at, size - whole * factor, scale);
}

function writeWhole(view: DataView, start: number, whole: number): number {
  let at = start;
  let below = whole;
  if (whole >= FOUR) {
    const above = Math.floor(whole / FOUR);
    at = writeWhole(view, at, above);
    below = whole - above * FOUR;
    view.setFloat64(at, padded[below], true);
    return at + 4;
  }
  view.setFloat64(at, short[below], true);
  return at + shortBytes[below];
}

function writeFraction(view: DataView, at: number, fraction: number, scale: number): number {
  if (scale <= TABLED_MAX) return writeEnding(view, at, fraction, scale);
  const below = FACTORS[scale - TABLED_MAX];
  const high = Math.floor(fraction / below);
  const low = fraction - high * below;
  if (low === 0) return writeEnding(view, at, high, TABLED_MAX);
  // Four digits behind the point, then an ending whose point is overwritten by the fourth digit.
  view.setUint8(at, POINT);
  view.setFloat64(at + 1, padded[high], true);
  const end = writeEnding(view, at + 4, low, scale - TABLED_MAX);
  view.setUint8(at + 4, ZERO + (high % 10));
  return end;
}

function writeEnding(view: DataView, at: number, fraction: number, scale: number): number {
  const entry = scale * FOUR + fraction;
  view.setFloat64(at, endings[entry], true);
  return at + endingBytes[entry];
}
