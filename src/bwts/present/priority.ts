// The words for an alert's priority and state, and the order of urgency derived from them. Without
// zod, and apart from the table of codes, which the page needs only once Alerts is opened.

/**
 * Priorities as in MSC.302(87): an alarm needs action at once, a warning attention, a caution
 * awareness.
 */
export const PRIORITIES = ["alarm", "warning", "caution"] as const;
export type Priority = (typeof PRIORITIES)[number];

/**
 * States. `rectified`: its cause is gone, but nobody has acknowledged it. `closed`: its cause is
 * gone and it is acknowledged. A caution closes when its cause is gone, acknowledged or not.
 */
export const ALERT_STATES = ["unacknowledged", "acknowledged", "rectified", "closed"] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** The facts that the urgency of an open alert is derived from. */
export interface RankedAlert {
  readonly priority: Priority;
  /** State of the alert; null if it isn't known. */
  readonly state: AlertState | null;
  /** True while somebody has shelved it. */
  readonly isShelved: boolean;
  /**
   * True if its lamp, near its end when the alert was raised, is now past its life: such an alert
   * comes before others of its priority.
   */
  readonly isPastLife?: boolean;
  /** Time at which it was last raised. */
  readonly last_ms: number | null;
}

/** True if it waits for an acknowledgement; cautions need none. */
export function isAwaited({
  priority,
  state,
  isShelved,
}: Pick<RankedAlert, "priority" | "state" | "isShelved">): boolean {
  if (isShelved || priority === "caution") return false;
  return state === "unacknowledged" || state === "rectified";
}

/**
 * Order as in MSC.302(87): unacknowledged alerts first, of these the highest priority, of these the
 * newest.
 */
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
