// The plant as a Sparkplug device: a metric for each field of the catalogue, with its unit. A birth
// has all metrics; data has the changed ones, by their aliases, in order of time.

import type { Value } from "../bwts/reading.ts";
import { TAGS } from "../bwts/tags.ts";
import type { Metric } from "./sparkplug-payload.ts";

/** A reading as it is published: the time, and the values of the catalogue's fields in order. */
export interface DeviceReading {
  readonly at_ms: number;
  readonly values: readonly Value[];
}

/** The plant's readings, from a reader's thread. */
export interface DeviceSource {
  /** False while the plant sends nothing. */
  isLive(): Promise<boolean>;
  /** The newest readings from `start_ms` on, ascending; null: the newest one. */
  newest(start_ms: number | null): Promise<readonly DeviceReading[]>;
  /** The first readings of a range, ascending. */
  first(range: { readonly start_ms: number; readonly end_ms: number }): Promise<{
    readonly readings: readonly DeviceReading[];
    readonly isMore: boolean;
  }>;
}

/** All metrics with their definitions for a host. The timestamp is that of each metric. */
export function birthMetrics({ at_ms, values }: DeviceReading): readonly Metric[] {
  return TAGS.flatMap(({ name, type, unit }, index) =>
    index === 0 ? [] : [{ ...{ name, type, unit, at_ms }, ...told(index, values[index]) }],
  );
}

/** The metrics whose values changed from one reading to the next, beginning with `before`. */
export function changedMetrics(
  before: DeviceReading,
  readings: readonly DeviceReading[],
  { isHistorical }: { readonly isHistorical: boolean },
): readonly Metric[] {
  let { values } = before;
  return readings.flatMap((reading) => {
    const past = values;
    values = reading.values;
    return TAGS.flatMap(({ type }, index) => {
      const value = values[index];
      if (index === 0 || Object.is(value, past[index])) return [];
      const { at_ms } = reading;
      return [{ ...told(index, value), name: null, type, unit: null, at_ms, isHistorical }];
    });
  });
}

/** A metric of data; its alias is the field's index in the catalogue. */
function told(index: number, value: Value) {
  return { alias: index, value, isHistorical: false };
}
