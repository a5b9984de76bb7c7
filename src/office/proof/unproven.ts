// Checks a ship's data at the office besides its chains and its ledger: names rows that no ship
// makes, which are faults, and all data that no hash covers.

import type { Office } from "../office.ts";
import type { HoursResult } from "./hours.ts";

/** A kind of documents or rows that no hash covers, with their number. */
export interface UnprovenKind {
  readonly kind: string;
  readonly count: number;
}

export const unprovenKinds = (office: Office, ship: string) =>
  office.ask<UnprovenKind>("office.unproven_kinds", [ship]);

export const unprovenRows = (office: Office, ship: string) =>
  office.ask<UnprovenKind>("office.unproven_rows", [ship]);

/** Faults: rows that neither a ship nor our schema makes. */
export async function oddRows(
  office: Office,
  ship: string,
  kinds: readonly UnprovenKind[],
): Promise<readonly string[]> {
  const boxes = await office.ask<{ instance: string }>("office.unknown_boxes", [ship]);
  return [
    ...boxes.map(({ instance }) => `the box ${instance}: something came by it, and it isn't here`),
    ...kinds
      .filter(({ kind }) => !LOOSE_KINDS.includes(kind))
      .map(({ kind, count }) => `${count} documents of the kind ${JSON.stringify(kind)}`),
  ];
}

/** Kinds of documents that no hash covers. */
const LOOSE_KINDS = ["report", "alarm", "forecast", "lamp", "void", "setting", "answer"];

interface UnprovenCounts {
  /** Segments without their readings. */
  readonly lacking: number;
  /** Payloads in a store of objects. */
  readonly objects: number;
  readonly hours: HoursResult;
  readonly kinds: readonly UnprovenKind[];
  readonly rows: readonly UnprovenKind[];
}

/** Unproven data besides the ledger's: without a hash, or with one that couldn't be compared. */
export function unprovenHere(
  office: Pick<Office, "objects">,
  { lacking, objects, hours, kinds, rows }: UnprovenCounts,
): readonly string[] {
  const countOf = (name: string) => kinds.find(({ kind }) => kind === name)?.count ?? 0;
  const loose = hours.not_here + hours.fewer_aboard;
  const unread = office.objects === "unnamed" ? objects : 0;
  const all = LOOSE_KINDS.map((kind) => ({ kind, count: countOf(kind) }));
  const counted = ({ kind, count }: UnprovenKind) => `${kind} (${count})`;
  return [
    ...(lacking === 0 ? [] : [`${lacking} segments without their readings`]),
    ...(unread === 0 ? [] : [`${unread} payloads in a store that --objects didn't name`]),
    ...(hours.own_spans === 0
      ? []
      : [`${hours.own_spans} hours whose values left out are told by the hours alone`]),
    ...(loose === 0 ? [] : [`${loose} hours whose readings aren't all here or are hidden aboard`]),
    `by nothing: ${[...all, ...rows].map(counted).join(", ")}, that no ` +
      "hour, no branch that the ship left and nothing behind her last report was taken away " +
      "(--since), times of receipt and by which box, times and reasons of signed heads, names " +
      "and roles of ships, when they were added or revoked, versions, times and addresses of " +
      "boxes, when migrations were run, revisions and further members of documents, PostgreSQL " +
      "itself: its program, settings, roles and own functions",
  ];
}
