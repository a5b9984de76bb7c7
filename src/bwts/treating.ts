// Decides from a reading if water was treated. Health, gaps, alarms, lamps and the page all ask
// here, so that they agree. Without zod: it is part of the page.

import { MINUTE_MS } from "../ground/clock.ts";
import { wordOf } from "./plc-word.ts";
import type { Reading, Value } from "./reading.ts";
import { indexOfTag } from "./tags.ts";

/** The ship's limit that a flow is measured against, m3/h. */
interface FlowLimit {
  readonly flow_max_imo: number;
}

/** Below this share of the highest flow, water counts as standing: it isn't treated. */
const TREATING_FLOW_SHARE = 0.05;

const STATE = indexOfTag("PROCESS_STATE");
const FLOW = indexOfTag("SYS_FLOW_RATE");
/** Both totalisers, which tell of moving water beside the flow. */
export const TOTALISER_FIELDS = [
  indexOfTag("SYS_TOTAL_BALLAST_VOL"),
  indexOfTag("SYS_TOTAL_DEBALLAST_VOL"),
];

/** True if water was treated: RUNNING or BACKFLUSH or, without a state, a flow above 5 %. */
export function isTreating({ values }: Pick<Reading, "values">, limits: FlowLimit): boolean {
  return isTreatingState(values[STATE], values[FLOW], limits);
}

/** As `isTreating`, from the two fields that it depends on. */
export function isTreatingState(state: Value, flow: Value, limits: FlowLimit): boolean {
  // First, because nearly every reading is decided by it.
  if (state === "RUNNING") return true;
  const word = wordOf(state);
  if (word !== null) return word === "RUNNING" || word === "BACKFLUSH";
  return typeof flow === "number" && flow > TREATING_FLOW_SHARE * limits.flow_max_imo;
}

/** False for a reading that has neither of the fields that `isTreating` depends on. */
export function tellsOperation({ values }: Pick<Reading, "values">): boolean {
  return values[STATE] !== null || values[FLOW] !== null;
}

/** Water moves above this share of the certified flow, by flow or totaliser. */
export const MOVING_SHARE = 0.02;

export const isMovingFlow = (flow_m3_h: number, certified_m3_h: number) =>
  flow_m3_h > MOVING_SHARE * certified_m3_h;

/** True for a known flow at which no water moves; false for NaN. */
export const isStillFlow = (flow_m3_h: number, certified_m3_h: number) =>
  flow_m3_h <= MOVING_SHARE * certified_m3_h;

/** Untreated water may move for so long: a valve closes after the lamps went out. */
export const UNTREATED_MAX_MS = MINUTE_MS;
/** States in which it may not, and the other ones in which no water is treated. */
export const UNTREATED_AT_ONCE: ReadonlySet<string> = new Set(["FAULT", "BYPASS"]);
const NOT_TREATING: ReadonlySet<string> = new Set([
  ...["IDLE", "STOPPED", "STANDBY", "WARMUP", "STOPPING", "CIP"],
]);

/** True if water that moves in this state isn't treated; null for a state that nobody knows. */
export function isUntreatedState(state: Value, operation_type: Value): boolean | null {
  const word = wordOf(state);
  if (word === null) return null;
  if (word === "RUNNING" || word === "BACKFLUSH") return false;
  // A cleaning moves its own water.
  const type = wordOf(operation_type);
  if (word === "CIP" && (type === null || type === "CIP")) return false;
  return UNTREATED_AT_ONCE.has(word) || NOT_TREATING.has(word) ? true : null;
}
