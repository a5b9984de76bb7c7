// The state of a measured value against its limit while water is treated, by the readings' own
// times: it must stay above for some minutes to count, and well below for as long to be over. So
// a single value is no alarm, and one that swings around its limit is told once. A reading without
// the value says nothing, nor does a time without readings.

import { MINUTE_MS } from "../../ground/clock.ts";
import { wordOf } from "../plc-word.ts";
import type { Reading } from "../reading.ts";
import { indexOfTag } from "../tags.ts";
import { isTreating, tellsOperation } from "../treating.ts";

/** A value must be above its limit, or well below it, for this long. */
export const SETTLED_MS = 5 * MINUTE_MS;

/** Well below: at most this share of the limit. */
const WELL_BELOW = 0.95;

/** The ship's limits, units as in the configuration. */
export interface WatchedLimits {
  readonly dp_warn: number;
  readonly flow_max_imo: number;
  readonly flow_max_uscg: number;
}

export const WATCHED = ["filter_dp", "flow"] as const;
export type Watched = (typeof WATCHED)[number];

export type LimitState =
  /** Since `since_ms`; `value` is the newest. */
  | { readonly kind: "above"; readonly value: number; readonly limit: Limit; since_ms: number }
  | { readonly kind: "over"; readonly why: "well below" | "not treating" }
  | { readonly kind: "unclear" };

/** A limit and the key that configures it. */
export interface Limit {
  readonly value: number;
  readonly key: "dp_warn" | "flow_max_imo" | "flow_max_uscg";
}

const DP = indexOfTag("FLT_DIFF_PRESSURE");
const FLOW = indexOfTag("SYS_FLOW_RATE");
const MODE = indexOfTag("COMPLIANCE_MODE");
const OPERATION = indexOfTag("operation_type");
const STATE = indexOfTag("PROCESS_STATE");
const FLUSHING = indexOfTag("FLT_BACKFLUSH_ACTIVE");

/** A reading's value and limit; null where it doesn't say; "not treating" ends what was before. */
type Said = { readonly value: number; readonly limit: Limit } | "not treating" | null;

export interface Judged {
  /** Ascending; the last one is the newest. */
  readonly readings: readonly Reading[];
  /** The type of the operation that runs, as events tell; null if unknown. */
  readonly operation_type: string | null;
  /** Longer without the value is a gap. */
  readonly silence_ms: number;
  readonly limits: WatchedLimits;
}

/** The state of a watched value at the newest reading. */
export function limitState(watched: Watched, judged: Judged): LimitState {
  const readings = withOperation(judged);
  const newest = readings.at(-1);
  if (newest === undefined) return { kind: "unclear" };
  const says = watched === "flow" ? flowOf : filterOf;
  if (says(newest, judged) === "not treating") return { kind: "over", why: "not treating" };
  let side: "above" | "well below" | null = null;
  let first_ms = newest.at_ms;
  let last: { readonly at_ms: number; readonly value: number; readonly limit: Limit } | null = null;
  for (const reading of readings.toReversed()) {
    const said = says(reading, judged);
    if (said === null) continue;
    if (said === "not treating" || first_ms - reading.at_ms > judged.silence_ms) break;
    const at = sideOf(said);
    side ??= at;
    if (at === null || at !== side) break;
    last ??= { at_ms: reading.at_ms, ...said };
    first_ms = reading.at_ms;
  }
  if (side === null || last === null || last.at_ms - first_ms < SETTLED_MS)
    return { kind: "unclear" };
  if (side === "well below") return { kind: "over", why: side };
  return { kind: "above", value: last.value, limit: last.limit, since_ms: first_ms };
}

function sideOf({ value, limit }: { value: number; limit: Limit }): "above" | "well below" | null {
  if (value > limit.value) return "above";
  return value <= WELL_BELOW * limit.value ? "well below" : null;
}

interface ToldReading {
  readonly at_ms: number;
  readonly values: Reading["values"];
  /** Its own values, or those of the reading before that tells of the operation. */
  readonly operation: Reading["values"] | null;
}

/** Lamps may be sent by themselves, with times of their own: the operation goes on meanwhile. */
function withOperation({ readings, silence_ms }: Judged): readonly ToldReading[] {
  let by: Reading | null = null;
  return readings.map((reading) => {
    const { at_ms, values } = reading;
    if (tellsOperation(reading)) by = reading;
    const isKnown = by !== null && at_ms - by.at_ms <= silence_ms;
    return { at_ms, values, operation: isKnown && by !== null ? by.values : null };
  });
}

/** The filter is bypassed on DEBALLAST, and a backflush says nothing of its dirt. */
function filterOf({ values, operation }: ToldReading, { operation_type, limits }: Judged): Said {
  if (operation === null) return null;
  const type = values[OPERATION] ?? operation[OPERATION] ?? operation_type;
  if (!isTreating({ values: operation }, limits) || wordOf(type) === "DEBALLAST")
    return "not treating";
  if (values[FLUSHING] === true || wordOf(operation[STATE]) === "BACKFLUSH") return null;
  const value = values[DP];
  if (typeof value !== "number") return null;
  return { value, limit: { value: limits.dp_warn, key: "dp_warn" } };
}

/** Without a compliance mode the higher limit counts: what is above it is so in either mode. */
function flowOf({ values, operation }: ToldReading, { limits }: Judged): Said {
  if (operation === null) return null;
  if (!isTreating({ values: operation }, limits)) return "not treating";
  const value = values[FLOW];
  const mode = values[MODE] ?? operation[MODE];
  if (typeof value !== "number") return null;
  const imo: Limit = { value: limits.flow_max_imo, key: "flow_max_imo" };
  const uscg: Limit = { value: limits.flow_max_uscg, key: "flow_max_uscg" };
  if (wordOf(mode) === "IMO") return { value, limit: imo };
  if (wordOf(mode) === "USCG") return { value, limit: uscg };
  return { value, limit: uscg.value > imo.value ? uscg : imo };
}
