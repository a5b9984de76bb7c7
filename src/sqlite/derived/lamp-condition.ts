// The times behind the conditions of the fitted lamps: since when a lamp is past its life, and
// since when it gives no light. They are found in the tracked lives, which take long to read: so
// only for such lamps, and once for each run of the forecasts.

import { tenths } from "../../bwts/lamps/lamp-now.ts";
import { effectsOf, wornBin } from "../../bwts/lamps/outcome.ts";
import type { LampConfig, StoredForecast } from "../../bwts/lamps/outlook.ts";
import type { LifeBin } from "../../bwts/lamps/state.ts";
import { suddenFailure } from "../../bwts/light/sudden-failure.ts";
import { LAMP_COUNT } from "../../bwts/tags.ts";
import { printTime } from "../../ground/clock.ts";
import type { Connection } from "../file/open.ts";
import { trackedLamps } from "./lamps.ts";

/** The time since which a lamp is past its life, and its operating hours since then. */
export interface SincePast {
  readonly since: string;
  readonly hours: number;
}

/** The times of a lamp; each is null if the lamp hasn't that condition. */
export interface LampSince {
  readonly past: SincePast | null;
  /** Time since which its output isn't known. */
  readonly no_light: string | null;
}

const NO_TIMES: LampSince = { past: null, no_light: null };

const kept = new WeakMap<
  Connection,
  { readonly key: string; readonly since: readonly LampSince[] }
>();

/** The times by lamp position. `forecasts` are those of one run. */
export function conditionsSince(
  db: Connection,
  forecasts: readonly StoredForecast[],
  config: LampConfig,
): readonly LampSince[] {
  const asked = forecasts.filter(
    ({ predictions, current_state }) =>
      predictions.expected_end === "worn" || current_state.efficiency_percent === null,
  );
  if (asked.length === 0) return new Array(LAMP_COUNT).fill(NO_TIMES);
  const key = JSON.stringify(asked.map((one) => [one.at_ms, one.component_id]));
  const known = kept.get(db);
  const since = known?.key === key ? known.since : trackedSince(db, asked, config);
  kept.set(db, { key, since });
  return since;
}

const positionOf = (component_id: string) => Number(component_id.slice(-2)) - 1;

/** The times by lamp position, from the lives that the forecasts belong to. */
function trackedSince(
  db: Connection,
  asked: readonly StoredForecast[],
  config: LampConfig,
): readonly LampSince[] {
  const state = trackedLamps(db, config);
  const judging = { limits: config.lamps, ...effectsOf(state) };
  const since: LampSince[] = new Array(LAMP_COUNT).fill(NO_TIMES);
  for (const { at_ms, component_id, current_state, predictions } of asked) {
    const position = positionOf(component_id);
    const fitted_ms = Date.parse(current_state.fitted);
    const life = state.positions[position].lives.find(({ began_ms }) => began_ms === fitted_ms);
    if (life === undefined) continue;
    const bin = predictions.expected_end === "worn" ? wornBin(life, judging) : null;
    const dark_ms = life.light?.at_ms ?? life.began_ms;
    // Light may have come after the forecast's moment; then the time before isn't known.
    const isDark = current_state.efficiency_percent === null && dark_ms <= at_ms;
    since[position] = {
      past: bin === null ? null : sincePast(bin, current_state),
      no_light: isDark ? printTime(dark_ms) : null,
    };
  }
  return since;
}

const sincePast = ({ to_ms, hours }: LifeBin, { runtime_hours }: RunHours): SincePast => ({
  since: printTime(to_ms),
  hours: tenths(runtime_hours - hours),
});

type RunHours = Pick<StoredForecast["current_state"], "runtime_hours">;

/** Probability of failing within the hours asked for, from which a lamp is at risk. */
const RISK = 0.05;

/**
 * Returns a function that lists the lamps (1 to 16) that may fail suddenly within this many hours.
 * Wear doesn't count as a failure.
 */
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
