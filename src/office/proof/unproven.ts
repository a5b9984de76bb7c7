// Checks a ship's data at the office besides its chains and its ledger: names rows that no ship
// makes, which are faults, and all data that no hash covers.

import type { Office } from "../office.ts";
import type { HoursVerified } from "./hours.ts";

/** Faults: rows that neither a ship nor our schema makes. */
export async function oddRows(office: Office, ship: string): Promise<readonly string[]> {
  const boxes = await office.ask<{ instance: string }>("office.unknown_boxes", [ship]);
  const kinds = await office.ask<{ kind: string; count: number }>("office.unproven_kinds", [ship]);
  return [
    ...boxes.map(({ instance }) => `the box ${instance}: something came by it, and it isn't here`),
    ...kinds
      .filter(({ kind }) => !LOOSE_KINDS.includes(kind))
      .map(({ kind, count }) => `${count} documents of the kind ${JSON.stringify(kind)}`),
  ];
}

/** Kinds of documents that no hash covers. */
const LOOSE_KINDS = ["report", "alarm", "forecast", "lamp", "void", "setting", "answer"];

/** Unproven data besides the ledger's: without a hash, or with one that couldn't be compared. */
export async function unprovenHere(
  office: Office,
  ship: string,
  { lacking, objects, hours }: { lacking: number; objects: number; hours: HoursVerified },
): Promise<readonly string[]> {
  const kinds = await office.ask<{ kind: string; count: number }>("office.unproven_kinds", [ship]);
  const countOf = (name: string) => kinds.find(({ kind }) => kind === name)?.count ?? 0;
  const loose = hours.not_here + hours.fewer_aboard;
  const unread = office.objects === "unnamed" ? objects : 0;
  return [
    ...(lacking === 0 ? [] : [`${lacking} segments without their readings`]),
    ...(unread === 0 ? [] : [`${unread} payloads in a store that --objects didn't name`]),
    ...(hours.own_spans === 0
      ? []
      : [`${hours.own_spans} hours whose values left out are told by the hours alone`]),
    ...(loose === 0 ? [] : [`${loose} hours whose readings aren't all here or are hidden aboard`]),
    `by nothing: ${LOOSE_KINDS.map((kind) => `${kind} (${countOf(kind)})`).join(", ")}, that no ` +
      "hour, no branch that the ship left and nothing behind her last report was taken away " +
      "(--since), times of receipt and by which box, times and reasons of signed heads, names of " +
      "ships, revisions and further members of documents, requests",
  ];
}
