// The spare lamps aboard: one number, set by people as counted, and one less at each lamp replaced.
// Each change is in one transaction with its entry in the audit log, from which a salvage takes the
// number again.

import type { Act } from "../../bwts/audit.ts";
import { type LampWord, wordsInForce } from "../../bwts/lamps/word.ts";
import { putMark } from "../file/mark.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { Append } from "./audit.ts";
import { parsedJson } from "./operation-rows.ts";

const SPARES_MARK = "lamp_spares";

/** Spares aboard; null if they were never counted. */
export function lampSpares(db: Connection): number | null {
  return prepare(db, "mark.at").get({ name: SPARES_MARK })?.value ?? null;
}

interface SparesChange {
  readonly spares: number;
  /** The position of the lamp that was replaced, 1 to 16; null: people counted. */
  readonly lamp: number | null;
  readonly act: Act;
}

/** Stores the number of spares, in the caller's transaction. */
export function setLampSpares(db: Connection, append: Append, change: SparesChange): void {
  const { spares, lamp, act } = change;
  const before = lampSpares(db);
  putMark(db, SPARES_MARK, spares);
  append({ ...act, kind: "lamp_spares", detail: { before, after: spares, lamp } });
}

interface SparesTaken {
  /** The statements about lamps before and after the new one. */
  readonly before: readonly LampWord[];
  readonly after: readonly LampWord[];
  readonly lamp: number;
  readonly act: Act;
}

/**
 * Takes the spare that was fitted, in the caller's transaction. A statement that corrects one about
 * the same replacement takes none, and one that denies it gives it back.
 */
export function takeLampSpare(db: Connection, append: Append, taken: SparesTaken): void {
  const { before, after, lamp, act } = taken;
  const known = lampSpares(db);
  const used = replacements(after) - replacements(before);
  if (known === null || used === 0) return;
  const spares = Math.max(0, known - used);
  if (spares !== known) setLampSpares(db, append, { spares, lamp, act });
}

const replacements = (words: readonly LampWord[]) =>
  wordsInForce(words).filter(({ replaced }) => replaced).length;

/** Stores the number that the audit log has, if it has one. */
export function restoreLampSpares(db: Connection): void {
  const entry = prepare(db, "audit.newest_spares").get({});
  const { after } = Object(entry === undefined ? null : parsedJson(entry.detail));
  if (Number.isSafeInteger(after) && after >= 0) putMark(db, SPARES_MARK, after);
}
