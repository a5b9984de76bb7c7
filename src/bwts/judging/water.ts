// Decides for each reading if water moved in its time, by two measurements: the flow and the
// totalisers. Moving water counts in every state. Pure.

import { MOVING_MS } from "../operations/moving-volume.ts";
import { type STATE_WORDS, wordOf } from "../plc-word.ts";
import type { Value } from "../reading.ts";
import type { GatheredReadings } from "./gathered.ts";
import { MAY_RISE } from "./pauses.ts";
import { MOVED_MEANWHILE, STANDS_AT_EDGE, STANDS_LONG } from "./standing-totals.ts";

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
  "cleaning",
] as const;
type State = (typeof STATES)[number];

/** The known words. CIP within an operation that isn't a cleaning counts as rest. */
const BY_WORD: Readonly<Record<string, State>> = {
  ...{ RUNNING: "treating", BACKFLUSH: "treating", BYPASS: "bypass", FAULT: "fault" },
  ...{ WARMUP: "warmup", STOPPING: "stopping" },
  ...{ IDLE: "rest", STOPPED: "rest", STANDBY: "rest", CIP: "cleaning" },
} satisfies Record<(typeof STATE_WORDS)[number], State>;

export const stateCode = (state: State) => STATES.indexOf(state);

const UNTOLD = stateCode("untold");
const TREATING = stateCode("treating");
const FAULT = stateCode("fault");
const BEFORE_TREATING: ReadonlySet<number> = new Set(
  (["rest", "warmup", "cleaning"] as const).map(stateCode),
);
const BYPASS = stateCode("bypass");
/** States in which no water is assumed to move without flow and totaliser. */
const RESTS: ReadonlySet<number> = new Set(
  (["rest", "warmup", "stopping", "cleaning"] as const).map(stateCode),
);

/**
 * Position in STATES at each reading: its own state, or the last known one since the last gap.
 * Unknown at readings i for which entry i of `unsaid` is 1.
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
/** Flow and totalisers are unknown, and the state isn't rest. */
export const UNKNOWN_MOVES = 2;
/** The state says that water moves; the totaliser, the only measurement, may be stuck. */
export const STANDS = 3;

interface Witnesses {
  readonly states: Uint8Array;
  /** As in `Followed`. */
  readonly gap: Uint8Array;
  /** As `risingAt`. */
  readonly rising: Uint8Array;
  /** As `standingAt`; it counts where no flow is known. */
  readonly standing: Uint8Array;
  /** The scan to which a reading belongs; the readings of a scan are consecutive. */
  scanOf(index: number): number;
  /** True if the flow at a reading shows moving water; false if unknown. */
  isFlowing(index: number): boolean;
  /** True if the flow at a reading shows that none moves. */
  isStill(index: number): boolean;
  /** As in `BesideTotals`. */
  isPaused(index: number): boolean;
}

interface Moves {
  /** STILL, MOVES, UNKNOWN_MOVES or STANDS at each reading. */
  readonly moves: Uint8Array;
  /** 1 where the totaliser, the only measurement, doesn't decide if water moved. */
  readonly may: Uint8Array;
}

export function movesAt(readings: GatheredReadings, witnesses: Witnesses): Moves {
  const { states, rising, standing, isFlowing, isStill, isPaused } = witnesses;
  const [found, may] = [new Uint8Array(readings.count), new Uint8Array(readings.count)];
  for (let index = 0; index < readings.count; index += 1) {
    const rises = rising[index] === 1 && !isBeforeTreating(readings, witnesses, index);
    if (rises || isFlowing(index)) found[index] = MOVES;
    else if (!isStill(index)) {
      const [state, stands] = [states[index], isPaused(index) ? 0 : standing[index]];
      found[index] = movesByState(state, rising[index], stands);
      const isEdge = stands === STANDS_AT_EDGE && isRunning(state);
      if (rising[index] === MAY_RISE || isEdge || found[index] === STANDS) may[index] = 1;
    }
  }
  return { moves: found, may };
}

const isRunning = (state: number) => state === TREATING || state === BYPASS;

/** Decides by the state, if no flow is known and no totaliser rises. */
function movesByState(state: number, rising: number, standing: number): number {
  const isMeanwhile = standing === MOVED_MEANWHILE && rising !== MAY_RISE;
  if (isMeanwhile && (isRunning(state) || state === UNTOLD)) return MOVES;
  if (rising === 2) return RESTS.has(state) ? STILL : UNKNOWN_MOVES;
  return standing === STANDS_LONG && isRunning(state) ? STANDS : STILL;
}

/** Opening in % below which a valve counts as closed. */
export const CLOSED_VALVE = 1;

/** True for states that need no moving water, if no flow is known. */
export const mayPause = (state: number) => !isRunning(state) && state !== UNTOLD;

/** True for treated water. Water that may or may not move isn't judged against the limits. */
export const isTreatedWater = (moves: number, state: number) =>
  moves !== STILL && moves !== STANDS && isJudgedState(state);

/**
 * True at the last reading of warm-up, rest or fault before treatment, if no water moved up to it.
 * The rise up to the next reading, at most five minutes later, belongs to the treated water.
 * Without this, each operation with a cadence of three minutes had moving water in its warm-up.
 */
function isBeforeTreating(
  { at_ms, count }: GatheredReadings,
  { states, gap, rising, scanOf, isFlowing, isStill }: Witnesses,
  index: number,
): boolean {
  if (!BEFORE_TREATING.has(states[index]) && states[index] !== FAULT) return false;
  const isOther = (at: number, of: number) => at < 0 || at >= count || scanOf(at) !== scanOf(of);
  let [before, next] = [index - 1, index + 1];
  while (!isOther(before, index)) before -= 1;
  while (!isOther(next, index)) next += 1;
  if (next >= count) return false;
  let last = next;
  while (!isOther(last + 1, next)) last += 1;
  const isWhole = (from: number, to: number) => !gap.subarray(from + 1, to + 1).includes(1);
  if (states[last] !== TREATING || !isWhole(index, last)) return false;
  // In fault it must have stood still for two readings: one may be of any water.
  const isFault = states[index] === FAULT && before >= 0 && states[before] === FAULT;
  if (!BEFORE_TREATING.has(states[index]) && !isFault) return false;
  if (at_ms[next] - at_ms[index] > MOVING_MS) return false;
  // By either witness: where all that is still rises, the other type's totaliser isn't asked.
  const moved = (at: number) => rising[at] === 1 || isFlowing(at);
  const movedBefore =
    before >= 0 && isWhole(before, index) && states[before] !== TREATING && moved(before);
  return !movedBefore && isStill(index) && isFlowing(last);
}

/** True if the state is one in which a reading is judged against the limits. */
export const isJudgedState = (state: number) => state === TREATING || state === UNTOLD;
