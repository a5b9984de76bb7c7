// Tells of each reading if water moved while it stands, by two witnesses: the flow, and the
// totalisers. In no state is moving water left out. Pure.

import { wordOf } from "../plc-word.ts";
import type { Value } from "../reading.ts";
import { isMovingFlow } from "../treating.ts";
import type { GatheredReadings } from "./gathered.ts";

/** The kinds of states, by their words. */
export const STATES = [
  "untold",
  "unknown",
  "rest",
  "warmup",
  "stopping",
  "treating",
  "bypass",
  "fault",
] as const;
type State = (typeof STATES)[number];

/** The known words; CIP in an operation that is no cleaning counts as rest. */
const BY_WORD: Readonly<Record<string, State>> = {
  ...{ RUNNING: "treating", BACKFLUSH: "treating", BYPASS: "bypass", FAULT: "fault" },
  ...{ WARMUP: "warmup", STOPPING: "stopping" },
  ...{ IDLE: "rest", STOPPED: "rest", STANDBY: "rest", CIP: "rest" },
};

export const stateCode = (state: State) => STATES.indexOf(state);

const UNTOLD = stateCode("untold");
const TREATING = stateCode("treating");
/** Without a witness no water is taken to move in these. */
const RESTS: ReadonlySet<number> = new Set(
  (["rest", "warmup", "stopping"] as const).map(stateCode),
);

/**
 * The position in STATES at each reading: its own, or the last one known since the last gap. It is
 * not known at readings i for which entry i of `unsaid` is 1.
 */
export function statesAt(
  readings: GatheredReadings,
  gap: Uint8Array,
  unsaid: Uint8Array | null,
): Uint8Array {
  const byCode = readings.told.map((value) => stateCode(stateOf(value)));
  const words = readings.words("PROCESS_STATE");
  const found = new Uint8Array(readings.count);
  let now = UNTOLD;
  for (let index = 0; index < readings.count; index += 1) {
    if (gap[index] === 1) now = UNTOLD;
    if (words[index] !== 0) now = byCode[words[index]];
    found[index] = unsaid?.[index] === 1 ? UNTOLD : now;
  }
  return found;
}

function stateOf(value: Value): State {
  if (value === null) return "untold";
  const word = wordOf(value) ?? "";
  return Object.hasOwn(BY_WORD, word) ? BY_WORD[word] : "unknown";
}

export const STILL = 0;
export const MOVES = 1;
/** Neither witness says anything, and the state doesn't say that the plant rests. */
export const UNKNOWN_MOVES = 2;

interface Witnesses {
  readonly states: Uint8Array;
  /** As `risingAt`. */
  readonly rising: Uint8Array;
  /** The flow at each reading, NaN where it isn't known. */
  readonly flow: Float64Array;
  /** The certified flow at each reading, m3/h. */
  certified(index: number): number;
}

/** STILL, MOVES or UNKNOWN_MOVES at each reading. */
export function movesAt(readings: GatheredReadings, witnesses: Witnesses): Uint8Array {
  const { states, rising, flow, certified } = witnesses;
  const found = new Uint8Array(readings.count);
  for (let index = 0; index < readings.count; index += 1) {
    const now = flow[index];
    if (rising[index] === 1 || isMovingFlow(now, certified(index))) found[index] = MOVES;
    else if (Number.isNaN(now) && rising[index] === 2 && !RESTS.has(states[index]))
      found[index] = UNKNOWN_MOVES;
  }
  return found;
}

/** True where a reading is judged against the limits, as far as its state says. */
export const isJudgedState = (state: number) => state === TREATING || state === UNTOLD;
