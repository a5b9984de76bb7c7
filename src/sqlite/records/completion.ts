// A record that is received again for the same time. Null means "not given", so a later record can
// fill what an earlier one lacked. Unlike a reading, a record is one statement: if one member
// contradicts, all of it is rejected, or a stored score would get the components of another.

import { withDigits } from "../../ground/exact-json.ts";

type RecordContent = Readonly<Record<string, unknown>>;

/** A stored record and the same one received again. */
export interface Completion {
  /** Names of the members that contradict the stored ones. */
  readonly differing: readonly string[];
  /** The members of the received record that the stored one lacks. */
  readonly more: RecordContent;
}

/**
 * Compares the two: a member that isn't null in the stored record, or may not be filled, must be
 * the same.
 */
export function completion(
  stored: RecordContent,
  received: RecordContent,
  mayFill: (name: string) => boolean,
): Completion {
  const said = Object.entries(received).filter(([, value]) => !saysNothing(value));
  const isFilling = (name: string) => mayFill(name) && saysNothing(stored[name]);
  return {
    differing: said
      .filter(([name, value]) => !isFilling(name) && !isSame(stored[name], value))
      .map(([name]) => name),
    more: Object.fromEntries(said.filter(([name]) => isFilling(name))),
  };
}

/** True if the stored record contains all of the received one. */
export function isContained({ differing, more }: Completion): boolean {
  return differing.length === 0 && Object.keys(more).length === 0;
}

function saysNothing(value: unknown): boolean {
  return value === null || value === undefined || value === "";
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || sortedJson(one) === sortedJson(other);
}

/** JSON with members sorted at every level, so that equal content has equal text. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : withDigits(inner),
  );
}
