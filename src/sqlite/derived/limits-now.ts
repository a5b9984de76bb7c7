// The states of the values that have a limit, at the newest reading: told from the stored readings
// each time, so that a late reading, a void or a restart leaves nothing to be mended.

import {
  type LimitState,
  limitState,
  SETTLED_MS,
  WATCHED,
  type Watched,
  type WatchedLimits,
} from "../../bwts/alerts/limit-state.ts";
import type { HealthLimits } from "../../bwts/health.ts";
import { silenceLimit } from "../../bwts/silence.ts";
import type { Connection } from "../file/open.ts";
import { readingsIn, UNDAMAGED } from "../sealed/timeline.ts";
import { operationNow } from "./gaps.ts";

export interface LimitsNow {
  readonly newest_ms: number;
  /** Longer without readings is a silence, ms. */
  readonly silence_ms: number;
  /** False if events or readings say that the operation is over. */
  readonly isRunning: boolean;
  readonly states: Readonly<Record<Watched, LimitState>>;
}

/** Null without a reading. */
export function limitsNow(db: Connection, limits: HealthLimits & WatchedLimits): LimitsNow | null {
  return db.transaction(() => {
    const { running, newest, cadence_ms } = operationNow(db, limits);
    if (newest === null) return null;
    const silence_ms = silenceLimit(cadence_ms);
    // Before the settled span one more reading, at the usual distance.
    const range = {
      start_ms: newest.at_ms - SETTLED_MS - silence_ms,
      end_ms: newest.at_ms,
    };
    const readings = [...readingsIn(db, range, UNDAMAGED)];
    const operation_type = running?.operation_type ?? null;
    const judged = { readings, operation_type, silence_ms, limits };
    const [filter_dp, flow] = WATCHED.map((watched) => limitState(watched, judged));
    const isRunning = running !== null;
    return { newest_ms: newest.at_ms, silence_ms, isRunning, states: { filter_dp, flow } };
  })();
}
