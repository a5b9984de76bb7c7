// Decides when an operation is judged. Its messages arrive in pieces: live ones within some seconds
// of the stop; a buffer, an import or a replay adds to it for a while. A judgement between two
// pieces would be a version that the next one contradicts. The decision rests on stored receipts,
// so that a restart neither forgets a waiting operation nor judges it too early.

import type { OperationSpan } from "../../bwts/operations/judging.ts";
import { MINUTE_MS, SECOND_MS } from "../../ground/clock.ts";
import { type Connection, prepare } from "../file/open.ts";
import { versionsOf } from "../records/operation-rows.ts";

/** Time without new data after which an operation that arrived live is judged. */
const LIVE_MS = 3 * SECOND_MS;
/** The same for one that arrived late, or is already judged. */
const LATE_MS = 10 * SECOND_MS;
/** Maximum delay after the first piece that isn't judged yet. */
const LATE_MAX_MS = MINUTE_MS;

/** An operation, found or only stored, with its times by the PLC's clock. */
export interface QuietOperation extends Pick<OperationSpan, "start_event" | "stop_event"> {
  readonly start_ms: number;
  readonly end_ms: number;
  /** The number of its row; null for a new one. */
  readonly id: number | null;
}

/** True if the operation is to be judged now. */
export function isQuiet(db: Connection, { id, ...asked }: QuietOperation): boolean {
  const made_ms = (id === null ? undefined : versionsOf(db, id).at(-1)?.made_ms) ?? null;
  const received = prepare(db, "operation.received").get({ ...asked, after_ms: made_ms ?? 0 });
  const [oldest_ms, newest_ms, since_ms] = [
    ...[received?.oldest_ms, received?.newest_ms, received?.since_ms].map(Number),
  ];
  const now_ms = Date.now();
  // A receipt in the future means that the clock was set: then it doesn't wait.
  if (since_ms === 0 || newest_ms > now_ms) return true;
  const isLive = made_ms === null && newest_ms - oldest_ms >= (asked.end_ms - asked.start_ms) / 2;
  if (isLive) return now_ms - newest_ms >= LIVE_MS;
  return now_ms - newest_ms >= LATE_MS || now_ms - since_ms >= LATE_MAX_MS;
}
