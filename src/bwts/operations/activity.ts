// The plant's activity by a reading, and readings joined to stretches of one activity. Operations
// are found in stretches, of which there are few, and not in readings. Pure.

import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../ground/clock.ts";
import { wordOf } from "../plc-word.ts";
import { asText, type Value } from "../reading.ts";
import { indexOfTag } from "../tags.ts";
import { isMovingFlow, isTreatingState, TOTALISER_FIELDS } from "../treating.ts";
import type { ReadingRun } from "./judging.ts";
import { recentTimes } from "./recent-times.ts";
import { isFlow, type MovingLimit, openRising, RISING_SURE_MS } from "./rising.ts";
import {
  type UnreadTime,
  type UnseenWater,
  unreadTimes,
  unseenWater,
  type WaterStill,
} from "./unseen-water.ts";

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

/** By the state or, without one, by the flow in m3/h; null: not told. */
export function activityOf(state: Value, flow: number | null, limits: MovingLimit): Activity {
  if (isTreatingState(state, flow, limits)) return "treating";
  const word = wordOf(state);
  if (word === null) return "idle";
  // Without a state, a flow says if water moves.
  if (word === "FAULT") return isTreatingState(null, flow, limits) ? "fault" : "halted";
  return BY_WORD[word] ?? "halted";
}

/**
 * The same, with what only the extent of an operation asks: `moving` is water that moves though the
 * state says that the plant rests or halts; of `untold` readings neither state nor flow is known.
 */
export type StretchActivity = Activity | "moving" | "untold";

/** Consecutive readings of one activity, type and place, without a long silence between them. */
export interface ActivityStretch {
  readonly activity: StretchActivity;
  readonly start_ms: number;
  /** At rest the reading before, if both totalisers stood still across a gap up to the start. */
  readonly since_ms: number;
  /** Its last reading. */
  last_ms: number;
  readings: number;
  /** The time that its readings stand for: up to the next one, gaps left out. */
  told_ms: number;
  /** As its readings tell, or those before it. */
  operation_type: string | null;
  location: string | null;
  /** True if a long silence comes before it. */
  readonly isAfterSilence: boolean;
  /** True if both totalisers stood still across that silence: the plant was at rest. */
  readonly isAfterStandstill: boolean;
}

export interface Stretches {
  readonly stretches: readonly ActivityStretch[];
  /** Ascending: those of more than five minutes, and than 5 times the usual cadence. */
  readonly silences: readonly UnreadTime[];
  /** From here on they don't depend on time before the first reading; Infinity: nowhere. */
  readonly sure_ms: number;
  readonly unseen: readonly UnseenWater[];
  readonly still: readonly WaterStill[];
}

/** Readings on both sides of a longer silence don't belong together, unless events say so. */
export const RESUME_MAX_MS = 60 * MINUTE_MS;
/** A reading stands for no longer than this. Both are longer for a slow plant. */
const STANDS_MAX_MS = 15 * MINUTE_MS;
/** After so long without a reading nothing goes on, whatever the cadence is. */
export const LOST_MS = DAY_MS;
/** A state or a flow that wasn't sent for so long isn't known any more. */
const KNOWN_MS = 6 * HOUR_MS;

/** In a shorter silence no water is looked for that nobody saw. */
const BLIND_MS = 5 * MINUTE_MS;

const STATE = indexOfTag("PROCESS_STATE");
const FLOW = indexOfTag("SYS_FLOW_RATE");
const TYPE = indexOfTag("operation_type");
const LOCATION = indexOfTag("location");

/**
 * A reading that doesn't tell state, flow, type or place leaves it as it was. Ascending. None goes
 * over one of the times of `splits`, which ascend.
 */
export function stretchesOf(
  runs: Iterable<ReadingRun>,
  limits: MovingLimit,
  splits: readonly number[] = [],
): Stretches {
  const recent = recentTimes();
  const plant = openPlant(limits);
  const silences = unreadTimes(plant.mayMove);
  const water = unseenWater(limits);
  const stretches: ActivityStretch[] = [];
  let [first_ms, sure_ms] = [Number.NaN, Number.POSITIVE_INFINITY];
  let stretch: ActivityStretch | null = null;
  let before: ReadingRun | null = null;
  let split = 0;
  for (const run of runs) {
    const { block, from, to } = run;
    const [states, flows] = [block.values(STATE), block.values(FLOW)];
    const [types, places] = [block.values(TYPE), block.values(LOCATION)];
    const believed = block.believed();
    const believedTotals = TOTALISER_FIELDS.map((tag) => believed.values(tag));
    let totalisers: readonly ((index: number) => Value)[] | null = null;
    for (let index = from; index < to; index += 1) {
      const at_ms = block.at_ms(index);
      const passed_ms: number = stretch === null ? 0 : at_ms - stretch.last_ms;
      const isSilent = recent.isLonger(passed_ms, RESUME_MAX_MS) || passed_ms > LOST_MS;
      const isUnread: boolean = stretch === null || recent.isLonger(passed_ms, BLIND_MS);
      const isBlind: boolean = stretch !== null && (plant.isBlind() || isUnread);
      const [wasAtRest, seen_m3_h] = [plant.wasAtRest(), plant.seenFlow()];
      water.take({ at_ms, passed_ms, isBlind, wasAtRest, seen_m3_h }, believedTotals, index);
      if (isSilent) plant.forget();
      plant.take(at_ms, states(index), flows(index));
      silences.take(at_ms, isUnread);
      if (plant.isAtRest()) {
        totalisers ??= TOTALISER_FIELDS.map((tag) => block.values(tag));
        plant.takeTotals(at_ms, totalisers, index);
      }
      plant.takeWords(types(index), places(index));
      if (stretch !== null && !recent.isLonger(passed_ms, STANDS_MAX_MS))
        stretch.told_ms += passed_ms;
      const isSplit = at_ms >= splits[split];
      while (at_ms >= splits[split]) split += 1;
      if (stretch !== null && !isSilent && !isSplit && goesOn(stretch, plant.now)) {
        stretch.last_ms = at_ms;
        stretch.readings += 1;
        stretch.operation_type ??= plant.now.type;
        stretch.location ??= plant.now.place;
      } else {
        const { activity, type, place } = plant.now;
        const last = index > from ? { block, from, to: index } : before;
        const next = { block, from: index, to };
        const isStill: boolean = isBlind && stoodStill(last, next);
        const since_ms: number = isStill && plant.isAtRest() ? at_ms - passed_ms : at_ms;
        stretch = {
          ...{ activity, start_ms: at_ms, since_ms, last_ms: at_ms, readings: 1, told_ms: 0 },
          ...{ operation_type: type, location: place, isAfterSilence: isSilent },
          isAfterStandstill: isSilent && isStill,
        };
        stretches.push(stretch);
      }
      recent.add(at_ms);
      if (sure_ms < at_ms) continue;
      if (Number.isNaN(first_ms)) first_ms = at_ms;
      const read_ms = at_ms - first_ms;
      const isTold = plant.isTold() && water.isSure();
      if (recent.isFull() && read_ms > (isTold ? RISING_SURE_MS : KNOWN_MS)) sure_ms = at_ms;
    }
    if (to > from) before = run;
  }
  return { stretches, silences: silences.found(), sure_ms, ...water.found() };
}

/** The plant's activity at a reading, which takes the place from those before. */
interface Doing {
  readonly activity: StretchActivity;
  readonly type: string | null;
  readonly place: string | null;
}
const UNTOLD: Doing = { activity: "untold", type: null, place: null };

/** Follows the plant from reading to reading. */
function openPlant(limits: MovingLimit) {
  let [state, flow]: [Value, number | null] = [null, null];
  let [state_ms, flow_ms] = [0, 0];
  let [type, place]: [Value, Value] = [null, null];
  let isFlowTold = true;
  const rising = openRising(limits);
  return {
    now: UNTOLD,
    /** After a long silence nothing is known of before. */
    forget(): void {
      [state, flow, type, place] = [null, null, null, null];
      this.now = UNTOLD;
      rising.forget();
    },
    /** True before the first reading too. */
    wasAtRest(): boolean {
      return this.now === UNTOLD || isResting(this.now.activity);
    },
    /** The flow since the last reading, in m3/h, where the plant doesn't rest. */
    seenFlow(): number {
      return isResting(this.now.activity) ? 0 : (flow ?? 0);
    },
    /** True unless the flow says that no water moves. */
    mayMove: () => flow === null || isMovingFlow(flow, limits.flow_max_imo),
    /** True if the last reading had no flow while the plant rested. */
    isBlind(): boolean {
      return !isFlowTold && (this.now.activity === "untold" || isResting(this.now.activity));
    },
    /** True once state and flow are of what was taken. */
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
    /** True if state and flow say that the plant rests or halts. */
    isAtRest(): boolean {
      const isIt = isResting(this.now.activity);
      if (!isIt) rising.forget();
      return isIt;
    },
    /** At rest the totalisers may tell of water that the flow doesn't. */
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

/** True if the last reading of a run and the first one of another tell the same totalisers. */
function stoodStill(before: ReadingRun | null, after: ReadingRun): boolean {
  if (before === null) return false;
  return TOTALISER_FIELDS.every((tag) => {
    const was = before.block.values(tag)(before.to - 1);
    return typeof was === "number" && was === after.block.values(tag)(after.from);
  });
}

function goesOn(stretch: ActivityStretch, { activity, type, place }: Doing): boolean {
  return (
    stretch.activity === activity &&
    isSameWord(stretch.operation_type, type) &&
    isSameWord(stretch.location, place)
  );
}

/** True unless both are known, and are different words. */
export function isSameWord(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other || wordOf(one) === wordOf(other);
}
