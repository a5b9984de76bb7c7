// Reads alerts with all members that the lists show: what, where, since when, value and limit, and
// who acted. The alert bar needs fewer, see answers.ts.

import type { AlarmAnswer } from "../../bwts/present/alarm.ts";
import { type OpenAlert, openAlert } from "./answers.ts";
import { instant, isLike, listOf, numberOrNull, type Read, textOrNull } from "./checks.ts";

/** An alert in the lists; members that the answer lacks are null. */
export interface ShownAlert extends OpenAlert {
  /** Id of the alert; without it the alert can't be acknowledged here. */
  readonly id: string | null;
  readonly source: AlarmAnswer["source"];
  /** Number of times that the alert rose. */
  readonly count: number;
  readonly last_ms: number | null;
  readonly cleared_ms: number | null;
  readonly parameter: string | null;
  readonly limit: number | null;
  readonly unit: string | null;
  readonly limit_source: string | null;
  readonly acknowledged_ms: number | null;
  readonly acknowledged_by: string | null;
  readonly acknowledged_note: string | null;
  readonly shelved_until_ms: number | null;
  readonly shelved_by: string | null;
  readonly shelved_reason: string | null;
}

/** Reads a list of alerts, in the answer's order. */
export const readAlertList: Read<readonly ShownAlert[]> = (body) => listOf(body, shownAlert);

function shownAlert(given: unknown): ShownAlert | null {
  const known = openAlert(given);
  if (known === null || !isLike<AlarmAnswer>(given)) return null;
  return {
    ...known,
    id: textOrNull(given.id),
    source: given.source === "ballastd" ? "ballastd" : "plc",
    count: numberOrNull(given.count) ?? 1,
    last_ms: instant(given.last_raised),
    cleared_ms: instant(given.cleared_at),
    parameter: textOrNull(given.parameter),
    limit: numberOrNull(given.limit),
    unit: textOrNull(given.unit),
    limit_source: textOrNull(given.limit_source),
    acknowledged_ms: instant(given.acknowledged_at),
    acknowledged_by: textOrNull(given.acknowledged_by),
    acknowledged_note: textOrNull(given.acknowledged_note),
    shelved_until_ms: instant(given.shelved_until),
    shelved_by: textOrNull(given.shelved_by),
    shelved_reason: textOrNull(given.shelved_reason),
  };
}
