// Operations that wait to be judged again: what stands of them was judged by other data, or by
// other limits. The newest hour stays due until a later one begins, so it says nothing.

import { floorTo, HOUR_MS } from "../../ground/clock.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { OPERATIONS } from "./operations.ts";

/** The starts of the hours that the derivation has yet to judge, ascending. */
export function dueHours(db: Connection): readonly number[] {
  const { name } = OPERATIONS;
  return prepare(db, "due.up_to")
    .all({ name, now_ms: Number.MAX_SAFE_INTEGER })
    .map(({ start_ms }) => start_ms);
}

/** True for a range of an operation that waits. */
export function waitingIn(db: Connection): (range: ClosedRange) => boolean {
  const hours = new Set(dueHours(db).slice(0, -1));
  return (range) => touchesAny(range, hours);
}

export function touchesAny({ start_ms, end_ms }: ClosedRange, hours: ReadonlySet<number>): boolean {
  if (hours.size === 0) return false;
  for (let at = floorTo(start_ms, HOUR_MS); at <= end_ms; at += HOUR_MS)
    if (hours.has(at)) return true;
  return false;
}
