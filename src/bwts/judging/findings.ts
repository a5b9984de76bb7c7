// Applies the table of rules to the readings of an operation: each finding is an interval in which
// a rule was broken or couldn't be judged. The verdict follows from the findings. Pure.

import type { UsualCadence } from "../operations/judging.ts";
import type { OperationVerdict } from "../operations/operation.ts";
import { RULES, type RuleId, UNTOLD_SHARE } from "../operations/rules.ts";
import { allowedBeyond, beyondLimits, limitsByMode } from "./beyond-limits.ts";
import { type Breach, intervalsOf } from "./breaches.ts";
import { type ContradictedAt, contradictedIntervals } from "./contradicted.ts";
import type { Followed } from "./followed.ts";
import { frozenAt, unconfirmedAt, unlitAt } from "./sensors.ts";
import { trickles } from "./trickle.ts";
import { unsaidAt } from "./unsaid.ts";
import { untoldFacts, untoldReadings } from "./untold.ts";
import { untreatedFindings } from "./untreated.ts";
import { STILL } from "./water.ts";
import { isFlowContradicted } from "./witnesses.ts";

export interface RuleFinding extends Omit<Breach, "first" | "after"> {
  readonly rule: RuleId;
}

/** Inputs of the findings beside the readings. */
interface FindingsContext {
  /** Intervals without data because of clock changes. */
  readonly clock: readonly RuleFinding[];
  readonly contradicted: ContradictedAt | null;
  readonly usualCadence: UsualCadence;
  /**
   * True if it isn't known whether it is a cleaning: the state CIP doesn't show where water goes.
   */
  readonly isCleaningDoubted: boolean;
  /** True if water moved in a silence just before the first reading or just after the last one. */
  readonly isWaterUnseen: boolean;
}

/** Maximum number of intervals per rule; beyond it those nearest to each other are joined. */
const INTERVALS_MAX = 200;

/** Ascending by their starts. */
export function findingsOf(
  readings: Followed,
  { clock, contradicted, usualCadence, isCleaningDoubted, isWaterUnseen }: FindingsContext,
): readonly RuleFinding[] {
  const unsaid = unsaidAt(readings, "UVR_INTENSITY", usualCadence);
  const gaps = untoldReadings(readings).map((gap) => emptyFinding(gap.rule, gap));
  const { treated, start_ms, end_ms } = readings;
  const isJudgedAnd = (marks: Uint8Array) => (index: number) =>
    marks[index] === 1 && treated[index] === 1;
  const limits = limitsByMode(readings.limits);
  const lit = unlitAt(
    readings,
    (index) => limits[readings.set[index]].uv[readings.mode[index]].value,
  );
  const named: readonly (readonly [RuleId, readonly Breach[]])[] = [
    ...beyondLimits(readings, limits, unsaid),
    ...untreatedFindings(readings, isCleaningDoubted),
    ...untoldFacts(readings, unsaid),
    [
      "uv_frozen",
      intervalsOf(readings, isJudgedAnd(frozenAt(readings, "UVR_INTENSITY", readings))),
    ],
    ["flow_frozen", intervalsOf(readings, isJudgedAnd(unconfirmedAt(readings)))],
    ["light_without_lamps", intervalsOf(readings, isJudgedAnd(lit))],
    ["trickle", trickles(readings)],
    ["contradicted", contradictedIntervals(readings, contradicted, allowedBeyond(readings))],
  ];
  const found = [
    ...named.flatMap(([rule, breaches]) =>
      atMost(INTERVALS_MAX, breaches).map(({ first: _, after: __, ...of }) => ({ ...of, rule })),
    ),
    ...clock,
    ...gaps.filter((gap) => !clock.some((one) => isSameTime(one, gap))),
  ];
  if (isWaterUnseen) found.push(emptyFinding("water_unseen", { start_ms, end_ms }));
  if (readings.isTotalDoubted || isFlowContradicted(readings))
    found.push({
      ...emptyFinding("flow_contradicted", { start_ms, end_ms }),
      readings: readings.count,
    });
  const isOutside = found.some((one) => ruleOf(one).verdict === "outside_limits");
  if (readings.count > 0 && !isOutside && !isTreated(readings))
    found.push({ ...emptyFinding("not_treating", { start_ms, end_ms }), readings: readings.count });
  return found.toSorted((one, other) => one.start_ms - other.start_ms);
}

interface FoundTimes {
  readonly start_ms: number;
  readonly end_ms: number;
}

/** A finding without readings. */
export const emptyFinding = (rule: RuleId, { start_ms, end_ms }: FoundTimes): RuleFinding => ({
  ...{ rule, start_ms, end_ms, covers_ms: end_ms - start_ms },
  ...{ readings: 0, worst: null, worst_ms: null, limit: null },
});

const isSameTime = (one: RuleFinding, other: RuleFinding) =>
  one.start_ms <= other.start_ms && one.end_ms >= other.end_ms;

/** True if readings of treated water cover any time. */
function isTreated({ treated, covers_ms, count }: Followed): boolean {
  for (let index = 0; index < count; index += 1)
    if (treated[index] === 1 && covers_ms[index] > 0) return true;
  return false;
}

/** Reduces the breaches to `most`: those with the shortest pauses between them are joined. */
function atMost(most: number, breaches: readonly Breach[]): readonly Breach[] {
  if (breaches.length <= most) return breaches;
  const pauses = breaches.slice(1).map((one, place) => one.start_ms - breaches[place].end_ms);
  const longest = [...pauses.entries()]
    .sort(([, one], [, other]) => other - one)
    .slice(0, most - 1)
    .map(([place]) => place + 1);
  const starts = [0, ...longest].sort((one, other) => one - other);
  return starts.map((start, place) => joined(breaches.slice(start, starts[place + 1])));
}

function joined(all: readonly Breach[]): Breach {
  const [first] = all;
  const { end_ms, after } = all[all.length - 1];
  const beyond = (one: Breach) => Math.abs((one.worst ?? 0) - (one.limit?.value ?? 0));
  const worst = all.reduce((one, other) => (beyond(other) > beyond(one) ? other : one));
  return {
    ...{ ...worst, start_ms: first.start_ms, end_ms, first: first.first, after },
    covers_ms: all.reduce((sum, { covers_ms }) => sum + covers_ms, 0),
    readings: all.reduce((sum, one) => sum + one.readings, 0),
  };
}

const RULE_BY_ID = new Map(RULES.map((rule) => [rule.rule, rule]));

/** The rule of a finding. */
export function ruleOf({ rule }: Pick<RuleFinding, "rule">) {
  const found = RULE_BY_ID.get(rule);
  if (found === undefined) throw new Error(`rule ${rule}: not in the table of rules`);
  return found;
}

/** Rules whose times are added up and compared with the share that may lack data. */
const SHARED: ReadonlySet<RuleId> = new Set([
  ...([
    "no_readings",
    "hidden_readings",
    "no_intensity",
    "no_flow",
    "no_state",
    "no_mode",
  ] as const),
  ...(["uv_frozen", "flow_frozen", "light_without_lamps"] as const),
]);

/** Time of moving water, and its part without data, in ms. */
export interface UntoldTime {
  readonly untold_ms: number;
  readonly of_ms: number;
}

export function untoldTime(readings: Followed, findings: readonly RuleFinding[]): UntoldTime {
  const { moves, covers_ms, count } = readings;
  let of_ms = 0;
  for (let index = 0; index < count; index += 1)
    if (moves[index] !== STILL) of_ms += covers_ms[index];
  for (const { rule, start_ms, end_ms } of findings)
    if (rule === "no_readings" || rule === "hidden_readings") of_ms += end_ms - start_ms;
  return { untold_ms: unionLength(findings.filter(({ rule }) => SHARED.has(rule))), of_ms };
}

/** `outside_limits` with one finding outside; otherwise doubts and missing data decide. */
export function operationVerdict(
  findings: readonly RuleFinding[],
  { untold_ms, of_ms }: UntoldTime,
): OperationVerdict {
  if (findings.some((finding) => ruleOf(finding).verdict === "outside_limits"))
    return "outside_limits";
  if (of_ms === 0 || findings.some(({ rule }) => !SHARED.has(rule))) return "cannot_tell";
  return untold_ms > UNTOLD_SHARE * of_ms ? "cannot_tell" : "within_limits";
}

/** Total length in ms of intervals that may overlap, ascending by their starts. */
function unionLength(intervals: readonly FoundTimes[]): number {
  let length_ms = 0;
  let until_ms = Number.NEGATIVE_INFINITY;
  for (const { start_ms, end_ms } of intervals) {
    length_ms += Math.max(0, end_ms - Math.max(start_ms, until_ms));
    until_ms = Math.max(until_ms, end_ms);
  }
  return length_ms;
}
