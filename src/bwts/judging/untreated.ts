// Finds water that moved without treatment, by the state: all bypassed water, and water in fault or
// in an unknown state; water in warm-up and stopping beyond the time allowed each time; water in
// other states beyond the time allowed in all. Pure.

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
  const { state, moves, may, limits } = readings;
  const inState = (code: number, isMoving: (moves: number) => boolean) =>
    intervalsOf(readings, (index) => state[index] === code && isMoving(moves[index]));
  const moving = (one: number) => one === MOVES;
  const isAtRest = (code: number) => code === REST || (code === CLEANING && !isCleaningDoubted);
  const atRest = (index: number) => isAtRest(state[index]);
  const least = (key: "beyond_seconds" | "warmup_seconds" | "stopping_seconds") =>
    SECOND_MS * Math.min(...limits.map((one) => one.limits[key]));
  const mayMove = (code: number) => (index: number) => state[index] === code && may[index] === 1;
  const atOnce = (
    rule: RuleId,
    certain: readonly Breach[],
    code: number,
  ): readonly NamedIntervals[] => {
    const unsure = certain.length > 0 ? [] : intervalsOf(readings, mayMove(code));
    return coveredBy(unsure) > least("beyond_seconds")
      ? [["untreated_once", unsure]]
      : [[rule, certain]];
  };
  return [
    ...atOnce(
      "bypass",
      inState(BYPASS, (one) => one !== STILL && one !== STANDS),
      BYPASS,
    ),
    ...atOnce("fault", inState(FAULT, moving), FAULT),
    ...eachTime(readings, WARMUP, least("warmup_seconds")),
    ...eachTime(readings, STOPPING, least("stopping_seconds")),
    ...counted(readings, "untreated", atRest, least("beyond_seconds")),
    ["untreated_once", risenGaps(readings)],
    ["unknown_state", inState(UNKNOWN, (one) => one !== STILL)],
  ];
}

/** Each period of a state; its moving water may be in pieces. */
function eachTime(readings: Followed, code: number, allowed_ms: number): readonly NamedIntervals[] {
  const { state, moves, may } = readings;
  const isMoving = (index: number) => moves[index] === MOVES || may[index] === 1;
  if (!state.some((one, index) => one === code && isMoving(index))) return [];
  const times: { first: number; after: number; end_ms: number }[] = [];
  for (const one of intervalsOf(readings, (index) => state[index] === code)) {
    const last = times.at(-1);
    if (last !== undefined && one.start_ms - last.end_ms < SAME_TIME_MINUTES * MINUTE_MS)
      [last.after, last.end_ms] = [one.after, one.end_ms];
    else times.push({ first: one.first, after: one.after, end_ms: one.end_ms });
  }
  return times.flatMap(({ first, after }) =>
    counted(
      readings,
      "warmup_stopping",
      (index) => index >= first && index < after && state[index] === code,
      allowed_ms,
    ),
  );
}

/**
 * Intervals of moving water where `holds` is true, if they exceed the allowed time. With a single
 * reading the result is `cannot_tell`, and also if they exceed it only with water that may have
 * moved.
 */
function counted(
  readings: Followed,
  rule: RuleId,
  holds: (index: number) => boolean,
  allowed_ms: number,
): readonly NamedIntervals[] {
  const { moves, may } = readings;
  const certain = intervalsOf(readings, (index) => holds(index) && moves[index] === MOVES);
  if (coveredBy(certain) > allowed_ms) {
    const count = certain.reduce((sum, one) => sum + one.readings, 0);
    return [[count < BREACH_READINGS ? "untreated_once" : rule, certain]];
  }
  if (!may.includes(1)) return [];
  const unsure = intervalsOf(
    readings,
    (index) => holds(index) && (moves[index] === MOVES || may[index] === 1),
  );
  return coveredBy(unsure) > allowed_ms ? [["untreated_once", unsure]] : [];
}

const coveredBy = (intervals: readonly Breach[]) =>
  intervals.reduce((sum, { covers_ms }) => sum + covers_ms, 0);
