// THE TRUTH TABLE OF THE PRESENT: the verdict on the water treated now, the time for which it may
// go on, whether the operation can be finished, and whether there is nothing to do. One function
// decides all of it, so that no two statements contradict each other. A good verdict needs every
// fact behind it to be sent with the newest readings, plausible, present and steady. Pure, and
// without zod.

import type { DataState } from "../idle-plant.ts";
import { wordOf } from "../plc-word.ts";
import type { Value } from "../reading.ts";
import { indexOfTag } from "../tags.ts";
import {
  isDark,
  isTreatingState,
  isUntreatedState,
  UNTREATED_AT_ONCE,
  UNTREATED_MAX_MS,
} from "../treating.ts";
import {
  FLOW_LACKING,
  type Lacking,
  LIGHT_LACKING,
  lacking,
  type PresentValue,
} from "./lacking.ts";
import { isMoving } from "./moving-water.ts";
import { type Finish, finishOf } from "./operation.ts";
import type { FoundToDo, ToDo, VerdictState } from "./present-words.ts";
import type { ShownLimits } from "./shown-limits.ts";
import {
  type HoursToLimit,
  type IntensityLine,
  type NoTimeReason,
  timeToLimit,
} from "./time-to-limit.ts";
import { flowLimitOf, type LimitMode, limitMode, treatingBy, uvLimitOf } from "./verdict.ts";

export interface PresentFacts {
  /** The newest believed values, by index into `TAGS`; null without a reading. */
  readonly values: readonly Value[] | null;
  readonly light: PresentValue;
  readonly flow: PresentValue;
  readonly data: DataState;
  /** True if all live messages are quarantined. */
  readonly isQuarantining: boolean;
  /** True if hidden readings would be newer than the visible ones. */
  readonly isHidden: boolean;
  /**
   * True if no PLC is connected and readings are overdue: the known values may not be the present.
   */
  readonly isCut: boolean;
  /** True if the newest reading came long after it was sent: newer ones may wait behind it. */
  readonly isLate: boolean;
  /** True if readings come by two clocks: those of one count as past ones. */
  readonly hasTwoClocks: boolean;
  /** False while ballastd's clock can't be right: then the age of a reading isn't known. */
  readonly isClockTrusted: boolean;
  /** True if an operation runs, by events or readings. */
  readonly isRunning: boolean;
  /** Type of that operation, or else of the newest reading. */
  readonly operation_type: Value;
  /** Time for which water has moved in states without treatment; see `untreatedFor`. */
  readonly untreated_ms: number;
  /** True if a totaliser rises while the flow shows no movement; see `totaliserRises`. */
  readonly isRising: boolean;
  /** True if a totaliser contradicts the flow; see `totaliserContradicts`. */
  readonly isContradicted: boolean;
  /**
   * True if the sensor is frozen, by the rule for operations, although each value was plausible.
   */
  readonly isLightFrozen: boolean;
  readonly isFlowFrozen: boolean;
  /** True if a reading of the last minute was outside limits; see `wasOutside`. */
  readonly isUnsteady: boolean;
  readonly limits: ShownLimits;
  /** Line through the UV intensity of the operation; null with too few readings. */
  readonly line: IntensityLine | null;
  /** Rest of the usual volume; null if it isn't known. */
  readonly left_m3: number | null;
  /** The lamps that may fail within this many hours of operation. */
  readonly failing: (hours: number) => readonly number[];
  readonly to_do: readonly FoundToDo[];
}

export interface Present {
  readonly verdict: VerdictState;
  readonly because: readonly Lacking[];
  /** True if water is treated; null if the readings don't show it. */
  readonly treating: boolean | null;
  /** Time to the limit of the mode, then to each limit. */
  readonly to_limit: HoursToLimit | NoTimeReason;
  readonly to_imo: HoursToLimit | NoTimeReason;
  readonly to_uscg: HoursToLimit | NoTimeReason;
  readonly finish: Finish;
  /** The given things to do, and `cannot_finish` if the UV intensity doesn't last. */
  readonly to_do: readonly ToDo[];
  /**
   * True if there is nothing to do: water is treated within limits, or the plant is at rest, and
   * `to_do` is empty.
   */
  readonly tick: boolean;
}

const STATE = indexOfTag("PROCESS_STATE");
const FLOW = indexOfTag("SYS_FLOW_RATE");
const MODE = indexOfTag("COMPLIANCE_MODE");

const AT_REST: ReadonlySet<string> = new Set(["IDLE", "STOPPED", "STANDBY"]);

type Ruling = Pick<Present, "verdict" | "because">;

const plainly = (verdict: VerdictState): Ruling => ({ verdict, because: [] });

/** Derives the whole present from its facts. */
export function presentOf(facts: PresentFacts): Present {
  const { values, limits, light, flow, line, left_m3, failing } = facts;
  const judged = verdictOf(facts);
  const { verdict } = judged;
  const isNow = values !== null && facts.data === "fresh" && !facts.isQuarantining;
  const treating = isNow ? treatingNow(values, facts, limits) : null;
  const mode = values === null ? null : limitMode(values);
  const without = reasonWithout(judged, treating);
  const to = (limit: number | null) =>
    without ?? timeToLimit({ line, limit, light: light.value, isFlushing: isFlushing(values) });
  const to_limit = to(uvLimitOf(mode, limits));
  const asked = { verdict, left_m3, flow_m3_h: flow.value, toLimit: to_limit, failing };
  const finish = finishOf(asked);
  const to_do = [...facts.to_do, ...byLight(verdict, to_limit, finish)];
  return {
    ...{ ...judged, treating, to_limit, to_imo: to(limits.uv_imo), to_uscg: to(limits.uv_uscg) },
    ...{ finish, to_do, tick: to_do.length === 0 && isAllWell(facts, verdict) },
  };
}

/** To do because the light won't last to the end, or has just fallen and that isn't known. */
function byLight(
  verdict: VerdictState,
  to_limit: Present["to_limit"],
  { can_finish, hours_left }: Finish,
): readonly ToDo[] {
  if (verdict !== "within_limit") return [];
  if (can_finish === "no") return ["cannot_finish"];
  return to_limit === "jumped" && hours_left !== null ? ["light_jumped"] : [];
}

/**
 * True if water is treated by the newest values; null if they are missing or contradict each other.
 */
export function treatingNow(
  values: readonly Value[],
  { flow, isRising }: Pick<PresentFacts, "flow" | "isRising">,
  limits: ShownLimits,
): boolean | null {
  const known = treatingBy(values, limits);
  if (known !== true || isMoving(flow.value, limits) !== false) return known;
  return isRising ? null : false;
}

function isFlushing(values: readonly Value[] | null): boolean {
  return values !== null && wordOf(values[STATE]) === "BACKFLUSH";
}

/** The reason why no time to any limit is known; null if one is. */
function reasonWithout({ verdict, because }: Ruling, treating: boolean | null) {
  switch (verdict) {
    case "no_reading":
    case "quarantined":
    case "ahead":
    case "unknown":
      return "unknown";
    case "hidden":
    case "silent":
    case "idle_silent":
      return "old";
    default:
      if (because.includes("clock") || because.includes("light_frozen")) return "unknown";
      return treating === null ? "unknown" : treating ? null : "not_treating";
  }
}

/** Water is treated within limits, or the plant is at rest and no water moves. */
function isAllWell({ values, flow, limits, data, ...facts }: PresentFacts, verdict: VerdictState) {
  if (data !== "fresh" || facts.isUnsteady || doubtsOfNow(facts).length > 0) return false;
  if (verdict === "within_limit") return true;
  const word = values === null ? null : wordOf(values[STATE]);
  const isAtRest = verdict === "not_treating" && word !== null && AT_REST.has(word);
  return isAtRest && isMoving(flow.value, limits) === false;
}

function verdictOf(facts: PresentFacts): Ruling {
  const { values, data, isHidden, isRunning, limits } = facts;
  if (facts.isQuarantining) return plainly("quarantined");
  if (values === null) return plainly(isHidden ? "hidden" : "no_reading");
  const isOld = data === "old" || data === "silent";
  if (isOld && isHidden) return plainly("hidden");
  if (isOld) return plainly(isRunning ? "silent" : "idle_silent");
  if (data !== "fresh") return plainly("ahead");
  if (isTreatingState(values[STATE], values[FLOW], limits)) return treatedVerdict(facts, values);
  return untreatedVerdict(facts, values);
}

/**
 * The verdict while water is treated: outside if a limit is broken, within if every fact needed is
 * known.
 */
function treatedVerdict(
  {
    light,
    flow,
    limits,
    isRising,
    isContradicted,
    isLightFrozen,
    isFlowFrozen,
    isUnsteady,
    ...facts
  }: PresentFacts,
  values: readonly Value[],
): Ruling {
  const mode = limitMode(values);
  // Without a mode, an intensity below both limits is below the one that applies.
  const lowest = uvLimitOf(mode, limits) ?? Math.min(limits.uv_imo, limits.uv_uscg);
  if (light.value !== null && light.value < lowest) return plainly("below_limit");
  if (flow.value !== null && flow.value > flowLimitOf(mode, limits)) return plainly("above_flow");
  const isStill = isMoving(flow.value, limits) === false;
  if (isStill && !isRising) return plainly("no_flow");
  const because: readonly Lacking[] = [
    ...(isDark(values) ? (["light_doubted"] as const) : lacking(light, LIGHT_LACKING)),
    ...(isStill || (isContradicted && flow.value !== null)
      ? (["flow_doubted"] as const)
      : lacking(flow, FLOW_LACKING)),
    ...(isLightFrozen && light.value !== null ? (["light_frozen"] as const) : []),
    ...(isFlowFrozen && flow.value !== null && !isContradicted ? (["flow_frozen"] as const) : []),
    ...lackingMode(mode, wordOf(values[MODE])),
    ...(wordOf(values[STATE]) === null ? (["no_state"] as const) : []),
    ...(isUnsteady ? (["lately_outside"] as const) : []),
    ...doubtsOfNow(facts),
  ];
  return { verdict: because.length === 0 ? "within_limit" : "not_judged", because };
}

/** The reasons why the newest reading may not be the present. */
function doubtsOfNow({
  isClockTrusted,
  hasTwoClocks,
  isLate,
  isCut,
}: Pick<PresentFacts, "isClockTrusted" | "hasTwoClocks" | "isLate" | "isCut">) {
  return [
    ...(isClockTrusted ? [] : (["clock"] as const)),
    ...(hasTwoClocks ? (["two_clocks"] as const) : []),
    ...(isLate ? (["late"] as const) : []),
    ...(isCut ? (["cut"] as const) : []),
  ];
}

function lackingMode(mode: LimitMode | null, word: string | null): readonly Lacking[] {
  if (mode !== null) return [];
  return [word === null || word === "" ? "no_mode" : "odd_mode"];
}

function untreatedVerdict(
  { flow, limits, operation_type, untreated_ms, isRising }: PresentFacts,
  values: readonly Value[],
): Ruling {
  const moves = isMoving(flow.value, limits);
  const word = wordOf(values[STATE]);
  if (word === null) {
    if (moves === false) return plainly("not_treating");
    const ofFlow = flow.doubt === null ? [] : lacking(flow, FLOW_LACKING);
    return { verdict: "unknown", because: ["no_state", ...ofFlow] };
  }
  const isOutside = isUntreatedState(word, operation_type);
  if (isOutside === null) return { verdict: "unknown", because: ["odd_state"] };
  if (moves === true && isOutside) {
    if (UNTREATED_AT_ONCE.has(word) || untreated_ms > UNTREATED_MAX_MS) return plainly("untreated");
    return { verdict: "unknown", because: ["moving"] };
  }
  if (isRising && isOutside) return { verdict: "unknown", because: ["moving"] };
  return plainly(UNTREATED_AT_ONCE.has(word) ? "fault" : "not_treating");
}
