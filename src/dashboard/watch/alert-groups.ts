// Alerts in the order of urgency, grouped by kind: eight lamps near their end are one thing to
// plan, fifty alarms with one code one thing to check.

import { byRank } from "../../bwts/present/priority.ts";
import type { ShownAlert } from "../store/alerts.ts";

/** Alerts of one kind, at least one; the most urgent first. */
export type AlertGroup = readonly [ShownAlert, ...ShownAlert[]];

/**
 * Groups by code (or text without one), priority, and `state`; in the order of their most urgent
 * alerts.
 */
export function groupsOf(
  alerts: readonly ShownAlert[],
  state: (alert: ShownAlert) => readonly unknown[] = () => [],
): readonly AlertGroup[] {
  return alertsBy([...alerts].sort(byRank), (alert) => {
    const { source, priority, code, description, isPastLife = false } = alert;
    return [source, priority, code ?? description, isPastLife, ...state(alert)];
  });
}

/** Groups of alerts with equal `facts`, in the order of their first alerts. */
export function alertsBy(
  alerts: readonly ShownAlert[],
  facts: (alert: ShownAlert) => readonly unknown[],
): readonly AlertGroup[] {
  const groups = new Map<string, [ShownAlert, ...ShownAlert[]]>();
  for (const alert of alerts) {
    const key = JSON.stringify(facts(alert));
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [alert]);
    else known.push(alert);
  }
  return [...groups.values()];
}
