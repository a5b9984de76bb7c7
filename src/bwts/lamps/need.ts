// The number of lamps that are needed within some hours: each lamp ends by then with a probability,
// independently of the others, and the number that do has an exact distribution.

/** Points of a lamp's forecast; hours left are from now, and ascend with their shares. */
export interface ForecastPoints {
  readonly p05_h: number;
  readonly median_h: number;
  readonly p95_h: number;
}

/** The number of lamps: its mean, and the ends of its 90 % range. */
export interface LampNeed {
  readonly expected: number;
  readonly p05: number;
  readonly p95: number;
}

/** Length of the tail after p95, in distances from the median to p95; then a lamp has ended. */
const TAIL = 2;

/**
 * Probability (0 to 1) that a lamp ends within `hours`, by straight lines through the points of its
 * stored forecast: no more of it is stored.
 */
export function endsWithin({ p05_h, median_h, p95_h }: ForecastPoints, hours: number): number {
  const last_h = p95_h + TAIL * Math.max(1, p95_h - median_h);
  const points = [
    [0, 0],
    [p05_h, 0.05],
    [median_h, 0.5],
    [p95_h, 0.95],
    [last_h, 1],
  ] as const;
  for (let index = 1; index < points.length; index += 1) {
    const [from_h, from] = points[index - 1];
    const [to_h, to] = points[index];
    if (hours < to_h) return from + ((to - from) * (hours - from_h)) / (to_h - from_h);
  }
  return 1;
}

/** The number of lamps that end, each with its own probability. */
export function lampNeed(probabilities: readonly number[]): LampNeed {
  // At index n: the probability that n lamps end.
  let shares = [1];
  for (const one of probabilities) {
    const next = new Array<number>(shares.length + 1).fill(0);
    for (const [count, share] of shares.entries()) {
      next[count] += share * (1 - one);
      next[count + 1] += share * one;
    }
    shares = next;
  }
  const upTo = (share: number) => {
    let sum = 0;
    const count = shares.findIndex((part) => {
      sum += part;
      return sum >= share - 1e-9;
    });
    return count < 0 ? shares.length - 1 : count;
  };
  const expected = probabilities.reduce((sum, one) => sum + one, 0);
  return { expected: Math.round(expected * 10) / 10, p05: upTo(0.05), p95: upTo(0.95) };
}
