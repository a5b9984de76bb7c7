// The lamps of a ship wear out at about the same hour, since they are of one make and see one
// plant. That hour, and how far they scatter about it, is learned from all of them. Without it a
// lamp's own light has to tell the bend of its curve and its end at once, which it can't before it
// is old. It makes intervals 5 % narrower where ends are alike; where they aren't, it errs, so it
// isn't trusted more than that (docs/evaluation.md).

import { END_PRIOR, END_SHARES, priorDensity } from "./curve.ts";

/** Ends about a common hour. */
export interface EndCluster {
  /** Its prior probability; of all clusters 1 in total. */
  readonly share: number;
  /** The probability of each of `END_SHARES`. */
  readonly ends: Float64Array;
}

/** Prior probability of a ship whose lamps' ends have nothing in common. */
const SCATTERED = 0.6;
/** Standard deviations of the logs of ends about their centre. */
const SPREADS = [0.12, 0.25];
/** Centres as shares of the rated hours, one spread apart. */
const CENTRE_FIRST = 0.45;
const CENTRE_LAST = 2.7;
/** Share of lamps in a cluster whose end is nevertheless any: other makes, faults. */
const STRANGERS = 0.1;

/** The clusters that are compared; the first one is none. */
export const CLUSTERS: readonly EndCluster[] = [
  { share: SCATTERED, ends: END_PRIOR },
  ...SPREADS.flatMap(clustersOf),
];

function clustersOf(spread: number): readonly EndCluster[] {
  const count = Math.ceil(Math.log(CENTRE_LAST / CENTRE_FIRST) / spread);
  const centres = Array.from({ length: count }, (_, i) => CENTRE_FIRST * Math.exp(i * spread));
  const densities = centres.map(priorDensity);
  const all = sumOf(densities);
  return centres.map((centre, i) => {
    const near = END_SHARES.map((end) => Math.exp(-0.5 * (Math.log(end / centre) / spread) ** 2));
    const total = sumOf(near);
    return {
      share: ((1 - SCATTERED) / SPREADS.length) * (densities[i] / all),
      ends: near.map((each, end) => ((1 - STRANGERS) * each) / total + STRANGERS * END_PRIOR[end]),
    };
  });
}

function sumOf(values: Iterable<number>): number {
  let sum = 0;
  for (const each of values) sum += each;
  return sum;
}
