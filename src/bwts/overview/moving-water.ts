// Tells if water moves now in a state in which none is treated, by the newest readings: the flow
// tells it, and a totaliser that rises does. Pure, and without zod.

import { HOUR_MS } from "../../ground/clock.ts";
import type { Reading, Value } from "../reading.ts";
import { indexOfTag } from "../tags.ts";
import { isMovingFlow, isUntreatedState, TOTALISER_FIELDS, UNTREATED_MAX_MS } from "../treating.ts";
import type { ShownLimits } from "./shown-limits.ts";
import { flowLimitOf } from "./verdict.ts";

const STATE = indexOfTag("PROCESS_STATE");
const FLOW = indexOfTag("SYS_FLOW_RATE");

/** True if water moves at this flow; null if the flow isn't known. */
export function isMoving(flow_m3_h: number | null, limits: ShownLimits): boolean | null {
  return flow_m3_h === null ? null : isMovingFlow(flow_m3_h, flowLimitOf(null, limits));
}

/** The time for which water has moved untreated, up to the newest of `readings`, newest first. */
export function untreatedFor(
  readings: readonly Pick<Reading, "at_ms" | "values">[],
  limits: ShownLimits,
  operation_type: Value,
): number {
  const told = readings.filter(({ values }) => values[STATE] !== null);
  const [newest] = told;
  let since_ms = newest?.at_ms ?? 0;
  for (const { at_ms, values } of told) {
    const flow = values[FLOW];
    const moves = isMoving(typeof flow === "number" ? flow : null, limits) === true;
    if (!moves || isUntreatedState(values[STATE], operation_type) !== true) break;
    since_ms = at_ms;
  }
  return (newest?.at_ms ?? 0) - since_ms;
}

/**
 * True if a totaliser has risen, since the plant is in a state in which none is treated, by more
 * than standing water explains: the flow isn't the only witness. `readings` are newest first.
 */
export function totaliserRises(
  readings: readonly Pick<Reading, "at_ms" | "values">[],
  limits: ShownLimits,
): boolean {
  const told = readings.filter(({ values }) => values[STATE] !== null);
  const treated = told.findIndex(({ values }) => isUntreatedState(values[STATE], null) !== true);
  const untreated = told.slice(0, treated < 0 ? told.length : treated);
  return TOTALISER_FIELDS.some((tag) => {
    const counted = untreated.filter(({ values }) => typeof values[tag] === "number");
    const [newest, oldest] = [counted.at(0), counted.at(-1)];
    if (newest === undefined || oldest === undefined) return false;
    const passed_ms = newest.at_ms - oldest.at_ms;
    if (passed_ms < UNTREATED_MAX_MS) return false;
    const rise_m3 = Number(newest.values[tag]) - Number(oldest.values[tag]);
    return isMoving((rise_m3 * HOUR_MS) / passed_ms, limits) === true;
  });
}
