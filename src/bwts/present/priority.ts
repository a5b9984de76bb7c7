// The words for an alert's priority and state, and the order of urgency that follows from them.
// Without zod: it is part of the page, which needs no table of codes before the page Alerts is
// opened.

/** As in MSC.302(87): an alarm needs action at once, a warning attention, a caution awareness. */
export const PRIORITIES = ["alarm", "warning", "caution"] as const;
export type Priority = (typeof PRIORITIES)[number];

/**
 * `rectified`: it is over, and nobody has acknowledged it. `closed`: it is over and acknowledged. A
 * caution is closed when it is over, acknowledged or not.
 */
export const ALERT_STATES = ["unacknowledged", "acknowledged", "rectified", "closed"] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** The facts that the urgency of an open alert follows from. */
export interface RankedAlert {
  readonly priority: Priority;
  /** Null if it isn't known. */
  readonly state: AlertState | null;
  /** Somebody has put it aside until a time. */
  readonly isShelved: boolean;
  /** Its lamp, near its end when it rose, is past its life: before others of its priority. */
  readonly isPastLife?: boolean;
  /** When it rose last. */
  readonly last_ms: number | null;
}

/** True if somebody has to acknowledge it; a caution needs that of nobody. */
export function isAwaited({
  priority,
  state,
  isShelved,
}: Pick<RankedAlert, "priority" | "state" | "isShelved">): boolean {
  if (isShelved || priority === "caution") return false;
  return state === "unacknowledged" || state === "rectified";
}

/** As MSC.302(87) lists them: the unacknowledged first, the worst of them, the newest of those. */
export function byRank(one: RankedAlert, other: RankedAlert): number {
  const rank = ({ priority }: RankedAlert) => PRIORITIES.indexOf(priority);
  return (
    Number(one.isShelved) - Number(other.isShelved) ||
    Number(isAwaited(other)) - Number(isAwaited(one)) ||
    rank(one) - rank(other) ||
    Number(other.isPastLife === true) - Number(one.isPastLife === true) ||
    (other.last_ms ?? 0) - (one.last_ms ?? 0)
  );
}
