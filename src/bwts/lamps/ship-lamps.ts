// The lamps of one ship together: from their lives in bins of operating hours to a forecast for
// each burning lamp. Common facts (fouling, the bend of the curve, deviations, sudden failures, a
// formula in the PLC) are learned from all of them, past lives included.

import { commonFouling, type Fouling, type LifeBins } from "./common-fouling.ts";
import { isCounterDerived } from "./counter-derived.ts";
import { endHours, lampEvidence, shipShapes } from "./decay.ts";
import { type LampAge, suddenFailure } from "./failure.ts";
import { ENDED, type Forecast, lampForecast } from "./forecast.ts";
import { type Hours, type LampPrior, priorEndHours } from "./hours.ts";
import type { LampPoint } from "./likelihood.ts";
import { type PlainFit, plainFit } from "./plain-fit.ts";

/** The first hours of a lamp fall steeply and don't predict the rest. */
const BURN_IN_H = 100;
/** A lamp with fewer bins, or a shorter span, is forecast from the prior alone. */
const POINTS_MIN = 8;
const SPAN_MIN_H = 300;

/** Two-sided, like the interval from p05 to p95. */
const CONFIDENCE = 0.9;
/** No fouling. */
const CLEAN: Fouling = { at: () => 0, cleaned: [], given_back: 0 };

/** A lamp's life in bins of the ship's operating hours, which all lamps share. */
export interface LifeInBins {
  /** The ship's bin of `bins[0]`. */
  readonly first: number;
  /** Null if there was no steady reading. */
  readonly bins: readonly (LampBin | null)[];
  /** Operating hours so far, or at the end. */
  readonly age_h: number;
  /**
   * The end of the life; "replaced" is early, while it still worked, and null is a burning lamp.
   */
  readonly ended: "failed" | "worn" | "replaced" | null;
}

/** Medians of a bin's steady readings. */
export interface LampBin {
  readonly hours: number;
  /** Percent of new, above 0. */
  readonly efficiency: number;
}

/** The basis of a forecast; an ended lamp has no forecast. */
export type Basis = "lamp_points" | "rated_life_prior" | "counter_derived" | "ended";

export interface LampForecast extends Forecast {
  readonly basis: Basis;
}

/** The forecast of each life, in the given order, which has no other effect. */
export function shipForecasts(
  lives: readonly LifeInBins[],
  { prior, horizon_h }: { prior: LampPrior; horizon_h: number },
): readonly LampForecast[] {
  const unseen = priorEndHours(prior);
  const sudden = suddenFailure(lives.map(lampAge), prior);
  const derived = isCounterDerived(lives.map(({ bins }) => bins.filter((bin) => bin !== null)));
  const ends = derived ? lives.map(() => null) : shipEnds(lives, prior);
  return lives.map(({ age_h, ended }, i) => {
    if (ended !== null) return { ...ENDED, basis: "ended" };
    const end = ends[i];
    const without = derived ? "counter_derived" : "rated_life_prior";
    const forecast = lampForecast({ age_h, end: end ?? unseen, sudden }, { horizon_h });
    return { ...forecast, basis: end === null ? without : "lamp_points" };
  });
}

/**
 * The hour at which each burning lamp is worn, from its points and the others'; null with too few
 * points.
 */
function shipEnds(lives: readonly LifeInBins[], prior: LampPrior): readonly (Hours | null)[] {
  const fouling = commonFouling(lives.map(logBins));
  const evidence = lives.map((life) => {
    const points = steadyPoints(life, fouling);
    return isEnough(points) ? lampEvidence(points, prior) : null;
  });
  const known = evidence.filter((each) => each !== null);
  const ship = shipShapes(known);
  const seen_share = Math.max(0, ...known.map(({ last_share }) => last_share));
  const { given_back } = fouling;
  return evidence.map((lamp, i) =>
    lamp === null || lives[i].ended !== null
      ? null
      : endHours(lamp, { ship, prior, seen_share, given_back }),
  );
}

/** The plain exponential through a life's unchanged bins, after burn-in; null with too few. */
export function lifeFit(life: LifeInBins, { end_efficiency }: LampPrior): PlainFit | null {
  const points = steadyPoints(life, CLEAN);
  const shares = points.map(({ hours, log_efficiency }) => ({
    hours,
    efficiency: Math.exp(log_efficiency),
  }));
  return isEnough(points) ? plainFit(shares, { end_efficiency, confidence: CONFIDENCE }) : null;
}

/** The points of a life that show its ageing, corrected for fouling. */
export function steadyPoints({ first, bins }: LifeInBins, fouling: Fouling): readonly LampPoint[] {
  return bins.flatMap((bin, i) => {
    const log = logOf(bin);
    if (bin === null || log === null || bin.hours < BURN_IN_H) return [];
    return [{ hours: bin.hours, log_efficiency: log + fouling.at(first + i) }];
  });
}

function logBins({ first, bins }: LifeInBins): LifeBins {
  return { first, values: bins.map(logOf) };
}

/** A lamp without light says nothing about its ageing, and has no log. */
function logOf(bin: LampBin | null): number | null {
  return bin === null || !(bin.efficiency > 0) ? null : Math.log(bin.efficiency / 100);
}

function isEnough(points: readonly LampPoint[]): boolean {
  const hours = points.map((point) => point.hours);
  return points.length >= POINTS_MIN && Math.max(...hours) - Math.min(...hours) >= SPAN_MIN_H;
}

function lampAge({ age_h, ended }: LifeInBins): LampAge {
  return { hours: age_h, failed: ended === "failed" };
}
