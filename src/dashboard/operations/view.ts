// The state of the page Operations, kept in its address: the filters, how far back the list was
// paged, and the shown operation.

import { addressOf, instantParameter, type ViewOf, type ViewParameter } from "../parts/view.ts";
import { wholeParameter, wordParameter } from "../parts/view-parameters.ts";

const ANY = "any";
export const VERDICT_CHOICES = [ANY, "within_limits", "outside_limits", "cannot_tell"] as const;
/** The kinds by the treatment system's names; other kinds are kept as they were sent. */
export const OPERATION_TYPES = ["BALLAST", "DEBALLAST", "CIP"] as const;

const textParameter: ViewParameter<string | null> = {
  start: null,
  read: (text) => (text.length <= 200 ? text : null),
  write: (value) => value ?? "",
};

export const OPERATIONS_VIEW = {
  id: wholeParameter(1, Number.MAX_SAFE_INTEGER),
  from: instantParameter(),
  to: instantParameter({ day: "end" }),
  type: textParameter,
  place: textParameter,
  verdict: wordParameter(VERDICT_CHOICES, ANY),
  /** The newest start on this page; null on the first page. */
  before: instantParameter(),
  tables: wordParameter(["off", "on"], "off"),
};
type OperationsView = ViewOf<typeof OPERATIONS_VIEW>;

export const LISTED_OPERATIONS = 50;

/**
 * Path of a page of the list. It requests one operation more than the page shows, which begins the
 * next page.
 */
export function listPath({ from, to, type, place, verdict, before }: OperationsView): string {
  const query = new URLSearchParams({ limit: String(LISTED_OPERATIONS + 1) });
  const ends = [to, before].filter((end) => end !== null);
  if (from !== null) query.set("startDate", new Date(from).toISOString());
  if (ends.length > 0) query.set("endDate", new Date(Math.min(...ends)).toISOString());
  if (type !== null) query.set("type", type);
  if (place !== null) query.set("location", place);
  if (verdict !== ANY) query.set("verdict", verdict);
  return `/api/operations?${query}`;
}

export function addressIn(view: Partial<OperationsView>): string {
  return addressOf("operations", OPERATIONS_VIEW, view);
}
