// Numbers as a language writes them: its decimal sign, and no thousands separator, because a comma
// that divides thousands in one language divides decimals in the next.

const formats = new Map<string, Intl.NumberFormat>();

/** From here on digits only fill the page. */
const POWERS_FROM = 1e15;

/** At most `digits` decimals, without zeros at the end, and no sign before a 0. */
export function localNumber(value: number, digits: number, code: string): string {
  if (Math.abs(value) >= POWERS_FROM) return value.toExponential(2);
  const name = `${code} ${digits}`;
  const known = formats.get(name);
  const shown = Math.abs(value) < 0.5 / 10 ** digits ? 0 : value;
  if (known !== undefined) return known.format(shown);
  const made = new Intl.NumberFormat(code, { maximumFractionDigits: digits, useGrouping: false });
  formats.set(name, made);
  return made.format(shown);
}
