// The spare lamps aboard: the number that people counted, less the lamps replaced since, which
// people stated or ballastd recognised. Each change is in one transaction with its entry in the
// audit log, from which a salvage restores the number.

import { type Act, type AuditDetail, BY_SELF } from "../../bwts/audit.ts";
import type { LampSparesBody, SparesRefusal } from "../../bwts/lamps/plan-answer.ts";
import type { Beginning } from "../../bwts/lamps/state.ts";
import { isSameReplacement, type LampWord, wordsInForce } from "../../bwts/lamps/word.ts";
import { damageOf } from "../file/damage.ts";
import { putMark } from "../file/mark.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { Append } from "./audit.ts";
import { parsedJson } from "./operation-rows.ts";

/**
 * Names of the marks: the number as counted; the time of the count; the number of statements until
 * then; the stated and the recognised replacements since.
 */
const COUNTED = "lamp_spares";
const COUNTED_MS = "lamp_spares_at";
const COUNTED_WORDS = "lamp_spares_words";
const STATED = "lamp_spares_stated";
const RECOGNISED = "lamp_spares_recognised";

const markOf = (db: Connection, name: string) => prepare(db, "mark.at").get({ name })?.value;

/**
 * Spares aboard, 0 or more. Null if they were never counted, or if the number differs from the
 * audit log's: orders are based on it.
 */
export function lampSpares(db: Connection): number | null {
  const spares = countedSpares(db);
  if (spares === (loggedSpares(db)?.after ?? null)) return spares;
  damageOf(db).note("the number of spare lamps isn't what the audit log has: count them again");
  return null;
}

/** The newest number of the audit log; null if it has none. */
function loggedSpares(db: Connection): { readonly after: number; readonly at_ms: number } | null {
  const entry = prepare(db, "audit.newest_spares").get({});
  const { after } = Object(entry === undefined ? null : parsedJson(entry.detail));
  const isKnown = entry !== undefined && Number.isSafeInteger(after) && after >= 0;
  return isKnown ? { after, at_ms: entry.at_ms } : null;
}

function countedSpares(db: Connection): number | null {
  const counted = markOf(db, COUNTED);
  if (counted === undefined) return null;
  return Math.max(0, counted - (markOf(db, STATED) ?? 0) - (markOf(db, RECOGNISED) ?? 0));
}

/**
 * Stores the number that people counted, in the caller's transaction. Returns null, or the reason
 * to refuse it: the number to be replaced isn't the stored one.
 */
export function setLampSpares(
  db: Connection,
  append: Append,
  { counted: { spares, old }, act }: { readonly counted: LampSparesBody; readonly act: Act },
): SparesRefusal {
  const before = lampSpares(db);
  if (old !== undefined && old !== before) {
    // Accepted, because the request is a repetition, for example after a lost answer.
    if (spares === before) return null;
    const [is, was] = [before, old].map((one) => (one === null ? "not counted" : String(one)));
    const problem = `spares aboard: ${is} by now, instead of ${was}; count them again`;
    return { problem, now: before };
  }
  putCount(db, spares, act.at_ms);
  append({ ...act, kind: "lamp_spares", detail: { before, after: spares, lamp: null } });
  return null;
}

function putCount(db: Connection, spares: number, at_ms: number): void {
  putMark(db, COUNTED, spares);
  putMark(db, COUNTED_MS, at_ms);
  putMark(db, COUNTED_WORDS, prepare(db, "lamp.count_words").get({})?.count ?? 0);
  putMark(db, STATED, 0);
  putMark(db, RECOGNISED, 0);
}

/** Stores the number of replacements since the count, if it has changed. */
function putTaken(
  db: Connection,
  name: typeof STATED | typeof RECOGNISED,
  { taken, report }: { taken: number; report: (change: AuditDetail) => void },
): void {
  const before = lampSpares(db);
  if (before === null || taken === (markOf(db, name) ?? 0)) return;
  putMark(db, name, taken);
  const after = countedSpares(db);
  if (after !== before) report({ before, after });
}

interface SparesTaken {
  /** All statements about lamps, in the order in which they were made. */
  readonly words: readonly LampWord[];
  readonly lamp: number;
  readonly act: Act;
}

/**
 * Subtracts the spare that was fitted, in the caller's transaction. A statement that corrects one
 * about the same replacement subtracts none. One that denies a replacement since the count adds its
 * spare back.
 */
export function takeLampSpare(db: Connection, append: Append, stated: SparesTaken): void {
  const { words, lamp, act } = stated;
  const before = replacements(words.slice(0, markOf(db, COUNTED_WORDS) ?? 0));
  const since = replacements(words).filter(
    (one) => !before.some((other) => isSameReplacement(one, other)),
  );
  putTaken(db, STATED, {
    taken: since.length,
    report: (change) => append({ ...act, kind: "lamp_spares", detail: { ...change, lamp } }),
  });
}

const replacements = (words: readonly LampWord[]) =>
  wordsInForce(words).filter(({ replaced }) => replaced);

/** A lamp that by its readings isn't the one that was there before. */
export interface RecognisedLamp {
  /** Number of the lamp, 1 to 16. */
  readonly lamp: number;
  readonly began_ms: number;
}

/** Beginnings of a lamp's life that ballastd recognised, without a statement. */
export const RECOGNISED_BY: readonly Beginning[] = ["counter_fell", "light_returned"];

/**
 * Subtracts a spare for each lamp recognised since the count, in the caller's transaction. If the
 * lamp turns out to be the one before, or its replacement is stated, the spare is added back.
 */
export function takeRecognised(
  db: Connection,
  append: Append,
  { lamps, at_ms }: { readonly lamps: readonly RecognisedLamp[]; readonly at_ms: number },
): void {
  const counted_ms = markOf(db, COUNTED_MS);
  if (counted_ms === undefined) return;
  const since = lamps.filter(({ began_ms }) => began_ms > counted_ms);
  const last = since.toSorted((one, other) => one.began_ms - other.began_ms).at(-1);
  putTaken(db, RECOGNISED, {
    taken: since.length,
    report: (change) => {
      const detail = { ...change, lamp: last?.lamp ?? null, recognised: since.length };
      append({ ...BY_SELF, at_ms, kind: "lamp_spares", detail });
    },
  });
}

/** Restores the number from the audit log, if there is one. */
export function restoreLampSpares(db: Connection): void {
  const logged = loggedSpares(db);
  if (logged !== null) putCount(db, logged.after, logged.at_ms);
}
