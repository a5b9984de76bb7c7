// Finds water that moved while the treatment system treated none, by its state: bypassed, in fault
// and by an unknown word at once, in warm-up and stopping for longer than allowed each time, else
// in all. Pure.

import { MINUTE_MS, SECOND_MS } from "../../ground/clock.ts";
import { BREACH_READINGS, type RuleId, SAME_TIME_MINUTES } from "../operations/rules.ts";
import { type Breach, intervalsOf } from "./breaches.ts";
import type { Followed } from "./followed.ts";
import { type NamedIntervals, risenGaps } from "./untold.ts";
import { MOVES, STANDS, STILL, stateCode } from "./water.ts";

const [BYPASS, FAULT, REST, CLEANING, UNKNOWN, WARMUP, STOPPING] = (
  ["bypass", "fault", "rest", "cleaning", "unknown", "warmup", "stopping"] as const
).map(stateCode);

export function untreatedFindings(
  readings: Followed,
  isCleaningDoubted: boolean,
): readonly NamedIntervals[] {
  const { state, moves, limits } = readings;
  const inState = (code: number, isMoving: (moves: number) => boolean) =>
    intervalsOf(readings, (index) => state[index] === code && isMoving(moves[index]));
  const moving = (one: number) => one === MOVES;
  const isAtRest = (code: number) => code === REST || (code === CLEANING && !isCleaningDoubted);
  const atRest = intervalsOf(readings, (index) => isAtRest(state[index]) && moving(moves[index]));
  const least = (key: "beyond_seconds" | "warmup_seconds" | "stopping_seconds") =>
    SECOND_MS * Math.min(...limits.map((one) => one.limits[key]));
  return [
    ["bypass", inState(BYPASS, (one) => one !== STILL && one !== STANDS)],
    ["fault", inState(FAULT, moving)],
    ...eachTime(readings, WARMUP, least("warmup_seconds")),
    ...eachTime(readings, STOPPING, least("stopping_seconds")),
    ...counted("untreated", atRest, least("beyond_seconds")),
    ["untreated_once", risenGaps(readings)],
    ["unknown_state", inState(UNKNOWN, (one) => one !== STILL)],
  ];
}

/** Each time of a state by itself. Its moving water may be in pieces. */
function eachTime(readings: Followed, code: number, allowed_ms: number): readonly NamedIntervals[] {
  const { state, moves } = readings;
  const moving = intervalsOf(readings, (index) => state[index] === code && moves[index] === MOVES);
  if (moving.length === 0) return [];
  const times: { first: number; after: number; end_ms: number }[] = [];
  for (const one of intervalsOf(readings, (index) => state[index] === code)) {
    const last = times.at(-1);
    if (last !== undefined && one.start_ms - last.end_ms < SAME_TIME_MINUTES * MINUTE_MS)
      [last.after, last.end_ms] = [one.after, one.end_ms];
    else times.push({ first: one.first, after: one.after, end_ms: one.end_ms });
  }
  return times.flatMap(({ first, after }) => {
    const own = moving.filter((one) => one.first >= first && one.after <= after);
    return counted("warmup_stopping", own, allowed_ms);
  });
}

/** The intervals if they are more than is allowed; by a single reading it is `cannot_tell`. */
function counted(
  rule: RuleId,
  intervals: readonly Breach[],
  allowed_ms: number,
): readonly NamedIntervals[] {
  if (coveredBy(intervals) <= allowed_ms) return [];
  const readings = intervals.reduce((sum, one) => sum + one.readings, 0);
  return [[readings < BREACH_READINGS ? "untreated_once" : rule, intervals]];
}

const coveredBy = (intervals: readonly Breach[]) =>
  intervals.reduce((sum, { covers_ms }) => sum + covers_ms, 0);
