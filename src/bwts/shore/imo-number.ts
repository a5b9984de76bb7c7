// IMO numbers name ships for life: seven digits, of which the last is the check digit, the last
// digit of the sum of the others times 7, 6, 5, 4, 3 and 2. It finds most wrong digits, and digits
// that were swapped.

/** True for seven digits whose last one is right. */
export function isImoNumber(text: string): boolean {
  if (!/^\d{7}$/.test(text)) return false;
  const [check, ...rest] = [...text].reverse().map(Number);
  const sum = rest.reduce((total, digit, place) => total + digit * (place + 2), 0);
  return sum % 10 === check;
}
