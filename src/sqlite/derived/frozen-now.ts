// Detects sensors that are frozen now, by the rule used to judge operations: each value is
// plausible, so only its history can show it. The readings of half an hour and more are read only
// if those of the last minutes are all the same.

import { gathered } from "../../bwts/judging/gathered.ts";
import { frozenAt } from "../../bwts/judging/sensors.ts";
import { indexOfTag } from "../../bwts/tags.ts";
import { WITNESS_DIFFERENCE } from "../../bwts/treating.ts";
import { isUpTo } from "../../ground/binary-noise.ts";
import { HOUR_MS } from "../../ground/clock.ts";
import type { Connection } from "../file/open.ts";
import { BELIEVED_UNDAMAGED, timeline } from "../sealed/timeline.ts";
import type { NewestValues } from "./newest-values.ts";

/** Maximum time of an operation that is searched. */
const BACK_MS = 12 * HOUR_MS;

const LIGHT = indexOfTag("UVR_INTENSITY");
const FLOW = indexOfTag("SYS_FLOW_RATE");
const TOTALISERS = ["SYS_TOTAL_BALLAST_VOL", "SYS_TOTAL_DEBALLAST_VOL"] as const;

/** The frozen sensors of an operation since `since_ms`; null if none runs. */
export function frozenNow(
  db: Connection,
  found: NewestValues,
  since_ms: number | null,
): { readonly light: boolean; readonly flow: boolean } {
  const suspects = { light: isSame(found, LIGHT), flow: isSame(found, FLOW) };
  if (!suspects.light && !suspects.flow) return suspects;
  const start_ms = Math.max(since_ms ?? 0, found.at_ms - BACK_MS);
  const range = { start_ms, end_ms: found.at_ms };
  const readings = gathered(timeline(db, range, BELIEVED_UNDAMAGED));
  const flows = readings.numbers("SYS_FLOW_RATE");
  const light = frozenAt(readings, "UVR_INTENSITY");
  const flow = frozenAt(readings, "SYS_FLOW_RATE");
  const isFlowFrozen = isAtEnd(flow, flows) && !isConfirmed(readings, flow);
  return {
    light: suspects.light && isAtEnd(light, readings.numbers("UVR_INTENSITY")),
    flow: suspects.flow && isFlowFrozen,
  };
}

/** True if all values of the last minutes are the same. */
function isSame({ readings, values }: NewestValues, tag: number): boolean {
  const newest = values[tag];
  if (typeof newest !== "number") return false;
  return readings.every(({ values: then }) => then[tag] === null || then[tag] === newest);
}

/** True if the newest value of a field is marked as frozen. */
function isAtEnd(marks: Uint8Array, values: Float64Array): boolean {
  for (let index = marks.length - 1; index >= 0; index -= 1)
    if (!Number.isNaN(values[index])) return marks[index] === 1;
  return false;
}

/** True if a totaliser confirms the constant flow by its rise. */
function isConfirmed(readings: ReturnType<typeof gathered>, frozen: Uint8Array): boolean {
  const flows = readings.numbers("SYS_FLOW_RATE");
  const first = frozen.findLastIndex((mark, index) => mark === 0 && isKnown(flows[index])) + 1;
  const flow_m3_h = flows.subarray(first).find(isKnown) ?? 0;
  return TOTALISERS.some((field) => {
    const totals = readings.numbers(field).subarray(first, readings.count);
    const [from, to] = [totals.findIndex(isKnown), totals.findLastIndex(isKnown)];
    const hours = (readings.at_ms[first + to] - readings.at_ms[first + from]) / HOUR_MS;
    const rise_m3 = totals[to] - totals[from];
    const moved_m3 = flow_m3_h * hours;
    return rise_m3 > 0 && isUpTo(Math.abs(rise_m3 - moved_m3), WITNESS_DIFFERENCE * moved_m3);
  });
}

const isKnown = (value: number) => !Number.isNaN(value);
