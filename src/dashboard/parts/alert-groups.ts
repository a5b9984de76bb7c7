// Alerts in the order of urgency, those of one kind together: eight lamps near their end are one
// thing to plan, fifty alarms of one code one to look at.

import { byRank } from "../../bwts/present/priority.ts";
import type { ShownAlert } from "../store/alerts.ts";

/** Alerts of one kind, at least one; the most urgent first. */
export type AlertGroup = readonly [ShownAlert, ...ShownAlert[]];

/** By code, or by words without one, priority, and `state`; in the order of their most urgent. */
export function groupsOf(
  alerts: readonly ShownAlert[],
  state: (alert: ShownAlert) => readonly unknown[] = () => [],
): readonly AlertGroup[] {
  return alertsBy([...alerts].sort(byRank), (alert) => {
    const { source, priority, code, description, isPastLife = false } = alert;
    return [source, priority, code ?? description, isPastLife, ...state(alert)];
  });
}

/** Alerts with equal `facts` are one group, in the order in which they come. */
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
