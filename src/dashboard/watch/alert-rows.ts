// The rows of the open alerts, each with a title in words, and the alerts that wait for an
// acknowledgement.

import { isAwaited } from "../../bwts/present/priority.ts";
import { beginningOf } from "../parts/long-text.tsx";
import type { ShownAlert } from "../store/alerts.ts";
import { type AlertGroup, groupsOf } from "./alert-groups.ts";
import { alertLine } from "./alert-lines.ts";
import { alertMeaning } from "./alert-words.ts";

/**
 * Rows of alerts, one for each kind, separated by whether they wait for an acknowledgement, and
 * whether they are shelved.
 */
export const alertRows = (alerts: readonly ShownAlert[]) =>
  groupsOf(alerts, (alert) => [isAwaited(alert), alert.isShelved]);

/** Maximum length of a title, in characters; a longer text is in the detail. */
export const TITLE_MAX = 80;

export const isCut = (text: string) => beginningOf(text, TITLE_MAX) !== text;

export interface AlertTitle {
  readonly text: string;
  readonly isEnglish: boolean;
}

/** Alerts of one kind as a sentence in words; texts of the plant's PLC stay as sent. */
export function titleOf([first, ...others]: AlertGroup): AlertTitle {
  const line = alertLine(first, others);
  const meaning = line.isEnglish ? alertMeaning(first) : null;
  const isEnglish = line.isEnglish && meaning === null;
  const text = meaning?.replace(/[.。]$/, "") ?? line.text;
  return { text: isEnglish ? text : text.charAt(0).toUpperCase() + text.slice(1), isEnglish };
}

/** The alerts that wait for an acknowledgement, and can have one. */
export function awaitedOf(alerts: readonly ShownAlert[]): readonly ShownAlert[] {
  return alerts.filter((alert) => alert.id !== null && isAwaited(alert));
}
