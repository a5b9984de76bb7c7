// An operation's readings with what they leave unsaid: a reading without a state, a mode or a flow
// leaves it as the one before told. Adds the limits in force at each, and the gaps before it. Pure.

import { type LimitMode, modeNamed } from "../overview/verdict.ts";
import { asText, type Value } from "../reading.ts";
import { ACTIVITIES, type Activity, activityOf } from "../operations/activity.ts";
import { isGap } from "./cadence.ts";
import { type GatheredReadings, picked } from "./gathered.ts";
import type { JudgedAround, LimitsFrom, UsualCadence } from "../operations/judging.ts";

/** All readings of an operation, and which of them aren't looked at. */
export interface SeenReadings {
  readonly all: GatheredReadings;
  /** 1: hidden. */
  readonly isHidden: Uint8Array;
  /** Entry i is 1 for a gap between reading i - 1 and i, hidden or not. */
  readonly gaps: Uint8Array;
  readonly start_ms: number;
  /** The last reading while it runs. */
  readonly end_ms: number;
  readonly isRunning: boolean;
}

/** `activity` is a position in ACTIVITIES, `mode` one in MODES. */
export interface Followed extends GatheredReadings {
  readonly activity: Uint8Array;
  readonly mode: Uint8Array;
  /** The position of the limits in force in `limits`. */
  readonly set: Uint16Array;
  readonly limits: readonly LimitsFrom[];
  /** Entry i is 1 for a gap between reading i - 1 and i: no readings, or hidden ones. */
  readonly gap: Uint8Array;
  /** Entry i is 1 if a void hides readings between reading i - 1 and i. */
  readonly hiddenGap: Uint8Array;
  readonly start_ms: number;
  readonly end_ms: number;
  /** True for a gap from the start to the first reading, and from the last one to the end. */
  readonly gapAtStart: boolean;
  readonly gapAtEnd: boolean;
  readonly hiddenAtStart: boolean;
  readonly hiddenAtEnd: boolean;
}

export const MODES: readonly (LimitMode | null)[] = [null, "IMO", "USCG"];

const codeOf = (activity: Activity) => ACTIVITIES.indexOf(activity);
export const TREATING = codeOf("treating");
export const BYPASSED = codeOf("bypass");
export const AT_FAULT = codeOf("fault");

/** The readings that aren't hidden, followed from the start to the end. */
export function followed(seen: SeenReadings, { limits, usualCadence }: JudgedAround): Followed {
  const { all, isHidden, start_ms, end_ms } = seen;
  const readings = picked(
    all,
    isHidden.map((hidden) => 1 - hidden),
  );
  const inForce = limitsIn(limits, seen);
  const set = limitSets(readings, inForce);
  return {
    ...readings,
    ...{ start_ms, end_ms, set, limits: inForce },
    ...{ activity: activities(readings, set, inForce), mode: modes(readings) },
    ...gapsOf(seen, readings.count, usualCadence),
  };
}

/** The limits in force from the start to the end; those before count if none is. */
function limitsIn(
  limits: readonly LimitsFrom[],
  { start_ms, end_ms }: SeenReadings,
): readonly LimitsFrom[] {
  return limits.filter(({ from_ms }, index) => {
    const next_ms = limits[index + 1]?.from_ms ?? Number.POSITIVE_INFINITY;
    return next_ms > start_ms && (index === 0 || from_ms <= end_ms);
  });
}

/** A gap of all readings, or hidden ones, before each that isn't hidden. */
function gapsOf(seen: SeenReadings, count: number, usualCadence: UsualCadence) {
  const { all, isHidden, gaps, isRunning } = seen;
  const [gap, hiddenGap] = [new Uint8Array(count), new Uint8Array(count)];
  const edges = edgeGaps(seen, usualCadence);
  let at = 0;
  let [isGapNow, isHiddenNow] = [0, 0];
  for (let index = 0; index < all.count; index += 1) {
    isGapNow |= gaps[index];
    if (isHidden[index] === 1) {
      isHiddenNow = 1;
      continue;
    }
    if (at > 0) [gap[at], hiddenGap[at]] = [isGapNow | isHiddenNow, isHiddenNow];
    at += 1;
    [isGapNow, isHiddenNow] = [0, 0];
  }
  const hiddenAtStart = all.count > 0 && isHidden[0] === 1;
  const hiddenAtEnd = all.count > 0 && isHidden[all.count - 1] === 1;
  return {
    ...{ gap, hiddenGap, hiddenAtStart, hiddenAtEnd },
    gapAtStart: edges.atStart || hiddenAtStart,
    gapAtEnd: (edges.atEnd && !isRunning) || hiddenAtEnd,
  };
}

/** True for gaps from the start to the first reading, and from the last to the end. */
export function edgeGaps({ all, start_ms, end_ms }: SeenReadings, usualCadence: UsualCadence) {
  const { count, at_ms } = all;
  if (count === 0) return { atStart: true, atEnd: false };
  const atStart = { before: -1, after: 0, distance_ms: at_ms[0] - start_ms };
  const atEnd = { before: count - 1, after: count, distance_ms: end_ms - at_ms[count - 1] };
  return { atStart: isGap(all, atStart, usualCadence), atEnd: isGap(all, atEnd, usualCadence) };
}

/** The activity at each reading. */
function activities(
  readings: GatheredReadings,
  set: Uint16Array,
  limits: readonly LimitsFrom[],
): Uint8Array {
  const found = new Uint8Array(readings.count);
  const [states, flows] = [readings.words("PROCESS_STATE"), readings.numbers("SYS_FLOW_RATE")];
  let [code, flow, now]: [number, number | null, number] = [0, null, 0];
  let state: Value = null;
  let before = -1;
  for (let index = 0; index < readings.count; index += 1) {
    const isTold = !Number.isNaN(flows[index]);
    if (isTold) flow = flows[index];
    if (states[index] !== 0) code = states[index];
    // In most readings nothing that decides it has changed.
    if (code !== before || now !== TREATING || code === 0) {
      state = readings.told[code];
      now = codeOf(activityOf(state, flow, limits[set[index]].limits));
    }
    before = code;
    found[index] = now;
  }
  return found;
}

/** The mode at each reading. */
function modes(readings: GatheredReadings): Uint8Array {
  const ofWord = readings.told.map((word) => MODES.indexOf(modeNamed(word)));
  const words = readings.words("COMPLIANCE_MODE");
  const found = new Uint8Array(readings.count);
  let now = 0;
  for (let index = 0; index < readings.count; index += 1) {
    if (words[index] !== 0) now = ofWord[words[index]];
    found[index] = now;
  }
  return found;
}

/** The position of the limits in force at each reading. */
function limitSets(readings: GatheredReadings, limits: readonly LimitsFrom[]): Uint16Array {
  const found = new Uint16Array(readings.count);
  let now = 0;
  for (let index = 0; index < readings.count; index += 1) {
    while (now + 1 < limits.length && limits[now + 1].from_ms <= readings.at_ms[index]) now += 1;
    found[index] = now;
  }
  return found;
}

/** The first text that a reading tells of a field; null for none. */
export function firstTold(
  readings: GatheredReadings,
  field: "operation_type" | "location",
): string | null {
  const words = readings.words(field);
  for (let index = 0; index < readings.count; index += 1)
    if (words[index] !== 0) return asText(readings.told[words[index]]);
  return null;
}
