// The state of a watched value against its limit, by the readings' own times. A value counts as out
// of its limit after some minutes, and as back after as long well within it. So a single value
// raises no alert, and one that swings around its limit raises one. Readings without the value, and
// times without readings, change nothing.

import type { Reading } from "../reading.ts";
import { indexOfTag } from "../tags.ts";
import { tellsOperation } from "../treating.ts";

const STATE = indexOfTag("PROCESS_STATE");

/** The ship's limits that values are watched against, units as in the configuration. */
export interface WatchedLimits {
  readonly uv_imo: number;
  readonly uv_uscg: number;
  readonly flow_max_imo: number;
  readonly flow_max_uscg: number;
  readonly dp_warn: number;
  readonly dp_alarm: number;
  readonly cabinet_warn: number;
  readonly cabinet_trip: number;
  readonly cip_hours: number;
}

/** A limit and the key that configures it. */
export interface Limit {
  readonly value: number;
  readonly key: string;
}

/**
 * A reading's value against its limit: `out`, `well` within, or `between`. Null if the reading
 * lacks it; "not treating" ends the state before.
 */
export type LimitPosition =
  | { readonly at: "out" | "well" | "between"; readonly value: number | null; limit: Limit | null }
  | "not treating"
  | null;

export interface ReportedReading {
  readonly at_ms: number;
  readonly values: Reading["values"];
  /**
   * The reading's own values, or those of the reading before that shows the operation; null if that
   * is too old.
   */
  readonly operation: Reading["values"] | null;
}

export interface JudgedReadings {
  /** The readings, ascending in time. */
  readonly readings: readonly Reading[];
  /** Type of the running operation, by events; null if unknown. */
  readonly operation_type: string | null;
  /** Time without the value above which there is a gap. */
  readonly silence_ms: number;
  readonly limits: WatchedLimits;
}

/** The rule for a value: its state in a reading, and the time for which a state must last. */
export interface LimitRule {
  readonly says: (reading: ReportedReading, judged: JudgedReadings) => LimitPosition;
  readonly settled_ms: number;
}

export type LimitState =
  /** Out of its limit since `since_ms`; `value` is the newest value. */
  | {
      readonly kind: "out";
      readonly value: number | null;
      readonly limit: Limit | null;
      readonly since_ms: number;
    }
  | {
      readonly kind: "over";
      readonly why: "well within" | "not treating" | "beyond the further limit";
    }
  | { readonly kind: "unclear" };

/** The state at the newest reading. */
export function limitState({ says, settled_ms }: LimitRule, judged: JudgedReadings): LimitState {
  const readings = withOperation(judged);
  const newest = readings.at(-1);
  if (newest === undefined) return { kind: "unclear" };
  if (says(newest, judged) === "not treating") return { kind: "over", why: "not treating" };
  let side: "out" | "well" | null = null;
  let first_ms = newest.at_ms;
  let last: { readonly at_ms: number; readonly value: number | null; limit: Limit | null } | null =
    null;
  for (const reading of readings.toReversed()) {
    const said = says(reading, judged);
    if (said === null) continue;
    if (said === "not treating" || first_ms - reading.at_ms > judged.silence_ms) break;
    const { at, ...found } = said;
    if (at === "between") break;
    side ??= at;
    if (at !== side) break;
    last ??= { at_ms: reading.at_ms, ...found };
    first_ms = reading.at_ms;
  }
  if (side === null || last === null) return { kind: "unclear" };
  if (last.at_ms - first_ms < settled_ms) return swinging({ says, settled_ms }, judged, readings);
  if (side === "well") return { kind: "over", why: "well within" };
  return { kind: "out", value: last.value, limit: last.limit, since_ms: first_ms };
}

/**
 * The state of a value that swings around its limit: it is out if its times out of the limit add up
 * to `settled_ms` within twice that time. The time between two readings is divided equally between
 * them.
 */
function swinging(
  { says, settled_ms }: LimitRule,
  judged: JudgedReadings,
  readings: readonly ReportedReading[],
): LimitState {
  const from_ms = (readings.at(-1)?.at_ms ?? 0) - 2 * settled_ms;
  const all = readings.flatMap((reading) => {
    const said = reading.at_ms < from_ms ? null : says(reading, judged);
    return said === null ? [] : [{ at_ms: reading.at_ms, said }];
  });
  const out = all.flatMap(({ at_ms, said }, index) => {
    if (said === "not treating" || said.at !== "out") return [];
    const before_ms = all[index - 1]?.at_ms ?? at_ms;
    const after_ms = all[index + 1]?.at_ms ?? at_ms;
    return [{ at_ms, value: said.value, limit: said.limit, covers_ms: (after_ms - before_ms) / 2 }];
  });
  const out_ms = out.reduce((sum, { covers_ms }) => sum + covers_ms, 0);
  const last = out.at(-1);
  // A single value raises no alert, however long the time to the next reading.
  if (last === undefined || out.length < OUT_MIN || out_ms < settled_ms) return { kind: "unclear" };
  return { kind: "out", value: last.value, limit: last.limit, since_ms: out[0].at_ms };
}

const OUT_MIN = 2;

/**
 * Each reading with the values of its operation. Lamps may be sent alone, with times of their own,
 * and a state only on change, while the flow is sent without it: the operation continues in both
 * cases.
 */
function withOperation({ readings, silence_ms }: JudgedReadings): readonly ReportedReading[] {
  let by: Reading | null = null;
  let state: Reading | null = null;
  return readings.map((reading) => {
    const { at_ms, values } = reading;
    if (tellsOperation(reading)) by = reading;
    if (values[STATE] !== null) state = reading;
    if (by === null || at_ms - by.at_ms > silence_ms) return { at_ms, values, operation: null };
    const isHeld = state !== null && at_ms - state.at_ms <= silence_ms;
    const operation =
      isHeld && by.values[STATE] === null
        ? by.values.with(STATE, state?.values[STATE] ?? null)
        : by.values;
    return { at_ms, values, operation };
  });
}
