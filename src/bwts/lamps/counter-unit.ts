// Hour counters as sent, turned into hours for people, at any moment: by the newest forecasts up to
// it, which know the lamps' hours and the unit of the counters.

import { HOUR_MS } from "../../ground/clock.ts";
import { asNumber, type Value } from "../reading.ts";
import { indexOfLampTag, LAMP_NUMBERS } from "../tags.ts";
import type { StoredForecast } from "./outlook.ts";
import { factorSeen } from "./pace.ts";

interface CountersNow {
  readonly at_ms: number;
  /** By index into `TAGS`. */
  readonly values: readonly Value[];
  /** Made aboard up to then, newest first. */
  readonly forecasts: readonly StoredForecast[];
  /** True if the counters were found to outrun the clock. */
  readonly areFast: boolean;
}

/** Hours of each lamp, as its counter has them; null without one, or if its unit is unknown. */
export function counterHours(now: CountersNow): readonly (number | null)[] {
  const factor = factorNow(now);
  return countersIn(now).map(({ counter_h }) => {
    if (factor === 1 || counter_h === null) return counter_h;
    return factor === null ? null : Math.round((10 * counter_h) / factor) / 10;
  });
}

function factorNow(now: CountersNow): number | null {
  const [newest] = now.forecasts;
  if (newest === undefined) return now.areFast ? null : 1;
  const { counter_divisor } = newest.predictions;
  const hours = LAMP_NUMBERS.map((number) => {
    const one = now.forecasts.find(({ component_id }) => component_id === `LAMP_${number}`);
    return { raw_h: one?.current_state.runtime_hours ?? null };
  });
  const burnt_h = Math.max(0, now.at_ms - newest.at_ms) / HOUR_MS;
  const seen = factorSeen({ lamps: countersIn(now), hours, burnt_h }, counter_divisor ?? 1);
  return seen ?? counter_divisor ?? (now.areFast ? null : 1);
}

function countersIn({ values }: CountersNow) {
  return LAMP_NUMBERS.map((_, lamp) => ({
    counter_h: asNumber(values[indexOfLampTag(lamp, "RUNTIME")]),
  }));
}
