// The stretch that Trends shows: the range of the address, or, while new readings are followed, one
// of the same length up to the newest. It never moves under a cursor: it is held while the user
// reads values, and released by panning or zooming.

import { useRef } from "preact/hooks";
import type { Stretch } from "../chart/level.ts";
import { upTo } from "./stretch-choice.tsx";

const DAY_MS = 86_400_000;
const START_MS = 30 * DAY_MS;
/** Maximum time that a cursor holds the stretch: a finger leaves its cursor behind. */
const HELD_MAX_MS = 60_000;
/**
 * A followed stretch moves in steps: the shorter of this fraction (1 in 500) of its length and a
 * minute.
 */
const STEPS = 500;
const STEP_MAX_MS = 60_000;

interface StretchAsked {
  readonly from_ms: number | null;
  readonly to_ms: number | null;
  /** True to follow new readings, whatever range is given. */
  readonly isFollowed: boolean;
  readonly newest_ms: number;
  /** Latest end of the stretch: nothing lies in the future. */
  readonly latest_ms: number;
  /** False until the newest reading is known. */
  readonly isKnown: boolean;
}

interface LiveStretch {
  /** The stretch; null until the newest reading is known, if it depends on that. */
  readonly stretch: Stretch | null;
  readonly isLive: boolean;
  /** Called at each move of the cursor. */
  readonly hold: (hasCursor: boolean) => void;
}

export function useStretch(asked: StretchAsked): LiveStretch {
  const { from_ms, isFollowed, newest_ms, latest_ms, isKnown } = asked;
  const to_ms = asked.to_ms === null ? null : Math.min(asked.to_ms, latest_ms);
  const heldUntil_ms = useRef(0);
  const end = useRef<number | null>(null);
  const start = useRef<number | null>(null);
  const hold = (hasCursor: boolean) => {
    heldUntil_ms.current = hasCursor ? performance.now() + HELD_MAX_MS : 0;
  };
  const isLive = isFollowed || (from_ms === null && to_ms === null);
  if (isKnown) start.current ??= newest_ms;
  const isGiven = from_ms !== null && to_ms !== null;
  if (start.current === null && (isLive || !isGiven)) return { stretch: null, isLive, hold };
  const whole = upTo(start.current ?? newest_ms, START_MS);
  const low_ms = from_ms ?? (to_ms === null ? whole.from_ms : to_ms - START_MS);
  const high_ms = to_ms ?? whole.to_ms;
  const length_ms = low_ms < high_ms ? high_ms - low_ms : DAY_MS;
  if (!isLive)
    return { stretch: upTo(Math.min(low_ms + length_ms, latest_ms), length_ms), isLive, hold };
  const step_ms = Math.min(STEP_MAX_MS, Math.max(1000, length_ms / STEPS));
  const next_ms = Math.floor(newest_ms / step_ms) * step_ms;
  if (end.current === null || performance.now() > heldUntil_ms.current) end.current = next_ms;
  return { stretch: upTo(end.current, length_ms), isLive, hold };
}
