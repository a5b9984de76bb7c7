// The list of the past: the answers needed for the view in the address, and its lines in order. The
// API limits the records of each kind in an answer, so the list ends where the first answer does.

import { PRIORITIES } from "../../bwts/present/priority.ts";
import { alertsWords as t } from "../lang/words.ts";
import { printSecond } from "../parts/moments.ts";
import { MISSING } from "../parts/numbers.ts";
import { instantParameter, type ViewOf } from "../parts/view.ts";
import { wholeParameter, wordParameter } from "../parts/view-parameters.ts";
import type { ShownAlert } from "../store/alerts.ts";
import type { PagePart } from "../store/ask.ts";
import type { ShownEvent } from "../store/events.ts";

/** Kinds of lines. `sent`: each event of an alarm separately, without a count. */
export const LINE_KINDS = ["all", "plc", "ballastd", "cleared", "operations", "sent"] as const;
export const PRIORITY_CHOICES = ["any", ...PRIORITIES] as const;

export const LISTS = ["open", "past"] as const;

export const ALERTS_VIEW = {
  list: wordParameter(LISTS, "open"),
  from: instantParameter(),
  to: instantParameter({ day: "end" }),
  kind: wordParameter(LINE_KINDS, "all"),
  priority: wordParameter(PRIORITY_CHOICES, "any"),
  page: wholeParameter(2, 100),
};
export type AlertsView = ViewOf<typeof ALERTS_VIEW>;

const ANSWER_MAX = 500;
export const PAGE_LINES = 50;

export type HistoryLine =
  | { readonly at_ms: number; readonly alert: ShownAlert }
  | { readonly at_ms: number; readonly event: ShownEvent };

/** The paths to request; null for kinds that the view leaves out. */
export function historyPaths({ from, to, kind }: AlertsView) {
  const query = [
    `limit=${ANSWER_MAX}`,
    ...(from === null ? [] : [`startDate=${new Date(from).toISOString()}`]),
    ...(to === null ? [] : [`endDate=${new Date(to).toISOString()}`]),
  ].join("&");
  const events = (type: string, isWanted: boolean) =>
    isWanted ? `/api/events?${query}&type=${type}` : null;
  const operations = kind === "all" || kind === "operations";
  return {
    alerts: kind === "operations" || kind === "sent" ? null : `/api/alarms?${query}`,
    starts: events("PROCESS_START", operations),
    stops: events("PROCESS_STOP", operations),
    sent: events("ALARM_TRIGGERED", kind === "sent"),
  };
}

export interface HistoryAnswers {
  readonly alerts: PagePart<readonly ShownAlert[]>;
  readonly events: readonly PagePart<readonly ShownEvent[]>[];
}

export interface ShownHistory {
  /** The lines, newest first. */
  readonly lines: readonly HistoryLine[];
  /** Time before which further lines may exist; null if all are listed. */
  readonly earlier_ms: number | null;
}

export function historyOf({ alerts, events }: HistoryAnswers, view: AlertsView): ShownHistory {
  const ofAlerts = (alerts.known?.value ?? []).map((alert) => ({
    at_ms: alert.last_ms ?? alert.since_ms ?? 0,
    alert,
  }));
  const ofEvents = events.map(({ known }) =>
    (known?.value ?? []).map((event) => ({ at_ms: event.at_ms, event })),
  );
  const lists: readonly (readonly HistoryLine[])[] = [ofAlerts, ...ofEvents];
  const ends = lists
    .filter(({ length }) => length >= ANSWER_MAX)
    .map((list) => Math.min(...list.map(({ at_ms }) => at_ms)));
  const earlier_ms = ends.length === 0 ? null : Math.max(...ends);
  const lines = lists
    .flat()
    .filter((line) => line.at_ms >= (earlier_ms ?? line.at_ms) && isWanted(line, view))
    .sort((one, other) => other.at_ms - one.at_ms);
  return { lines, earlier_ms };
}

/** True if the view includes the line. A priority excludes operations, which have none. */
function isWanted(line: HistoryLine, { kind, priority }: AlertsView): boolean {
  if (!("alert" in line)) return priority === "any" || kind === "sent" || kind === "operations";
  if (kind === "cleared" && line.alert.cleared_ms === null) return false;
  if ((kind === "plc" || kind === "ballastd") && line.alert.source !== kind) return false;
  return priority === "any" || line.alert.priority === priority;
}

/** The state as a word; a caution needs no acknowledgement. */
export function stateText({ state, priority, isShelved }: ShownAlert): string {
  if (isShelved) return t("state_shelved");
  if (state === null) return t("state_unknown");
  return priority === "caution" && state === "unacknowledged" ? t("lasts") : t(`state_${state}`);
}

/** Name and time of the acknowledgement; null if there is none. */
export function acknowledgedText(alert: ShownAlert, now_ms: number): string | null {
  const { acknowledged_ms, acknowledged_by, acknowledged_note } = alert;
  if (acknowledged_ms === null) return null;
  const given = { moment: printSecond(acknowledged_ms, now_ms), by: acknowledged_by ?? MISSING };
  return acknowledged_note === null
    ? t("by", given)
    : t("by_with", { ...given, note: acknowledged_note });
}
