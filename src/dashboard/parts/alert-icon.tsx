// The sign of an alert: a triangle for an alarm, a disc for a warning, a square for a caution; full
// while nobody has acknowledged it, an outline afterwards. It flashes, once a second, only while it
// is unacknowledged.

import { isAwaited, type OpenAlert } from "../store/answers.ts";

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
    </svg>
  );
}

function look(alert: OpenAlert): string {
  if (isAwaited(alert)) return "filled flashing";
  return alert.state === "acknowledged" || alert.isShelved ? "outlined" : "filled";
}
