// The fall of the UV intensity from operation to operation, beside that within the running one:
// lamps and sleeves age over months, which no single operation shows. Pure, and without zod.

import {
  fallLine,
  type HoursToLimit,
  hoursToLimit,
  type IntensityLine,
  type NoTimeReason,
} from "./time-to-limit.ts";

/** The UV intensity of an ended operation: means while water was treated. */
export interface OperationLight {
  readonly start_ms: number;
  readonly end_ms: number;
  readonly intensity_w_m2: number;
  readonly power_pct: number | null;
}

export interface FallOverOperations {
  /** Number of operations that the fall is computed from. */
  readonly operations: number;
  readonly start_ms: number | null;
  readonly end_ms: number | null;
  /** True if each operation's intensity was scaled to the power of the newest one. */
  readonly isAtEqualPower: boolean;
  /** The line; `x` is the number of operations before the newest. Null with too few. */
  readonly line: IntensityLine | null;
  /** Number of operations until the limit is reached, or the reason why there is none. */
  readonly toLimit: HoursToLimit | NoTimeReason;
}

/** Minimum number of operations for a fall: the water differs from port to port. */
const OPERATIONS_MIN = 6;

/** The fall over operations, which are ascending in time, to the limit of the mode. */
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

/**
 * The operation with its intensity scaled to `power_pct`: a lamp's light is about in proportion to
 * its power. Empty if its power isn't known.
 */
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
