// The plant's activity by a reading, and readings joined to stretches of one activity. Operations
// are found in stretches, of which there are few, and not in readings. Pure.

import { MINUTE_MS } from "../../ground/clock.ts";
import { wordOf } from "../plc-word.ts";
import { median } from "../ranks.ts";
import { asText, type Value } from "../reading.ts";
import { indexOfTag } from "../tags.ts";
import { isTreatingState } from "../treating.ts";
import type { ReadingRun } from "./judging.ts";

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
  WARMUP: "warmup",
  BYPASS: "bypass",
  STOPPING: "stopping",
  CIP: "cleaning",
};

interface MovingLimit {
  readonly flow_max_imo: number;
}

/** By the state or, without one, by the flow in m3/h; null: not told. */
export function activityOf(state: Value, flow: number | null, limits: MovingLimit): Activity {
  if (isTreatingState(state, flow, limits)) return "treating";
  const word = wordOf(state);
  if (word === null) return "idle";
  // Without a state, a flow says if water moves.
  if (word === "FAULT") return isTreatingState(null, flow, limits) ? "fault" : "halted";
  return BY_WORD[word] ?? "halted";
}

/** Consecutive readings of one activity, without a long silence between them. */
export interface ActivityStretch {
  readonly activity: Activity;
  readonly start_ms: number;
  /** Its last reading. */
  last_ms: number;
  readings: number;
  /** As its readings tell, or those before it; one type only. */
  operation_type: string | null;
  location: string | null;
  /** True if a long silence comes before it. */
  readonly isAfterSilence: boolean;
}

/** Readings on both sides of a longer silence don't belong together, unless events say so. */
const RESUME_MAX_MS = 60 * MINUTE_MS;
/** The same for a slow plant, as a multiple of its usual cadence. */
const RESUME_CADENCES = 5;
const CADENCE_TIMES = 21;

const STATE = indexOfTag("PROCESS_STATE");
const FLOW = indexOfTag("SYS_FLOW_RATE");
const TYPE = indexOfTag("operation_type");
const LOCATION = indexOfTag("location");

/** A reading that doesn't tell state, flow, type or place leaves it as it was. Ascending. */
export function stretchesOf(
  runs: Iterable<ReadingRun>,
  limits: MovingLimit,
): readonly ActivityStretch[] {
  const stretches: ActivityStretch[] = [];
  const recent = recentTimes();
  let told = NOTHING;
  let [flow, activity]: [number | null, Activity] = [null, "idle"];
  let stretch: ActivityStretch | null = null;
  for (const { block, from, to } of runs) {
    const [states, flows] = [block.values(STATE), block.values(FLOW)];
    const [types, places] = [block.values(TYPE), block.values(LOCATION)];
    for (let index = from; index < to; index += 1) {
      const at_ms = block.at_ms(index);
      const isSilent: boolean =
        stretch !== null && at_ms - stretch.last_ms > recent.resume_ms(at_ms);
      recent.add(at_ms);
      if (isSilent) [told, flow] = [NOTHING, null];
      const flowNow = flows(index);
      if (typeof flowNow === "number") flow = flowNow;
      const [state, type, place] = [states(index), types(index), places(index)];
      const isNews =
        (state !== null && state !== told.state) ||
        (type !== null && type !== told.type) ||
        (place !== null && place !== told.place);
      if (isNews)
        told = {
          state: state ?? told.state,
          type: asText(type) ?? told.type,
          place: asText(place) ?? told.place,
        };
      // A treating plant's state decides alone.
      if (isNews || told.state !== "RUNNING" || isSilent)
        activity = activityOf(told.state, flow, limits);
      if (stretch !== null && !isSilent && goesOn(stretch, activity, told.type)) {
        stretch.last_ms = at_ms;
        stretch.readings += 1;
        stretch.operation_type ??= told.type;
        stretch.location ??= told.place;
        continue;
      }
      stretch = {
        ...{ activity, start_ms: at_ms, last_ms: at_ms, readings: 1 },
        ...{ operation_type: told.type, location: told.place, isAfterSilence: isSilent },
      };
      stretches.push(stretch);
    }
  }
  return stretches;
}

interface LastTold {
  readonly state: Value;
  readonly type: string | null;
  readonly place: string | null;
}
const NOTHING: LastTold = { state: null, type: null, place: null };

function goesOn(stretch: ActivityStretch, activity: Activity, type: string | null): boolean {
  return stretch.activity === activity && isSameType(stretch.operation_type, type);
}

/** True unless both types are told, and are different words. */
export function isSameType(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other || wordOf(one) === wordOf(other);
}

/** The last times, in a ring, for the usual cadence; it is asked for at long distances only. */
function recentTimes() {
  const ring = new Float64Array(CADENCE_TIMES);
  let added = 0;
  return {
    add(at_ms: number): void {
      ring[added % CADENCE_TIMES] = at_ms;
      added += 1;
    },
    resume_ms(at_ms: number): number {
      const last_ms = ring[(added - 1) % CADENCE_TIMES];
      if (at_ms - last_ms <= RESUME_MAX_MS) return RESUME_MAX_MS;
      const times = Array.from(ring.subarray(0, Math.min(added, CADENCE_TIMES))).sort(
        (one, other) => one - other,
      );
      const distances = times.slice(1).map((time, index) => time - times[index]);
      if (distances.length === 0) return RESUME_MAX_MS;
      return Math.max(RESUME_MAX_MS, RESUME_CADENCES * median(distances));
    },
  };
}
