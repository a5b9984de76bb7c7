// The view of the page Operations, which its address holds: the filters, how far back the list is
// paged, and the operation that is shown.

import {
  addressOf,
  instantParameter,
  type ViewOf,
  type ViewParameter,
  wholeParameter,
  wordParameter,
} from "../parts/view.ts";

const ANY = "any";
export const VERDICT_CHOICES = [ANY, "within_limits", "outside_limits", "cannot_tell"] as const;
/** As the treatment system names them; others are kept as they were sent. */
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
  /** The newest start on a page that isn't the first. */
  before: instantParameter(),
  tables: wordParameter(["off", "on"], "off"),
};
type OperationsView = ViewOf<typeof OPERATIONS_VIEW>;

export const LISTED_OPERATIONS = 50;

/** One more than a page has tells where the next one begins. */
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
