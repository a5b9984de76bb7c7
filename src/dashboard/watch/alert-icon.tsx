// The sign of an alert: a triangle for an alarm, a disc for a warning, a square for a caution. It
// is full until acknowledged, then an outline, and an outline with a tick once the alert is closed.
// It flashes once a second while it waits to be acknowledged.

import { isAwaited } from "../../bwts/present/priority.ts";
import type { OpenAlert } from "../store/answers.ts";

const SHAPES = {
  alarm: <path d="M12 3l10 18H2z" />,
  warning: <circle cx="12" cy="12" r="9" />,
  caution: <path d="M4 4h16v16H4z" />,
} as const;

export function AlertIcon({ alert }: { alert: OpenAlert }) {
  return (
    <svg
      class={`alert-icon ${alert.priority} ${look(alert)}`}
      viewBox="0 0 24 24"
      aria-hidden="true"
    >
      {SHAPES[alert.priority]}
      {alert.state === "rectified" && <path d="M8 14l3 3 5-6" />}
    </svg>
  );
}

function look(alert: OpenAlert): string {
  const isFull = alert.state === "unacknowledged" && !alert.isShelved;
  return `${isFull ? "filled" : "outlined"} ${isAwaited(alert) ? "flashing" : ""}`;
}

/** The shape of a priority alone, as in a filter. */
export function PriorityShape({ priority }: Pick<OpenAlert, "priority">) {
  return (
    <svg class={`alert-icon ${priority} filled`} viewBox="0 0 24 24" aria-hidden="true">
      {SHAPES[priority]}
    </svg>
  );
}
