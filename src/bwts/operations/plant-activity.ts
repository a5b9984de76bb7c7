// The plant's activity from reading to reading, by its state, its flow and, at rest, its
// totalisers; with the last known type and place of the operation. Pure.

import { HOUR_MS } from "../../ground/clock.ts";
import { wordOf } from "../plc-word.ts";
import { asText, type Value } from "../reading.ts";
import { isMovingFlow, isTreatingState } from "../treating.ts";
import { isFlow, type MovingLimit, openRising } from "./rising.ts";

/** `halted`: in fault without moving water, or in a state that the rules don't know. */
export const ACTIVITIES = [
  "idle",
  "warmup",
  "treating",
  "bypass",
  "fault",
  "stopping",
  "cleaning",
  "halted",
] as const;
export type Activity = (typeof ACTIVITIES)[number];

const BY_WORD: Readonly<Record<string, Activity>> = {
  IDLE: "idle",
  STOPPED: "idle",
  STANDBY: "idle",
  WARMUP: "warmup",
  BYPASS: "bypass",
  STOPPING: "stopping",
  CIP: "cleaning",
};

/** Activity by the state or, without one, by the flow in m3/h; null if unknown. */
export function activityOf(state: Value, flow: number | null, limits: MovingLimit): Activity {
  if (isTreatingState(state, flow, limits)) return "treating";
  const word = wordOf(state);
  if (word === null) return "idle";
  // Without a state, a flow says if water moves.
  if (word === "FAULT") return isTreatingState(null, flow, limits) ? "fault" : "halted";
  return BY_WORD[word] ?? "halted";
}

/**
 * The same, with two words that only the extent of an operation needs: `moving` is moving water
 * although the state is rest or halt; for `untold` readings neither state nor flow is known.
 */
export type StretchActivity = Activity | "moving" | "untold";

/** Time after which the last state and flow are no longer known. */
export const KNOWN_MS = 6 * HOUR_MS;

/** The plant's activity at a reading; without a place it has that of the readings before. */
export interface Doing {
  readonly activity: StretchActivity;
  readonly type: string | null;
  readonly place: string | null;
}
const UNTOLD: Doing = { activity: "untold", type: null, place: null };

interface PlantRest {
  /** True if it rested; also before the first reading. */
  isAtRest: boolean;
  /** True if the last reading had no flow while it rested. */
  isBlind: boolean;
  /** Flow in m3/h: 0 at rest, at most the certified flow while it runs without a flow. */
  seen_m3_h: number;
}

export type Plant = ReturnType<typeof openPlant>;

/** Follows the plant from reading to reading. */
export function openPlant(limits: MovingLimit) {
  let [state, flow]: [Value, number | null] = [null, null];
  let [state_ms, flow_ms] = [0, 0];
  let [type, place]: [Value, Value] = [null, null];
  let isFlowTold = true;
  const rising = openRising(limits);
  return {
    now: UNTOLD,
    /** Forgets everything after a long silence. */
    forget(): void {
      [state, flow, type, place] = [null, null, null, null];
      this.now = UNTOLD;
      rising.forget();
    },
    /** Puts the facts of the last reading about the time up to the next one into `left`. */
    leftIn(left: PlantRest): void {
      const isRest = isResting(this.now.activity);
      left.isAtRest = this.now === UNTOLD || isRest;
      left.isBlind = !isFlowTold && this.mayRest();
      left.seen_m3_h = isRest ? 0 : (flow ?? limits.flow_max_imo);
    },
    /** True unless no water moves by the flow, and none is treated by the state. */
    mayMove(): boolean {
      const { activity } = this.now;
      if (activity === "treating" || activity === "bypass") return true;
      return flow === null || isMovingFlow(flow, limits.flow_max_imo);
    },
    /** False while the plant runs. */
    mayRest(): boolean {
      return this.now.activity === "untold" || isResting(this.now.activity);
    },
    /** True once both state and flow are known. */
    isTold: () => state !== null && flow !== null,
    take(at_ms: number, told: Value, flowTold: Value): void {
      isFlowTold = typeof flowTold === "number";
      const isSame = told === null || told === state;
      if (told !== null) [state, state_ms] = [told, at_ms];
      else if (at_ms - state_ms > KNOWN_MS) state = null;
      if (typeof flowTold === "number") [flow, flow_ms] = [flowTold, at_ms];
      else if (at_ms - flow_ms > KNOWN_MS) flow = null;
      // A treating plant's state decides alone.
      if (isSame && state === "RUNNING" && this.now !== UNTOLD) return;
      const activity = activityNow(state, { flow, told: flowTold }, limits);
      if (activity !== this.now.activity || this.now === UNTOLD)
        this.now = { ...this.now, activity };
    },
    isAtRest(): boolean {
      const isIt = isResting(this.now.activity);
      if (!isIt) rising.forget();
      return isIt;
    },
    /** Takes the totalisers, which at rest may show water that the flow doesn't. */
    takeTotals(...[at_ms, totalisers, index]: Parameters<typeof rising.take>): void {
      rising.take(at_ms, totalisers, index);
      if (rising.isIt()) this.now = { ...this.now, activity: "moving" };
    },
    takeWords(typeTold: Value, placeTold: Value): void {
      const { activity } = this.now;
      // A type or a place of before a rest isn't of what follows it.
      const isRest = isResting(activity);
      if (isRest ? typeTold === type && placeTold === place : isSaid(typeTold, placeTold)) return;
      [type, place] = isRest ? [typeTold, placeTold] : [typeTold ?? type, placeTold ?? place];
      this.now = { activity, type: asText(type), place: asText(place) };
    },
  };
  function isSaid(typeTold: Value, placeTold: Value): boolean {
    return (typeTold === null || typeTold === type) && (placeTold === null || placeTold === place);
  }
}

const isResting = (activity: StretchActivity) => activity === "idle" || activity === "halted";

function activityNow(
  state: Value,
  { flow, told }: { readonly flow: number | null; readonly told: Value },
  limits: MovingLimit,
): StretchActivity {
  if (state === null && flow === null) return "untold";
  const activity = activityOf(state, flow, limits);
  if (!isResting(activity) || typeof told !== "number") return activity;
  return isFlow(told, limits) ? "moving" : activity;
}
