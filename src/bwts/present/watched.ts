// THE TABLE OF WATCHED VALUES: which field raises which alert, against which limit of the
// configuration, when, and for how long. The job reads it, and so does the manual's table.

import { MINUTE_MS } from "../../ground/clock.ts";
import { lampStatusOf, wordOf } from "../plc-word.ts";
import type { Reading } from "../reading.ts";
import { indexOfLampTag, indexOfTag, LAMP_NUMBERS, type TagName } from "../tags.ts";
import {
  isMovingFlow,
  isTreating,
  isUntreatedState,
  TOTALISER_FIELDS,
  totaliserRises,
  UNTREATED_MAX_MS,
  withState,
} from "../treating.ts";
import type { OwnCode } from "./alert.ts";
import type {
  JudgedReadings,
  Limit,
  LimitPosition,
  LimitRule,
  LimitState,
  ReportedReading,
  WatchedLimits,
} from "./limit-state.ts";

export interface WatchedValue {
  readonly code: OwnCode;
  /** The lamp's number, if there is an alert for each lamp; else "". */
  readonly about: string;
  /** The beginning of the alert's text. */
  readonly name: string;
  readonly parameter: string;
  readonly unit: string | null;
  /** The side of the limit on which the value is out; null without a limit. */
  readonly side: "above" | "below" | null;
  /** Time in which it is watched; the operation's end ends alerts of treatment and filtering. */
  readonly during: During;
  readonly limits: readonly (keyof WatchedLimits)[];
  readonly margin: number;
  readonly rule: LimitRule;
  /** Code of the alert for the same value's further limit, which replaces this one. */
  readonly further: OwnCode | null;
}

/** A watched value, and its state. */
export interface LimitResult
  extends Pick<WatchedValue, "code" | "about" | "name" | "unit" | "side" | "during"> {
  readonly parameter: string | null;
  readonly state: LimitState;
}

type During = "treatment" | "filtering" | "always";

/** Time for which most of the values must be out, or back, to count. */
const SETTLED_MS = 5 * MINUTE_MS;
/**
 * The same for UV intensity: water below the limit isn't treated as certified, so two readings
 * suffice if they are 3 minutes apart.
 */
const SETTLED_UV_MS = 2 * MINUTE_MS;

/** Share of the limit by which a value must be within it to be well within. */
const MARGIN = 0.05;
/**
 * The same for UV intensity, which follows the water: a plant may run just above its limit for
 * hours.
 */
const MARGIN_UV = 0.02;

const MODE = indexOfTag("COMPLIANCE_MODE");
const OPERATION = indexOfTag("operation_type");
const STATE = indexOfTag("PROCESS_STATE");
const FLOW = indexOfTag("SYS_FLOW_RATE");
const FLUSHING = indexOfTag("FLT_BACKFLUSH_ACTIVE");

type LimitRow = Pick<WatchedValue, "code" | "name" | "during" | "limits"> & {
  readonly parameter: TagName;
  readonly unit: string;
  readonly side: "above" | "below";
  readonly settled_ms?: number;
  readonly margin?: number;
  readonly further?: OwnCode;
};

const DP = { name: "the filter's differential pressure", parameter: "FLT_DIFF_PRESSURE" } as const;
const CABINET = { name: "the air in the lamp drive cabinet", parameter: "LDC_AIR_TEMP" } as const;

const LIMITED: readonly LimitRow[] = [
  {
    ...{ code: "UV_BELOW_LIMIT", name: "the UV intensity", parameter: "UVR_INTENSITY" },
    ...{ unit: "W/m2", side: "below", during: "treatment", limits: ["uv_imo", "uv_uscg"] },
    ...{ settled_ms: SETTLED_UV_MS, margin: MARGIN_UV },
  },
  {
    ...{ code: "FLOW_ABOVE_CERTIFIED", name: "the flow", parameter: "SYS_FLOW_RATE" },
    ...{ unit: "m3/h", side: "above", during: "treatment" },
    limits: ["flow_max_imo", "flow_max_uscg"],
  },
  {
    ...{ code: "FILTER_DP_HIGH", ...DP, unit: "bar", side: "above", during: "filtering" },
    ...{ limits: ["dp_warn"], further: "FILTER_DP_ALARM" },
  },
  {
    ...{ code: "FILTER_DP_ALARM", ...DP, unit: "bar", side: "above", during: "filtering" },
    limits: ["dp_alarm"],
  },
  {
    ...{ code: "CABINET_HOT", ...CABINET, unit: "degC", side: "above", during: "treatment" },
    ...{ limits: ["cabinet_warn"], further: "CABINET_TRIP" },
  },
  {
    ...{ code: "CABINET_TRIP", ...CABINET, unit: "degC", side: "above", during: "treatment" },
    limits: ["cabinet_trip"],
  },
  {
    ...{ code: "CIP_DUE", name: "the time since the last cleaning in place" },
    ...{ parameter: "CIP_HOURS_SINCE_LAST", unit: "h", side: "above", during: "always" },
    ...{ limits: ["cip_hours"], settled_ms: 0, margin: 0 },
  },
];

export const WATCHED: readonly WatchedValue[] = [
  ...LIMITED.map(limited),
  untreatedWater(),
  ...LAMP_NUMBERS.map(failedLamp),
];

function limited(row: LimitRow): WatchedValue {
  const { parameter, during, settled_ms = SETTLED_MS, margin = MARGIN, further = null } = row;
  const index = indexOfTag(parameter);
  const says: LimitRule["says"] = (reading, judged) => {
    const doing = doingNow(during, reading, judged);
    if (doing !== "doing") return doing;
    const value = reading.values[index];
    if (typeof value !== "number") return null;
    const limit = limitOf(row, reading, judged.limits);
    return { at: standing(value, limit.value, { ...row, margin }), value, limit };
  };
  return { ...row, about: "", margin, further, rule: { says, settled_ms } };
}

/** The row for water that moves without treatment for longer than a valve takes to close. */
function untreatedWater(): WatchedValue {
  const says = (
    { at_ms, values, operation }: ReportedReading,
    judged: JudgedReadings,
  ): LimitPosition => {
    const { operation_type, limits } = judged;
    const [flow, total] = [values[FLOW], totalisersAtRest(judged)];
    const isTold = typeof flow === "number" || (!total.isFlowSent && isCounted(values));
    if (!isTold || operation === null) return null;
    const type = values[OPERATION] ?? operation[OPERATION] ?? operation_type;
    const isUnseen = isUntreatedState(operation[STATE], type);
    if (isUnseen === null) return null;
    const certified_m3_h = Math.max(limits.flow_max_imo, limits.flow_max_uscg);
    const isFlowing = typeof flow === "number" && isMovingFlow(flow, certified_m3_h);
    const isOut = isUnseen && (isFlowing || at_ms >= total.rising_ms);
    return { at: isOut ? "out" : "well", value: null, limit: null };
  };
  return {
    ...{ code: "WATER_UNTREATED", about: "", parameter: "PROCESS_STATE", unit: null, side: null },
    ...{ name: "water moves in a state in which none is treated", during: "always", limits: [] },
    ...{ margin: 0, further: null, rule: { says, settled_ms: UNTREATED_MAX_MS } },
  };
}

const isCounted = (values: Reading["values"]) =>
  TOTALISER_FIELDS.some((tag) => typeof values[tag] === "number");

interface TotalisersAtRest {
  /** Beginning of the last minutes, if a totaliser rises in them; else infinity. */
  readonly rising_ms: number;
  readonly isFlowSent: boolean;
}

/** Cache of totalisersAtRest, which is called for each of the readings. */
const atRest = new WeakMap<JudgedReadings, TotalisersAtRest>();

function totalisersAtRest(judged: JudgedReadings): TotalisersAtRest {
  const known = atRest.get(judged);
  if (known !== undefined) return known;
  const { readings, limits } = judged;
  const from_ms = (readings.at(-1)?.at_ms ?? 0) - SETTLED_MS;
  const first = readings.findLastIndex(({ at_ms }) => at_ms < from_ms) + 1;
  const rises = totaliserRises(withState(readings.slice(first).reverse()), limits);
  const found = {
    rising_ms: rises ? from_ms : Number.POSITIVE_INFINITY,
    isFlowSent: readings.some(({ values }) => values[FLOW] !== null),
  };
  atRest.set(judged, found);
  return found;
}

/** The row of a failed lamp, which counts at once: the plant has already judged it. */
function failedLamp(number: string, lamp: number): WatchedValue {
  const index = indexOfLampTag(lamp, "STATUS");
  const says = ({ values }: ReportedReading): LimitPosition => {
    const status = lampStatusOf(values[index]);
    // An unknown word says neither that the lamp has failed, nor that it burns again.
    if (status === "unknown") return null;
    return { at: status === "failed" ? "out" : "well", value: null, limit: null };
  };
  return {
    ...{ code: "LAMP_FAILED", about: number, name: `lamp ${lamp + 1} has failed` },
    ...{ parameter: `LAMP_${number}_STATUS`, unit: null, side: null, during: "always" },
    ...{ limits: [], margin: 0, further: null, rule: { says, settled_ms: 0 } },
  };
}

/**
 * "doing" while the operation lasts; "not treating" ends an alert; null if the reading doesn't show
 * it, and for the filter during a backflush.
 */
function doingNow(
  during: During,
  { values, operation }: ReportedReading,
  { operation_type, limits }: JudgedReadings,
): "doing" | "not treating" | null {
  if (during === "always") return "doing";
  if (operation === null) return null;
  const type = wordOf(values[OPERATION] ?? operation[OPERATION] ?? operation_type);
  if (!isTreating({ values: operation }, limits)) return "not treating";
  // A cleaning moves water of its own; an operation that treats water is no cleaning, whatever its
  // type.
  const flow = values[FLOW] ?? operation[FLOW];
  const isTreated =
    wordOf(operation[STATE]) !== null && isMovingFlow(Number(flow), limits.flow_max_imo);
  if (type === "CIP" && !isTreated) return "not treating";
  if (during === "treatment") return "doing";
  // The filter is bypassed on DEBALLAST; during a backflush its differential pressure doesn't show
  // its dirt.
  if (type === "DEBALLAST") return "not treating";
  const isFlushing = values[FLUSHING] === true || wordOf(operation[STATE]) === "BACKFLUSH";
  return isFlushing ? null : "doing";
}

/** The mode's limit; without a mode the looser one, which is then broken in either mode. */
function limitOf(
  { limits: keys, side }: LimitRow,
  { values, operation }: ReportedReading,
  limits: WatchedLimits,
): Limit {
  const mode = wordOf(values[MODE] ?? operation?.[MODE] ?? null);
  const known = keys.map((key) => ({ value: limits[key], key: `limits.${key}` }));
  const ofMode = known.find(({ key }) => mode !== null && key.endsWith(`_${mode.toLowerCase()}`));
  const order = side === "above" ? -1 : 1;
  const [loosest] = known.toSorted((one, other) => order * (one.value - other.value));
  return ofMode ?? loosest;
}

function standing(
  value: number,
  limit: number,
  { side, margin }: Pick<LimitRow, "side"> & { readonly margin: number },
): "out" | "well" | "between" {
  const beyond = side === "above" ? value - limit : limit - value;
  if (beyond > 0) return "out";
  return -beyond >= margin * Math.abs(limit) ? "well" : "between";
}
