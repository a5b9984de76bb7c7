// The words for an alert's priority and state. Without zod: it is part of the page, which needs no
// table of codes before the page Alerts is opened.

/** As in MSC.302(87): an alarm needs action at once, a warning attention, a caution awareness. */
export const PRIORITIES = ["alarm", "warning", "caution"] as const;
export type Priority = (typeof PRIORITIES)[number];

/**
 * `rectified`: it is over, and nobody has acknowledged it. `closed`: it is over and acknowledged. A
 * caution is closed when it is over, acknowledged or not.
 */
export const ALERT_STATES = ["unacknowledged", "acknowledged", "rectified", "closed"] as const;
export type AlertState = (typeof ALERT_STATES)[number];
