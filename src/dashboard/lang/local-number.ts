// Numbers as a language writes them, with its decimal sign. Thousands are divided by a thin space,
// because a comma that divides thousands in one language divides decimals in the next.

const formats = new Map<string, Intl.NumberFormat>();

/** From here on digits only fill the page. */
const POWERS_FROM = 1e15;

/** From here on thousands are divided: four digits are read at a glance. */
const GROUPED_FROM = 9_999.5;
const THIN_SPACE = "\u202f";

/**
 * At most `digits` decimals, without zeros at the end but for the first `kept` ones, and no sign
 * before a 0.
 */
export function localNumber(value: number, digits: number, code: string, kept = 0): string {
  if (Math.abs(value) >= POWERS_FROM) return value.toExponential(2);
  const name = `${code} ${digits} ${kept}`;
  const known = formats.get(name);
  const shown = Math.abs(value) < 0.5 / 10 ** digits ? 0 : value;
  const format =
    known ??
    new Intl.NumberFormat(code, {
      ...{ minimumFractionDigits: kept, maximumFractionDigits: digits, useGrouping: false },
    });
  formats.set(name, format);
  const text = format.format(shown);
  // Two decimals at most are never a group of three.
  return Math.abs(value) < GROUPED_FROM ? text : text.replace(/\B(?=(\d{3})+(?!\d))/g, THIN_SPACE);
}
