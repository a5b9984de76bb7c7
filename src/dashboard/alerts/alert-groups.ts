// Open alerts in the order of urgency, those of one kind in one row: eight lamps near their end are
// one thing to plan, fifty alarms of one code one to look at.

import { byRank, isAwaited } from "../../bwts/alerts/priority.ts";
import { alertLine } from "../parts/alert-lines.ts";
import { alertMeaning } from "../parts/alert-words.ts";
import { beginningOf } from "../parts/long-text.tsx";
import type { ShownAlert } from "../store/alerts.ts";

/** Alerts of one code, priority and state; the most urgent first. */
export type AlertGroup = readonly [ShownAlert, ...ShownAlert[]];

/** In the order of their most urgent. */
export function groupsOf(alerts: readonly ShownAlert[]): readonly AlertGroup[] {
  const groups = new Map<string, [ShownAlert, ...ShownAlert[]]>();
  for (const alert of [...alerts].sort(byRank)) {
    const { source, priority, code, description, isShelved } = alert;
    const kind = [source, priority, isAwaited(alert), isShelved, code ?? description].join(" ");
    const known = groups.get(kind);
    if (known === undefined) groups.set(kind, [alert]);
    else known.push(alert);
  }
  return [...groups.values()];
}

/** Characters of a title, at most; a longer text is in the detail. */
export const TITLE_MAX = 80;

export const isCut = (text: string) => beginningOf(text, TITLE_MAX) !== text;

export interface AlertTitle {
  readonly text: string;
  readonly isEnglish: boolean;
}

/** Alerts of one kind as a sentence in words; what the plant's PLC said stays as sent. */
export function titleOf([first, ...others]: AlertGroup): AlertTitle {
  const line = alertLine(first, others);
  const meaning = line.isEnglish ? alertMeaning(first) : null;
  const isEnglish = line.isEnglish && meaning === null;
  const text = meaning?.replace(/[.。]$/, "") ?? line.text;
  return { text: isEnglish ? text : text.charAt(0).toUpperCase() + text.slice(1), isEnglish };
}

/** The alerts that somebody has to acknowledge, and can. */
export function awaitedOf(alerts: readonly ShownAlert[]): readonly ShownAlert[] {
  return alerts.filter((alert) => alert.id !== null && isAwaited(alert));
}
