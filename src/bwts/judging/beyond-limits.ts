// Finds the intervals beyond the limits of UV and flow while water was treated. Their whole time
// counts against the allowed time; if it isn't known whether water moved, the result is
// `cannot_tell`. Pure.

import { SECOND_MS } from "../../ground/clock.ts";
import type { LimitsFrom } from "../operations/judging.ts";
import { BREACH_READINGS } from "../operations/rules.ts";
import { flowLimitOf, uvLimitOf } from "../present/verdict.ts";
import { breachesOf, type LimitAt } from "./breaches.ts";
import { type Followed, MODES } from "./followed.ts";
import { slopesAt } from "./totals.ts";
import type { NamedIntervals } from "./untold.ts";
import { isJudgedState } from "./water.ts";

type LimitsByMode = readonly Readonly<Record<"uv" | "flow", readonly LimitAt[]>>[];

/**
 * Intervals beyond the limits of UV and flow, if they exceed the allowed time. Without a flow, the
 * totaliser's slope is used. If they exceed it only together with intervals in which water may have
 * moved, the result is `cannot_tell`.
 */
export function beyondLimits(
  readings: Followed,
  limits: LimitsByMode,
  unsaid: Uint8Array | null,
): readonly NamedIntervals[] {
  const { treated, may, state } = readings;
  const certain = beyondWhere(readings, limits, unsaid, (index) => treated[index] === 1);
  if (certain.length > 0 || !may.includes(1)) return certain;
  const mayBeTreated = (index: number) =>
    treated[index] === 1 || (may[index] === 1 && isJudgedState(state[index]));
  const [uv, flow] = beyondWhere(readings, limits, unsaid, mayBeTreated);
  if (uv === undefined) return [];
  return [
    ["uv_below_once", uv[1]],
    ["flow_above_once", flow[1]],
  ];
}

function beyondWhere(
  readings: Followed,
  limits: LimitsByMode,
  unsaid: Uint8Array | null,
  isJudged: (index: number) => boolean,
): readonly NamedIntervals[] {
  const { mode, set, count } = readings;
  const limitOf = (of: "uv" | "flow") => (index: number) =>
    isJudged(index) ? limits[set[index]][of][mode[index]] : null;
  const intensity = readings.numbers("UVR_INTENSITY");
  const flows = flowOrSlope(readings);
  const uv = breachesOf(readings, {
    ...{ values: intensity, side: "below", limit: limitOf("uv"), unsaid },
  });
  const flow = breachesOf(readings, { values: flows, side: "above", limit: limitOf("flow") });
  if (uv.length + flow.length === 0) return [];
  const beyond = new Uint8Array(count);
  for (const { first, after } of uv)
    for (let index = first; index < after; index += 1) if (unsaid?.[index] !== 1) beyond[index] = 1;
  for (const { first, after } of flow) beyond.fill(1, first, after);
  let [covered_ms, breaking] = [0, 0];
  for (let index = 0; index < count; index += 1) {
    if (beyond[index] === 0) continue;
    covered_ms += readings.covers_ms[index];
    const { uv: least, flow: most } = limits[set[index]];
    const isBreaking =
      intensity[index] < least[mode[index]].value || flows[index] > most[mode[index]].value;
    if (isBreaking) breaking += 1;
  }
  if (covered_ms <= allowedBeyond(readings)) return [];
  if (breaking >= BREACH_READINGS)
    return [
      ["uv_below_limit", uv],
      ["flow_above_certified", flow],
    ];
  return [
    ["uv_below_once", uv],
    ["flow_above_once", flow],
  ];
}

/** Total allowed time in ms: the strictest limit that was in force. */
export const allowedBeyond = ({ limits }: Followed) =>
  SECOND_MS * Math.min(...limits.map((one) => one.limits.beyond_seconds));

/** The flow of each reading, or the totaliser's slope if the flow isn't known. */
function flowOrSlope(readings: Followed): Float64Array {
  const { flow, count, totals } = readings;
  const told = readings.numbers("SYS_FLOW_RATE");
  if (totals === null || !flow.subarray(0, count).some(Number.isNaN)) return told;
  const slopes = slopesAt(readings, totals);
  return flow.map((known, index) => (Number.isNaN(known) ? slopes[index] : told[index]));
}

/** The limits by mode, as positions in MODES; without a mode the looser one. */
export function limitsByMode(limits: readonly LimitsFrom[]): LimitsByMode {
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
