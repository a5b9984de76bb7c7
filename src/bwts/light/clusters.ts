// The common end of a ship's lamps: they wear out at about the same hour, since they are of one
// make and see one plant. That hour and the scatter about it are learned from all lamps, because a
// young lamp's own light can't show both the bend of its curve and its end. Intervals get 5 %
// narrower where ends are alike, and wrong where they aren't, so scattered ends have the larger
// prior (docs/evaluation.md).

import { END_PRIOR, END_SHARES, priorDensity } from "./curve.ts";

/** A group of ends of life about a common hour. */
export interface EndCluster {
  /** Prior probability of the cluster; 1 in total over all clusters. */
  readonly share: number;
  /** The probability of each of `END_SHARES`. */
  readonly ends: Float64Array;
}

/** Prior probability of a ship whose lamps' ends have nothing in common. */
const SCATTERED = 0.6;
/** Standard deviations of the logs of ends about their centre. */
const SPREADS = [0.12, 0.25];
/** First and last centre of a cluster, as shares of the rated hours; one spread apart. */
const CENTRE_FIRST = 0.45;
const CENTRE_LAST = 2.7;
/** Share of a cluster's lamps that may end at any hour: other makes, faults. */
const STRANGERS = 0.1;

/** The expected ends of a ship's lamps. */
interface ExpectedEnds {
  /** The most likely end, which multiplies the centres' shares. */
  readonly unit: number;
  /** The density of the log of a common end, up to a factor. */
  readonly density: (share: number) => number;
  /** The probability of each of `END_SHARES` for lamps whose ends have nothing in common. */
  readonly scattered: Float64Array;
}

/** Clusters that are compared; in the first one ends have nothing in common. */
export const CLUSTERS: readonly EndCluster[] = endClusters({
  unit: 1,
  density: priorDensity,
  scattered: END_PRIOR,
});

/** As many clusters about other expected ends (`unit`, `density`). */
export function clustersAbout({ unit, density }: Omit<ExpectedEnds, "scattered">) {
  return endClusters({ unit, density, scattered: withStrangers(END_SHARES.map(density)) });
}

function endClusters(expected: ExpectedEnds): readonly EndCluster[] {
  const about = SPREADS.flatMap((spread) => clustersOf(spread, expected));
  return [{ share: SCATTERED, ends: expected.scattered }, ...about];
}

function clustersOf(spread: number, { unit, density }: ExpectedEnds): readonly EndCluster[] {
  const count = Math.ceil(Math.log(CENTRE_LAST / CENTRE_FIRST) / spread);
  const centres = Array.from(
    { length: count },
    (_, i) => unit * CENTRE_FIRST * Math.exp(i * spread),
  );
  const densities = centres.map(density);
  const all = sumOf(densities);
  return centres.map((centre, i) => ({
    share: ((1 - SCATTERED) / SPREADS.length) * (densities[i] / all),
    ends: withStrangers(
      END_SHARES.map((end) => Math.exp(-0.5 * (Math.log(end / centre) / spread) ** 2)),
    ),
  }));
}

/** Probabilities in the ratios of `near`, 1 in total, mixed with those of any end. */
function withStrangers(near: Float64Array): Float64Array {
  const total = sumOf(near);
  return near.map((each, end) => ((1 - STRANGERS) * each) / total + STRANGERS * END_PRIOR[end]);
}

function sumOf(values: Iterable<number>): number {
  let sum = 0;
  for (const each of values) sum += each;
  return sum;
}
