// The volume of an operation: by the plant's totaliser if it is sent and never falls, else by the
// flow integrated over time. And the answer to "can I finish?", from the usual volume, the present
// flow, the time to the limit and the lamps' forecasts. Pure, and without zod.

import { HOUR_MS } from "../../ground/clock.ts";
import { wordOf } from "../plc-word.ts";
import type { Value } from "../reading.ts";
import { indexOfTag } from "../tags.ts";
import type { FINISH_WORDS, VerdictState } from "./present-words.ts";
import type { HoursToLimit, NoTimeReason } from "./time-to-limit.ts";

export const VOLUME_SOURCES = ["totaliser", "flow"] as const;

export interface Volume {
  readonly volume_m3: number;
  readonly by: (typeof VOLUME_SOURCES)[number];
}

/** The fields of a reading that a volume is computed from. */
export interface VolumePoint {
  readonly at_ms: number;
  readonly total_m3: number | null;
  readonly flow_m3_h: number | null;
}

const BALLAST_TOTAL = indexOfTag("SYS_TOTAL_BALLAST_VOL");
const DEBALLAST_TOTAL = indexOfTag("SYS_TOTAL_DEBALLAST_VOL");

/** The totaliser for a type of operation, as an index into `TAGS`; null if it has none. */
export function totaliserOf(operation_type: Value): number | null {
  const type = wordOf(operation_type);
  if (type === "BALLAST") return BALLAST_TOTAL;
  return type === "DEBALLAST" ? DEBALLAST_TOTAL : null;
}

/**
 * The volume from the first point to the last. The totaliser is used if it never falls and has
 * values within `gap_ms` of both ends; else the flow, by trapezoids, if no two of its values are
 * further apart than `gap_ms`. Null if neither covers the whole.
 */
export function volumeOf(points: readonly VolumePoint[], gap_ms: number): Volume | null {
  const [start_ms, end_ms] = [points[0]?.at_ms ?? 0, points.at(-1)?.at_ms ?? 0];
  const spans = (told: readonly { readonly at_ms: number }[]) =>
    told.length > 1 &&
    told[0].at_ms - start_ms <= gap_ms &&
    end_ms - told[told.length - 1].at_ms <= gap_ms;
  const totals = points.flatMap(({ at_ms, total_m3 }) =>
    total_m3 === null ? [] : [{ at_ms, total_m3 }],
  );
  const runsOn = totals.every((one, index) => one.total_m3 >= (totals[index - 1]?.total_m3 ?? 0));
  if (spans(totals) && runsOn)
    return {
      volume_m3: totals[totals.length - 1].total_m3 - totals[0].total_m3,
      by: "totaliser",
    };
  const flows = points.flatMap(({ at_ms, flow_m3_h }) =>
    flow_m3_h === null ? [] : [{ at_ms, flow_m3_h }],
  );
  if (!spans(flows)) return null;
  let volume_m3 = 0;
  for (const [index, { at_ms, flow_m3_h }] of flows.slice(1).entries()) {
    const before = flows[index];
    if (at_ms - before.at_ms > gap_ms) return null;
    volume_m3 += (((flow_m3_h + before.flow_m3_h) / 2) * (at_ms - before.at_ms)) / HOUR_MS;
  }
  return { volume_m3, by: "flow" };
}

export interface Finish {
  /**
   * Time for the rest of the usual volume at the present flow, in hours; null if either isn't
   * known.
   */
  readonly hours_left: number | null;
  /** Prospect of finishing the operation; `yes` only if water is treated within limits now. */
  readonly can_finish: (typeof FINISH_WORDS)[number];
  /** Lamps (1 to 16) that may fail before the end, each with a probability of at least 5 %. */
  readonly lamps_at_risk: readonly number[];
}

/** Flow below which no hours are computed. */
const FLOW_MIN_M3_H = 1;
/** Verdicts of an operation that is already outside its limits. */
const OUTSIDE: ReadonlySet<VerdictState> = new Set(["below_limit", "above_flow", "untreated"]);

interface FinishInput {
  readonly verdict: VerdictState;
  readonly left_m3: number | null;
  readonly flow_m3_h: number | null;
  readonly toLimit: HoursToLimit | NoTimeReason;
  /**
   * The lamps that may fail within this many hours. Worn lamps aren't among them: their wear is
   * already in the measured intensity, and in its fall.
   */
  readonly failing: (hours: number) => readonly number[];
}

export function finishOf({ verdict, left_m3, flow_m3_h, toLimit, failing }: FinishInput): Finish {
  const isKnown = left_m3 !== null && flow_m3_h !== null && flow_m3_h >= FLOW_MIN_M3_H;
  const hours_left = isKnown ? left_m3 / flow_m3_h : null;
  const known = { hours_left, lamps_at_risk: [] };
  if (OUTSIDE.has(verdict)) return { ...known, can_finish: "no" };
  if (hours_left === null || verdict !== "within_limit") return { ...known, can_finish: "unknown" };
  const lamps_at_risk = failing(hours_left);
  const byLight = lightLasts(toLimit, hours_left);
  const can_finish = byLight === "yes" && lamps_at_risk.length > 0 ? "perhaps" : byLight;
  return { hours_left, can_finish, lamps_at_risk };
}

function lightLasts(
  toLimit: HoursToLimit | NoTimeReason,
  hours_left: number,
): Finish["can_finish"] {
  if (toLimit === "no_fall") return "yes";
  if (toLimit === "below_limit") return "no";
  if (toLimit === "at_limit") return "perhaps";
  if (typeof toLimit === "string") return "unknown";
  if (hours_left <= toLimit.low_h) return "yes";
  return hours_left > toLimit.high_h ? "no" : "perhaps";
}
