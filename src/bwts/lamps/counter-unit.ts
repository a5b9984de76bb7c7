// Converts the hour counters of any moment to the hours of the fitted lamps, for people. The newest
// forecasts before that moment hold the lamps' hours and the counters' unit.

import { HOUR_MS } from "../../ground/clock.ts";
import { asNumber, type Value } from "../reading.ts";
import { indexOfLampTag, LAMP_NUMBERS } from "../tags.ts";
import { tenths } from "./lamp-now.ts";
import type { StoredForecast } from "./outlook.ts";
import { counterFactor, HOURS_MAX } from "./unit.ts";

interface CountersNow {
  readonly at_ms: number;
  /** The values at `at_ms`, by index into `TAGS`. */
  readonly values: readonly Value[];
  /** Forecasts made aboard up to `at_ms`, newest first. */
  readonly forecasts: readonly StoredForecast[];
  /** The values at the time of the newest forecast, by index into `TAGS`. */
  readonly then: readonly Value[];
  /** True if the counters were found to run faster than the clock. */
  readonly areFast: boolean;
}

/** Minimum difference between a counter and its lamp's hours that counts as an offset. */
const BASE_MIN_H = 1;

/** Hours of each lamp fitted; null without a counter, or if its unit is unknown. */
export function counterHours(now: CountersNow): readonly (number | null)[] {
  const factor = factorNow(now);
  const bases_h = basesOf(now);
  return countersIn(now.values).map(({ counter_h }, position) => {
    if (counter_h === null || factor === null) return null;
    const base_h = bases_h[position];
    const counted_h = counter_h / factor;
    if (counted_h > HOURS_MAX) return null;
    if (factor === 1 && base_h === 0) return counter_h;
    // A counter below its base was reset for a newer lamp.
    const hours = counted_h < base_h ? counted_h : counted_h - base_h;
    return tenths(hours);
  });
}

/** The hours that each counter showed when its lamp was fitted: 0 if the counter was reset then. */
function basesOf({ forecasts, then }: CountersNow): readonly number[] {
  const divisor = forecasts[0]?.predictions.counter_divisor ?? 1;
  const factor = factorOf(forecasts, then, 0) ?? divisor;
  return countersIn(then).map(({ counter_h }, position) => {
    const one = forecastAt(forecasts, position);
    if (one === undefined || one.at_ms !== forecasts[0].at_ms || counter_h === null) return 0;
    const base_h = counter_h / factor - one.current_state.runtime_hours;
    return Math.abs(base_h) < BASE_MIN_H ? 0 : base_h;
  });
}

function factorNow({ at_ms, values, forecasts, areFast }: CountersNow): number | null {
  if (forecasts.length === 0) return areFast ? null : 1;
  const [{ predictions, at_ms: then_ms }] = forecasts;
  const burnt_h = Math.max(0, at_ms - then_ms) / HOUR_MS;
  const seen = factorOf(forecasts, values, burnt_h);
  return seen ?? predictions.counter_divisor ?? (areFast ? null : 1);
}

/** The factor by which the counters continue the hours of the forecasts; null if no factor fits. */
function factorOf(
  forecasts: CountersNow["forecasts"],
  values: readonly Value[],
  burnt_h: number,
): number | null {
  const hours = LAMP_NUMBERS.map((_, position) => {
    return { raw_h: forecastAt(forecasts, position)?.current_state.runtime_hours ?? null };
  });
  const usual = forecasts[0]?.predictions.counter_divisor ?? 1;
  return counterFactor({ lamps: countersIn(values), hours, burnt_h }, usual);
}

function forecastAt(forecasts: CountersNow["forecasts"], position: number) {
  const component = `LAMP_${LAMP_NUMBERS[position]}`;
  return forecasts.find(({ component_id }) => component_id === component);
}

function countersIn(values: readonly Value[]) {
  return LAMP_NUMBERS.map((_, lamp) => ({
    counter_h: asNumber(values[indexOfLampTag(lamp, "RUNTIME")]),
  }));
}
