// Checks that the newest reading's good state also held in the last minutes: that no reading just
// before it was outside limits, that no untreated water moved, and that the totaliser agrees with
// the flow. A single good reading between bad ones proves nothing. Pure, and without zod.

import { isAbove } from "../../ground/binary-noise.ts";
import { HOUR_MS, MINUTE_MS } from "../../ground/clock.ts";
import type { Reading, Value } from "../reading.ts";
import { indexOfTag } from "../tags.ts";
import {
  type HeldState,
  isMovingFlow,
  isTreatingState,
  isUntreatedState,
  MOVING_SHARE,
  TOTALISER_FIELDS,
  type TotaliserRise,
  totaliserRise,
  WITNESS_DIFFERENCE,
} from "../treating.ts";
import { totaliserOf } from "./operation.ts";
import type { ShownLimits } from "./shown-limits.ts";
import { flowLimitOf, limitMode, uvLimitOf } from "./verdict.ts";

const FLOW = indexOfTag("SYS_FLOW_RATE");
const INTENSITY = indexOfTag("UVR_INTENSITY");

/** Time before the newest reading for which its state must have held. */
const HOLDS_MS = MINUTE_MS;
/** Minimum time over which flow and totaliser are compared. */
const COMPARED_MS = 2 * MINUTE_MS;
/** Minimum time after which a totaliser that doesn't rise counts as standing still. */
const STANDING_MS = 10 * MINUTE_MS;

/** Readings, newest first, without values that aren't believed. */
type Readings = readonly Pick<Reading, "at_ms" | "values">[];

const numberAt = (values: readonly Value[], tag: number): number | null => {
  const value = values[tag];
  return typeof value === "number" ? value : null;
};

/**
 * True if a reading of the last minute was outside limits, or untreated water moved in that minute;
 * `readings` are newest first.
 */
export function wasOutside(
  readings: readonly HeldState[],
  limits: ShownLimits,
  operation_type: Value,
): boolean {
  const [newest] = readings;
  if (newest === undefined) return false;
  // A heartbeat between two readings has no mode.
  const mode = readings.map(({ values }) => limitMode(values)).find((one) => one !== null) ?? null;
  const lowest = uvLimitOf(mode, limits) ?? Math.min(limits.uv_imo, limits.uv_uscg);
  const highest = flowLimitOf(mode, limits);
  const certified_m3_h = flowLimitOf(null, limits);
  const lately = readings.filter(({ at_ms }) => newest.at_ms - at_ms < HOLDS_MS);
  const isUntreated = ({ state }: HeldState) => isUntreatedState(state, operation_type) === true;
  const isOutside = lately.some((reading) => {
    const { values, state } = reading;
    const [light, flow] = [numberAt(values, INTENSITY), numberAt(values, FLOW)];
    if (isTreatingState(state, flow, limits))
      return (light !== null && light < lowest) || (flow !== null && flow > highest);
    return flow !== null && isMovingFlow(flow, certified_m3_h) && isUntreated(reading);
  });
  const treated = lately.findIndex((reading) => !isUntreated(reading));
  const atRest = lately.slice(0, treated < 0 ? lately.length : treated);
  // The rise is divided by the whole minute, so that its first seconds count as well.
  const hasRisen = (tag: number) => {
    const rise_m3 = totaliserRise(atRest, tag)?.rise_m3 ?? 0;
    return isMovingFlow((rise_m3 * HOUR_MS) / HOLDS_MS, certified_m3_h);
  };
  return isOutside || TOTALISER_FIELDS.some(hasRisen);
}

/**
 * True if a totaliser's rise differs from the flow's volume by more than its own steps, or the
 * totaliser of the operation's type stands still for minutes while water moves by the flow.
 */
export function totaliserContradicts(
  readings: Readings,
  limits: ShownLimits,
  operation_type: Value,
): boolean {
  const flows = readings.filter(({ values }) => numberAt(values, FLOW) !== null);
  const [newest, oldest] = [flows.at(0), flows.at(-1)];
  if (newest === undefined || oldest === undefined) return false;
  const within = readings.filter(({ at_ms }) => at_ms >= oldest.at_ms && at_ms <= newest.at_ms);
  return TOTALISER_FIELDS.some((tag) => {
    const rise = totaliserRise(within, tag);
    if (rise === null) return false;
    if (rise.rise_m3 < 0) return tag === totaliserOf(operation_type) && runsBack(within, tag);
    const { start_ms, end_ms, rise_m3 } = rise;
    const isStanding = rise_m3 === 0;
    if (isStanding && tag !== totaliserOf(operation_type)) return false;
    if (end_ms - start_ms < (isStanding ? STANDING_MS : COMPARED_MS)) return false;
    const totals = within.flatMap(({ values }) => numberAt(values, tag) ?? []);
    const step_m3 = isStanding ? stepOf(totals[0] ?? null) : rise.step_m3;
    const flow_m3 = flowVolume(flows, rise);
    const still_m3 = (MOVING_SHARE * flowLimitOf(null, limits) * (end_ms - start_ms)) / HOUR_MS;
    const most_m3 = Math.max(still_m3, WITNESS_DIFFERENCE * Math.max(rise_m3, flow_m3)) + step_m3;
    return isAbove(Math.abs(rise_m3 - flow_m3), most_m3);
  });
}

/** True if a totaliser falls repeatedly: one that was reset falls once. */
function runsBack(readings: Readings, tag: number): boolean {
  const totals = readings.flatMap(({ values }) => numberAt(values, tag) ?? []);
  return totals.filter((total, index) => index > 0 && total > totals[index - 1]).length > 1;
}

/** Largest step in which a totaliser counts, m3. */
const STEP_MAX_M3 = 100;

/**
 * The largest step in which a totaliser may count, judged by its value: 140,200 may count in steps
 * of 100 m3. Infinity (no step is known) for 0, which an unconnected totaliser sends too.
 */
function stepOf(total_m3: number | null): number {
  if (total_m3 === null || total_m3 === 0) return Number.POSITIVE_INFINITY;
  let step_m3 = 1;
  while (step_m3 < STEP_MAX_M3 && total_m3 % (step_m3 * 10) === 0) step_m3 *= 10;
  return step_m3;
}

/** The flow's volume between two instants, by trapezoids; `flows` are newest first. */
function flowVolume(
  flows: Readings,
  { start_ms, end_ms }: Pick<TotaliserRise, "start_ms" | "end_ms">,
): number {
  let volume_m3 = 0;
  for (let index = 1; index < flows.length; index += 1) {
    const [after, before] = [flows[index - 1], flows[index]];
    const from_ms = Math.max(before.at_ms, start_ms);
    const to_ms = Math.min(after.at_ms, end_ms);
    if (to_ms <= from_ms) continue;
    const flow = (numberAt(before.values, FLOW) ?? 0) + (numberAt(after.values, FLOW) ?? 0);
    volume_m3 += ((flow / 2) * (to_ms - from_ms)) / HOUR_MS;
  }
  return volume_m3;
}
