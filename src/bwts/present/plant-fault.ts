// Detects a fault in the plant's newest values, apart from UV intensity and flow: water in the
// cabinet, a motor in fault, or a value at the limit at which the plant trips. Pure, and without
// zod.

import { WATER_TRIP } from "../health-parts.ts";
import { wordOf } from "../plc-word.ts";
import type { Value } from "../reading.ts";
import { indexOfTag } from "../tags.ts";
import type { ShownLimits } from "./shown-limits.ts";

const CABINET_WATER = indexOfTag("LDC_WATER_ALARM");
const MOTORS = [indexOfTag("LDC_FAN_STATUS"), indexOfTag("FLT_MOTOR_STATUS")];
const FAULTS: ReadonlySet<string> = new Set(["FAULT", "FAILED", "ALARM", "TRIPPED", "ERROR"]);

/**
 * True if one of the values (by index into `TAGS`) shows a fault; fields that aren't sent show
 * none.
 */
export function isPlantFault(
  values: readonly Value[],
  limits: Pick<ShownLimits, "dp_alarm" | "cabinet_trip">,
): boolean {
  const trips = [
    [indexOfTag("UVR_WATER_TEMP"), WATER_TRIP],
    [indexOfTag("LDC_AIR_TEMP"), limits.cabinet_trip],
    [indexOfTag("FLT_DIFF_PRESSURE"), limits.dp_alarm],
  ] as const;
  return (
    values[CABINET_WATER] === true ||
    MOTORS.some((tag) => FAULTS.has(wordOf(values[tag]) ?? "")) ||
    trips.some(([tag, trip]) => {
      const value = values[tag];
      return typeof value === "number" && value >= trip;
    })
  );
}
