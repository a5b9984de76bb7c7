// Quantiles of Student's t distribution, for the intervals of small samples. Whole degrees of
// freedom have a finite sum (Abramowitz and Stegun 26.7.3 and 26.7.4), which bisection inverts:
// exact to the last digits, and no series to trust.

/** The value below which `share` (0.5 to below 1) of the distribution with `degrees` lies. */
export function studentQuantile(share: number, degrees: number): number {
  let low = 0;
  let high = Math.PI / 2;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (centralShare(middle, degrees) < 2 * share - 1) low = middle;
    else high = middle;
  }
  return Math.sqrt(degrees) * Math.tan((low + high) / 2);
}

/** The share between -t and t, where t is the root of `degrees` times the tangent. */
function centralShare(angle: number, degrees: number): number {
  const sine = Math.sin(angle);
  const cosine = Math.cos(angle);
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = 0;
  for (let k = isOdd ? 1 : 0; k <= degrees - 2; k += 2) {
    sum += term;
    term *= (cosine ** 2 * (k + 1)) / (k + 2);
  }
  return isOdd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
}
