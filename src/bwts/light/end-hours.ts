// The probability of each hour for the end of a lamp's life, from the lamp's own points and from
// the ship's other lamps, which share the bend of the curve, its end, and the deviation of real
// lamps from any curve.

import {
  addNormal,
  CELL_SD,
  END_SHARES,
  type Hours,
  hoursOf,
  type LampPrior,
  noMass,
  slopeAtEnd,
} from "./curve.ts";
import { forLikely, type LampEvidence } from "./evidence.ts";
import { levelAndStray } from "./likelihood.ts";
import { expectedEnds, rowOf, type SharedCurves } from "./shared-curves.ts";

/** Share of the deviation that is the lamp's own; the rest is its view (fouling, drift). */
const STRAYING_REAL = 0.5;
/** Minimum share of the total mass at which a curve changes the forecast. */
const MASS_MIN = 1e-5;
/** Minimum slope of a curve at its end, times its end: 5 % in its whole life. */
const SLOPE_MIN = 0.05;

/** The probability of each hour for the lamp's end, from its own points and the ship's curves. */
export function endHours(
  lamp: LampEvidence,
  { ship, prior }: { ship: SharedCurves; prior: LampPrior },
): Hours {
  const out = noMass();
  // Merges all curves of an end into one normal distribution: equal scores in 80 % of the time.
  const byEnd = Array.from(END_SHARES, () => ({ mass: 0, sum: 0, squares: 0 }));
  for (const curve of likelyCurves(lamp, ship)) {
    const { mean, sd } = strayedEnd(lamp, curve);
    const of = byEnd[curve.end];
    of.mass += curve.mass;
    of.sum += curve.mass * mean;
    of.squares += curve.mass * (mean * mean + sd * sd);
  }
  for (const { mass, sum, squares } of byEnd) {
    if (mass === 0) continue;
    const mean = sum / mass;
    addNormal(out, { mass, mean, sd: Math.sqrt(Math.max(0, squares / mass - mean * mean)) });
  }
  return hoursOf(out, prior);
}

interface LikelyCurve {
  readonly straying: number;
  readonly shape: number;
  readonly end: number;
  readonly mass: number;
}

/** The possible curves of a lamp, without those of negligible mass. */
function likelyCurves(lamp: LampEvidence, ship: SharedCurves): readonly LikelyCurve[] {
  const expected = expectedEnds(ship, lamp);
  const agreement = ship.agreements.get(lamp);
  if (agreement === undefined) return [];
  const curves: LikelyCurve[] = [];
  let all = 0;
  forLikely(lamp, agreement.strayings, ({ straying, shape }, likelihoods) => {
    const of = expected[rowOf(shape)];
    for (let end = 0; end < of.length; end++) {
      const mass = of[end] * likelihoods[end];
      all += mass;
      if (mass > MASS_MIN * all) curves.push({ straying, shape, end, mass });
    }
  });
  return curves.filter(({ mass }) => mass > MASS_MIN * all);
}

/**
 * The end of a lamp whose curve ends at a given hour, moved by its deviation from the curve: mean
 * and standard deviation, as shares of the rated hours.
 */
function strayedEnd(
  lamp: LampEvidence,
  { straying: at, shape, end: e }: LikelyCurve,
): { readonly mean: number; readonly sd: number } {
  const { products, variance, straying } = lamp.filtered[at];
  const { scale, fall } = lamp.curves.ends[shape];
  const end_share = END_SHARES[e];
  const curve = { scale: scale[e], fall: fall[e] };
  const { level, stray } = levelAndStray(products[shape], curve);
  const kept = Math.exp(-Math.max(0, end_share - lamp.last_share) / straying.share);
  const falling = slopeAtEnd(lamp.curves.shapes[shape], { end_share, level, end: lamp.end });
  const slope = Math.max(falling, SLOPE_MIN / end_share);
  const stationary = straying.size ** 2;
  const now = STRAYING_REAL * variance + (1 - STRAYING_REAL) * stationary;
  const by_then = STRAYING_REAL * (kept ** 2 * now + (1 - kept ** 2) * stationary);
  const later = STRAYING_REAL * stray * kept;
  const sd = Math.sqrt(by_then) / slope;
  return { mean: end_share + later / slope, sd: Math.hypot(sd, end_share * CELL_SD) };
}
