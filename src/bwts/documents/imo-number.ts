// IMO numbers name ships for life: seven digits, of which the last is the check digit, i.e. the
// last digit of the sum of the others times 7, 6, 5, 4, 3 and 2. It detects most wrong or swapped
// digits.

/** True for seven digits with a right check digit, the first not 0. */
export const isImoNumber = (text: string): boolean =>
  /^[1-9]\d{6}$/.test(text) && imoCheckDigit(text) === Number(text[6]);

/** The check digit for the six digits that a text begins with. */
export function imoCheckDigit(text: string): number {
  const digits = [...text.slice(0, 6)].map(Number);
  return digits.reduce((total, digit, place) => total + digit * (7 - place), 0) % 10;
}
