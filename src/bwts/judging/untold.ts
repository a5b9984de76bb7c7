// Finds what readings don't tell of an operation: stretches without a reading, stretches that a
// void hides, and stretches in which water was treated and no reading told the intensity. A silence
// in which the plant can only have rested or warmed up isn't untold. Pure.

import { ACTIVITIES, type Activity } from "../operations/activity.ts";
import { type Breach, intervalsOf } from "./breaches.ts";
import { gapsBefore, isGap } from "./cadence.ts";
import type { RuleFinding } from "./findings.ts";
import { type Followed, TREATING } from "./followed.ts";
import type { UsualCadence } from "../operations/judging.ts";

/** Phases of an operation, in their order. */
type WaterPhase = "rest" | "warmup" | "water" | "stopping";

const PHASES: Readonly<Record<Activity, WaterPhase>> = {
  idle: "rest",
  halted: "rest",
  cleaning: "rest",
  warmup: "warmup",
  treating: "water",
  bypass: "water",
  fault: "water",
  stopping: "stopping",
};

/** The phases that may follow without water in between. */
const DRY: Readonly<Record<WaterPhase, readonly WaterPhase[]>> = {
  rest: ["rest", "warmup"],
  warmup: ["warmup"],
  water: [],
  stopping: ["stopping", "rest", "warmup"],
};

/** The gaps in which water may have been treated, with their edges. */
export function untoldReadings(readings: Followed): readonly RuleFinding[] {
  const { count, at_ms, gap, hiddenGap, activity, start_ms, end_ms } = readings;
  const phaseAt = (index: number): WaterPhase =>
    index < 0 || index >= count ? "rest" : PHASES[ACTIVITIES[activity[index]]];
  const found: RuleFinding[] = [];
  const add = (after: number, isHidden: boolean) => {
    if (count > 0 && DRY[phaseAt(after - 1)].includes(phaseAt(after))) return;
    found.push({
      rule: isHidden ? "hidden_readings" : "no_readings",
      start_ms: after === 0 ? start_ms : at_ms[after - 1],
      end_ms: after === count ? end_ms : at_ms[after],
      ...{ readings: 0, worst: null, worst_ms: null, limit: null },
    });
  };
  if (readings.gapAtStart) add(0, readings.hiddenAtStart);
  for (let index = 1; index < count; index += 1)
    if (gap[index] === 1) add(index, hiddenGap[index] === 1);
  if (readings.gapAtEnd && count > 0) add(count, readings.hiddenAtEnd);
  return found;
}

export interface UntoldIntensity {
  /** Entry i is 1 if a reading of a gap in the intensity, or the one that ends it. */
  readonly unsaid: Uint8Array;
  /** The intervals of such readings in which water was treated. */
  readonly breaches: readonly Breach[];
}

/** The gaps of the readings that tell the intensity; a plant may send it less often than others. */
export function untoldIntensity(readings: Followed, usualCadence: UsualCadence): UntoldIntensity {
  const { count, activity } = readings;
  const values = readings.numbers("UVR_INTENSITY");
  const unsaid = new Uint8Array(count);
  if (!values.subarray(0, count).some(Number.isNaN)) return { unsaid, breaches: [] };
  const positions: number[] = [];
  for (let index = 0; index < count; index += 1)
    if (!Number.isNaN(values[index])) positions.push(index);
  const times = {
    at_ms: Float64Array.from(positions, (index) => readings.at_ms[index]),
    count: positions.length,
  };
  const mark = (from: number, to: number) => unsaid.fill(1, from, to + 1);
  const gaps = gapsBefore(times, usualCadence);
  for (let index = 1; index < positions.length; index += 1)
    if (gaps[index] === 1) mark(positions[index - 1] + 1, positions[index]);
  const first = positions.at(0) ?? count;
  const last = positions.at(-1) ?? count;
  const edge = (before: number, distance_ms: number) =>
    isGap(times, { before, after: before + 1, distance_ms }, usualCadence);
  if (first === count) mark(0, count - 1);
  else {
    if (edge(-1, times.at_ms[0] - readings.at_ms[0])) mark(0, first);
    if (edge(times.count - 1, readings.at_ms[count - 1] - readings.at_ms[last]))
      mark(last + 1, count - 1);
  }
  const isUnsaid = (index: number) =>
    unsaid[index] === 1 && Number.isNaN(values[index]) && activity[index] === TREATING;
  return { unsaid, breaches: intervalsOf(readings, isUnsaid) };
}
