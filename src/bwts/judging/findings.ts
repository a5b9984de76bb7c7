// Applies the table of rules to the readings of an operation: each finding is an interval in which
// a rule was broken, or couldn't be judged. And the verdict that follows from them. Pure.

import { flowLimitOf, uvLimitOf } from "../overview/verdict.ts";
import { type Breach, breachesOf, intervalsOf, isCounted, type LimitAt } from "./breaches.ts";
import { AT_FAULT, BYPASSED, type Followed, MODES, TREATING } from "./followed.ts";
import type { LimitsFrom, UsualCadence } from "../operations/judging.ts";
import type { OperationVerdict } from "../operations/operation.ts";
import { RULES, type RuleId, UNTOLD_SHARE } from "../operations/rules.ts";
import { untoldIntensity, untoldReadings } from "./untold.ts";

export interface RuleFinding extends Omit<Breach, "first" | "last"> {
  readonly rule: RuleId;
}

/** Data beside the readings that findings rest on. */
interface FindingsAround {
  /** The stretches that aren't told because a clock was set. */
  readonly clock: readonly RuleFinding[];
  readonly usualCadence: UsualCadence;
}

/** Ascending by their starts. */
export function findingsOf(
  readings: Followed,
  { clock, usualCadence }: FindingsAround,
): readonly RuleFinding[] {
  const as =
    (rule: RuleId) =>
    (breach: Omit<Breach, "first" | "last">): RuleFinding => ({
      ...breach,
      rule,
    });
  const unsaid = untoldIntensity(readings, usualCadence);
  const limits = limitsByMode(readings.limits);
  const { activity, mode, set } = readings;
  const limitOf = (of: "uv" | "flow") => (index: number) =>
    activity[index] === TREATING ? limits[set[index]][of][mode[index]] : null;
  const uv = breachesOf(readings, {
    ...{ values: readings.numbers("UVR_INTENSITY"), side: "below", limit: limitOf("uv") },
    unsaid: unsaid.unsaid,
  });
  const flow = breachesOf(readings, {
    ...{ values: readings.numbers("SYS_FLOW_RATE"), side: "above", limit: limitOf("flow") },
  });
  const inState = (code: number) => intervalsOf(readings, (index) => activity[index] === code);
  const found = [
    ...uv.filter(isCounted).map(as("uv_below_limit")),
    ...flow.filter(isCounted).map(as("flow_above_certified")),
    ...inState(BYPASSED).map(as("bypass")),
    ...inState(AT_FAULT).filter(isCounted).map(as("fault")),
    ...clock,
    ...untoldReadings(readings).filter((gap) => !clock.some((one) => isSameTime(one, gap))),
    ...unsaid.breaches.map(as("no_intensity")),
    ...untoldModes(readings).map(as("no_mode")),
  ];
  if (readings.count > 0 && !activity.subarray(0, readings.count).some(isWater))
    found.push(as("not_treating")(wholeOf(readings)));
  return found.toSorted((one, other) => one.start_ms - other.start_ms);
}

const isSameTime = (one: RuleFinding, other: RuleFinding) =>
  one.start_ms === other.start_ms && one.end_ms === other.end_ms;

const isWater = (code: number) => code === TREATING || code === BYPASSED || code === AT_FAULT;

const wholeOf = ({ start_ms, end_ms, count }: Followed) => ({
  ...{ start_ms, end_ms, readings: count, worst: null, worst_ms: null, limit: null },
});

/** The limits by mode, as positions in MODES; without a mode the looser one. */
function limitsByMode(
  limits: readonly LimitsFrom[],
): readonly Readonly<Record<"uv" | "flow", readonly LimitAt[]>>[] {
  return limits.map(({ limits: set }) => {
    const { uv_imo, uv_uscg, flow_max_imo, flow_max_uscg } = set;
    const looser = {
      uv: { IMO: uv_imo <= uv_uscg, limit: Math.min(uv_imo, uv_uscg) },
      flow: { IMO: flow_max_imo >= flow_max_uscg, limit: flowLimitOf(null, set) },
    };
    const key = (name: string, isImo: boolean) => `limits.${name}_${isImo ? "imo" : "uscg"}`;
    return {
      uv: MODES.map((mode) => ({
        key: key("uv", mode === null ? looser.uv.IMO : mode === "IMO"),
        value: uvLimitOf(mode, set) ?? looser.uv.limit,
      })),
      flow: MODES.map((mode) => ({
        key: key("flow_max", mode === null ? looser.flow.IMO : mode === "IMO"),
        value: flowLimitOf(mode, set),
      })),
    };
  });
}

/** The intervals without a mode in which a value is within the limit of one mode only. */
function untoldModes(readings: Followed): readonly Breach[] {
  const { activity, mode, set, limits } = readings;
  if (!mode.subarray(0, readings.count).includes(0)) return [];
  const uv = carried(readings, readings.numbers("UVR_INTENSITY"));
  const flow = carried(readings, readings.numbers("SYS_FLOW_RATE"));
  return intervalsOf(readings, (index) => {
    if (activity[index] !== TREATING || mode[index] !== 0) return false;
    const { uv_imo, uv_uscg, flow_max_imo, flow_max_uscg } = limits[set[index]].limits;
    return (
      (uv[index] >= Math.min(uv_imo, uv_uscg) && uv[index] < Math.max(uv_imo, uv_uscg)) ||
      (flow[index] > Math.min(flow_max_imo, flow_max_uscg) &&
        flow[index] <= Math.max(flow_max_imo, flow_max_uscg))
    );
  });
}

/** The last told value at each reading, since the last gap; NaN without one. */
export function carried(
  { count, gap }: Pick<Followed, "count" | "gap">,
  values: Float64Array,
): Float64Array {
  const found = new Float64Array(count);
  let last = Number.NaN;
  for (let index = 0; index < count; index += 1) {
    if (gap[index] === 1) last = Number.NaN;
    if (!Number.isNaN(values[index])) last = values[index];
    found[index] = last;
  }
  return found;
}

const RULE_BY_ID = new Map(RULES.map((rule) => [rule.rule, rule]));

/** The rule of a finding. */
export function ruleOf({ rule }: Pick<RuleFinding, "rule">) {
  const found = RULE_BY_ID.get(rule);
  if (found === undefined) throw new Error(`rule ${rule}: not in the table of rules`);
  return found;
}

/** One outside makes the whole outside; else more than 5 % of its time untold makes cannot tell. */
export function operationVerdict(
  findings: readonly RuleFinding[],
  { start_ms, end_ms }: { readonly start_ms: number; readonly end_ms: number },
): OperationVerdict {
  if (findings.some((finding) => ruleOf(finding).verdict === "outside_limits"))
    return "outside_limits";
  // It isn't known how much is missing.
  if (findings.some(({ rule }) => rule === "clock_stepped")) return "cannot_tell";
  const untold = findings.filter((finding) => ruleOf(finding).verdict === "cannot_tell");
  if (end_ms <= start_ms) return untold.length > 0 ? "cannot_tell" : "within_limits";
  const untold_ms = unionLength(untold);
  return untold_ms > UNTOLD_SHARE * (end_ms - start_ms) ? "cannot_tell" : "within_limits";
}

/** The length of intervals that may overlap, ascending by their starts, ms. */
function unionLength(
  intervals: readonly { readonly start_ms: number; readonly end_ms: number }[],
): number {
  let length_ms = 0;
  let until_ms = Number.NEGATIVE_INFINITY;
  for (const { start_ms, end_ms } of intervals) {
    length_ms += Math.max(0, end_ms - Math.max(start_ms, until_ms));
    until_ms = Math.max(until_ms, end_ms);
  }
  return length_ms;
}
