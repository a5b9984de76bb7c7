// The fall of the light from operation to operation, beside that within the one under way: lamps
// and sleeves age over months, which no single operation shows. Pure, and without zod.

import {
  fallLine,
  type HoursToLimit,
  hoursToLimit,
  type IntensityLine,
  type NoTimeReason,
} from "./time-to-limit.ts";

/** The light of an operation that has ended: means while water was treated. */
export interface OperationLight {
  readonly start_ms: number;
  readonly end_ms: number;
  readonly intensity_w_m2: number;
  readonly power_pct: number | null;
}

export interface FallOverOperations {
  /** The number of operations that it rests on. */
  readonly operations: number;
  readonly start_ms: number | null;
  readonly end_ms: number | null;
  /** True if the light of each was brought to the power of the newest. */
  readonly isAtEqualPower: boolean;
  /** `x` in operations before the newest; null with too few. */
  readonly line: IntensityLine | null;
  /** In operations. */
  readonly toLimit: HoursToLimit | NoTimeReason;
}

/** Fewer operations tell no fall: the water differs from port to port. */
const OPERATIONS_MIN = 6;

/** The fall over operations, which are in order of time, to the limit of the mode. */
export function fallOverOperations(
  all: readonly OperationLight[],
  limit: number | null,
): FallOverOperations {
  const power_pct = all.at(-1)?.power_pct ?? null;
  const isAtEqualPower = power_pct !== null && power_pct > 0;
  const told = isAtEqualPower ? all.flatMap((one) => atPower(one, power_pct)) : all;
  const line = told.length < OPERATIONS_MIN ? null : lineThrough(told);
  return {
    operations: told.length,
    start_ms: told[0]?.start_ms ?? null,
    end_ms: told.at(-1)?.end_ms ?? null,
    ...{ isAtEqualPower, line, toLimit: toLimitOf(line, limit) },
  };
}

function toLimitOf(line: IntensityLine | null, limit: number | null): HoursToLimit | NoTimeReason {
  if (line === null) return "too_few";
  return limit === null ? "no_limit" : hoursToLimit(line, limit);
}

/** A lamp's light is about in proportion to its power. */
function atPower(one: OperationLight, power_pct: number): readonly OperationLight[] {
  if (one.power_pct === null || one.power_pct <= 0) return [];
  return [{ ...one, intensity_w_m2: (one.intensity_w_m2 * power_pct) / one.power_pct }];
}

function lineThrough(told: readonly OperationLight[]): IntensityLine {
  const last = told.length - 1;
  return fallLine(
    told.map(({ end_ms, intensity_w_m2 }, index) => ({
      ...{ at_ms: end_ms, x: index - last, y: intensity_w_m2 },
    })),
  );
}
