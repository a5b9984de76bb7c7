// The condition of the fitted lamps: by status and forecast, and of those past their life since
// when. That is found in the tracked lives, which take long to read, so only for such lamps, and
// once for each run of the forecasts.

import { tenths } from "../../bwts/lamps/lamp-now.ts";
import { effectsOf, wornBin } from "../../bwts/lamps/outcome.ts";
import type { LampConfig, StoredForecast } from "../../bwts/lamps/outlook.ts";
import { suddenFailure } from "../../bwts/light/sudden-failure.ts";
import { LAMP_COUNT } from "../../bwts/tags.ts";
import { printTime } from "../../ground/clock.ts";
import type { Connection } from "../file/open.ts";
import { trackedLamps } from "./lamps.ts";

/** Since when a lamp is past its life, and its operating hours since then. */
export interface SincePast {
  readonly since: string;
  readonly hours: number;
}

interface Worn {
  readonly since_ms: number;
  readonly hours: number;
}

const kept = new WeakMap<
  Connection,
  { readonly key: string; readonly worn: readonly (Worn | null)[] }
>();

/** By position; null of a lamp that isn't past its life. `forecasts` are of one run. */
export function pastLives(
  db: Connection,
  forecasts: readonly StoredForecast[],
  config: LampConfig,
): readonly (SincePast | null)[] {
  const found: (SincePast | null)[] = new Array(LAMP_COUNT).fill(null);
  const past = forecasts.filter(({ predictions }) => predictions.expected_end === "worn");
  if (past.length === 0) return found;
  const key = JSON.stringify(past.map((one) => [one.at_ms, one.component_id]));
  const known = kept.get(db);
  const worn = known?.key === key ? known.worn : wornSince(db, past, config);
  kept.set(db, { key, worn });
  for (const { component_id, current_state } of past) {
    const position = positionOf(component_id);
    const since = worn[position];
    if (since !== null)
      found[position] = {
        since: printTime(since.since_ms),
        hours: tenths(current_state.runtime_hours - since.hours),
      };
  }
  return found;
}

const positionOf = (component_id: string) => Number(component_id.slice(-2)) - 1;

/** By position, of the lives that the forecasts are of. */
function wornSince(
  db: Connection,
  past: readonly StoredForecast[],
  config: LampConfig,
): readonly (Worn | null)[] {
  const state = trackedLamps(db, config);
  const judging = { limits: config.lamps, ...effectsOf(state) };
  const worn: (Worn | null)[] = new Array(LAMP_COUNT).fill(null);
  for (const { component_id, current_state } of past) {
    const position = positionOf(component_id);
    const fitted_ms = Date.parse(current_state.fitted);
    const life = state.positions[position].lives.find(({ began_ms }) => began_ms === fitted_ms);
    const bin = life === undefined ? null : wornBin(life, judging);
    if (bin !== null) worn[position] = { since_ms: bin.to_ms, hours: bin.hours };
  }
  return worn;
}

/** A lamp that fails within the hours asked for more often than so is at risk. */
const RISK = 0.05;

/** The lamps (1 to 16) that may fail suddenly within so many hours; wear is no failure. */
export function failingLamps(
  forecasts: readonly StoredForecast[],
  { lamps: { rated_hours: rated_h } }: LampConfig,
): (hours: number) => readonly number[] {
  const ages = forecasts.map(({ current_state: { runtime_hours: hours, status } }) => ({
    ...{ hours, failed: status === "FAILED" },
  }));
  const sudden = suddenFailure(ages, { rated_h });
  return (hours) =>
    forecasts.flatMap(({ component_id }, index) => {
      const { hours: from_h, failed } = ages[index];
      const share = 1 - Math.exp(sudden.logSurvival({ from_h, hours: from_h + hours }));
      return !failed && share >= RISK ? [positionOf(component_id) + 1] : [];
    });
}
