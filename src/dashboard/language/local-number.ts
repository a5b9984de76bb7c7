// Numbers as a language writes them: its decimal sign, and no thousands separator, because a comma
// that divides thousands in one language divides decimals in the next.

const formats = new Map<string, Intl.NumberFormat>();

/** At most `digits` decimals, without zeros at the end. */
export function localNumber(value: number, digits: number, code: string): string {
  const name = `${code} ${digits}`;
  const known = formats.get(name);
  if (known !== undefined) return known.format(value);
  const made = new Intl.NumberFormat(code, { maximumFractionDigits: digits, useGrouping: false });
  formats.set(name, made);
  return made.format(value);
}
