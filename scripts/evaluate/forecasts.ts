// Compares ballastd's forecasts for simulated ships with their outcomes: only bins up to the time
// of the forecast are used. Times are drawn at random, three a ship, and each lamp that burns then
// is a case. Some lamps that wear out are forecast once more at half their life, for the
// alpha-lambda measure.

import type { LampPrior } from "../../src/bwts/lamps/curve.ts";
import { type LifeInBins, shipForecasts } from "../../src/bwts/lamps/ship-lamps.ts";
import type { ScoredForecast } from "../../src/bwts/lamps/track-record.ts";
import { createRandom } from "../../src/simulator/random.ts";
import { BIN_H, END_EFFICIENCY, RATED_H, SHIP_H, simulateShip, type TrueLife } from "./ship.ts";

const PRIOR: LampPrior = { rated_h: RATED_H, end_efficiency: END_EFFICIENCY };
const HORIZON_H = 500;
const TIMES = 3;
/** One day aboard to near the end of the record. */
const FIRST_H = 24;
const LAST_H = SHIP_H - 500;
/** Share of worn lamps that are forecast at half their life. */
const HALF_LIFE_SHARE = 0.2;

export interface Case extends ScoredForecast {
  readonly cause: TrueLife["cause"];
}

export interface ShipCases {
  /** Lives that were simulated. */
  readonly lives: number;
  readonly cases: readonly Case[];
  /** Cases of worn lamps at half their life. */
  readonly halves: readonly Case[];
  /** Milliseconds of processor time for each run of all the ship's forecasts. */
  readonly run_ms: readonly number[];
}

/** The cases of ship `number` of the fleet of `seed`. */
export function shipCases(seed: number, number: number): ShipCases {
  const lives = simulateShip(seed, number);
  const random = createRandom(seed * 1_000_003 + number);
  const run_ms: number[] = [];
  const at = (now_h: number) => {
    const start = process.cpuUsage();
    const cases = casesAt(lives, now_h);
    const { user, system } = process.cpuUsage(start);
    run_ms.push((user + system) / 1_000);
    return cases;
  };
  const times = Array.from({ length: TIMES }, (_, i) => random.between(FIRST_H, LAST_H, "time", i));
  const cases = times.flatMap((now_h) => [...at(now_h).values()]);
  const halves = lives
    .filter((life, i) => isWornAboard(life) && random.unit("half", i) < HALF_LIFE_SHARE)
    .flatMap((life) => at(life.fitted_h + life.end_h / 2).get(life) ?? []);
  return { lives: lives.length, cases, halves, run_ms };
}

function isWornAboard({ cause, fitted_h, end_h }: TrueLife): boolean {
  return cause === "worn" && fitted_h >= 0 && fitted_h + end_h / 2 < SHIP_H;
}

function casesAt(lives: readonly TrueLife[], now_h: number): ReadonlyMap<TrueLife, Case> {
  const known = lives.filter(({ fitted_h }) => fitted_h < now_h);
  const seen = known.map((life) => seenAt(life, now_h));
  const forecasts = shipForecasts(seen, { prior: PRIOR, horizon_h: HORIZON_H });
  const cases = new Map<TrueLife, Case>();
  for (const [i, life] of known.entries()) {
    const { basis, ...forecast } = forecasts[i];
    const { age_h } = seen[i];
    if (basis === "ended") continue;
    const left_h = life.end_h - age_h;
    const ended = life.cause !== "replaced";
    cases.set(life, { ...forecast, age_h, left_h, ended, cause: life.cause, horizon_h: HORIZON_H });
  }
  return cases;
}

/** The known part of a life at a time: finished bins, and the end if that was before. */
function seenAt({ first, bins, fitted_h, end_h, cause }: TrueLife, now_h: number): LifeInBins {
  const age_h = Math.min(end_h, now_h - fitted_h);
  const over = Math.max(0, Math.floor(now_h / BIN_H) - first);
  return { first, bins: bins.slice(0, over), age_h, ended: age_h === end_h ? cause : null };
}
