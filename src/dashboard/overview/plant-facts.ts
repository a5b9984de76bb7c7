// The facts that the mimic draws, from the newest reading: each is known, believed, and part of
// that reading itself, or null. The water's way is derived from them; if it isn't known, none is
// drawn.

import { wordOf } from "../../bwts/plc-word.ts";
import { isMovingFlow } from "../../bwts/treating.ts";
import { instant, isLike, numberOrNull, type Read, textOrNull } from "../store/checks.ts";

export interface PlantFacts {
  readonly at_ms: number | null;
  readonly flow: number | null;
  readonly uv: number | null;
  readonly dp: number | null;
  /** Opening of the control valve, %. */
  readonly valve: number | null;
  readonly isBackflushing: boolean | null;
  readonly process: string | null;
  readonly operation: string | null;
}

type NamedMembers = Readonly<Record<string, unknown>>;

/** Reads the facts from the answer of /api/overview. */
export const readPlantFacts: Read<PlantFacts> = (body) => {
  if (!isLike<{ reading: unknown }>(body)) return null;
  const { reading } = body;
  if (reading === null) return { value: NOTHING };
  if (!isLike<NamedMembers>(reading)) return null;
  const { values, times, doubted } = reading;
  if (!isLike<NamedMembers>(values)) return null;
  const [since, odd] = [times, doubted].map((one) => (isLike<NamedMembers>(one) ? one : {}));
  const at_ms = instant(reading.timestamp);
  // False for a value of an earlier reading, or one that isn't believed: it isn't the present.
  const isOfNow = (name: string) =>
    odd[name] === undefined && (since[name] === undefined || instant(since[name]) === at_ms);
  const given = (name: string) => (isOfNow(name) ? values[name] : null);
  const backflush = given("FLT_BACKFLUSH_ACTIVE");
  return {
    value: {
      at_ms,
      flow: numberOrNull(given("SYS_FLOW_RATE")),
      uv: numberOrNull(given("UVR_INTENSITY")),
      dp: numberOrNull(given("FLT_DIFF_PRESSURE")),
      valve: numberOrNull(given("SYS_VALVE_POSITION")),
      isBackflushing: typeof backflush === "boolean" ? backflush : null,
      process: wordOf(given("PROCESS_STATE")),
      operation: wordOf(textOrNull(given("operation_type"))),
    },
  };
};

const NOTHING: PlantFacts = {
  ...{ at_ms: null, flow: null, uv: null, dp: null, valve: null, isBackflushing: null },
  ...{ process: null, operation: null },
};

/**
 * Way of the water. `none`: no water moves; `reactor`, `bypass`: through the reactor, or past it;
 * `somewhere`: it moves, by an unknown way; `unknown`: it isn't known if it moves.
 */
export type WaterWay = "none" | "reactor" | "bypass" | "somewhere" | "unknown";

/**
 * The water's way by flow and state. `flow_max` is the certified flow; null if it isn't known: then
 * any flow above 0 counts as moving.
 */
export function waterWay({ flow, process }: PlantFacts, flow_max: number | null): WaterWay {
  if (flow === null || flow < 0) return "unknown";
  if (!isMovingFlow(flow, flow_max ?? 0)) return "none";
  if (process === "RUNNING" || process === "BACKFLUSH") return "reactor";
  return process === "BYPASS" ? "bypass" : "somewhere";
}
