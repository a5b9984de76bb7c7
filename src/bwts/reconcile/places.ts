// Compares the place of the log with that of the book. Officers write more than a plant sends:
// "Port of Busan, KR" and "BUSAN" are one place; a position can't be compared with a name.

import { plainText } from "./book-columns.ts";

/** Words that say nothing of which place it is. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    "port of the de du la le el puerto anchorage anch berth terminal harbour harbor roads outer " +
    "inner mouillage fondeadero quai muelle at off"
  ).split(" "),
);

/** A latitude or longitude in any of the usual forms. */
const POSITION = /\d{1,3}\s*(°|deg|[-\s])?\s*\d{0,2}([.,]\d+)?\s*['’′]?\s*[nsewo](?![a-z])/i;

const wordsOf = (text: string) =>
  (plainText(text).match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !EMPTY_WORDS.has(word));

/** Characters that are compared: a longer text is no name, and takes time. */
const COMPARED_MAX = 200;

/** The words that name a place; null for a position, and for a text that names none. */
export function comparedWords(text: string | null): readonly string[] | null {
  const begun = (text ?? "").slice(0, COMPARED_MAX).replaceAll(/\s+/g, " ");
  if (POSITION.test(begun)) return null;
  const words = wordsOf(begun);
  return words.length === 0 ? null : words;
}

/** Null where the two can't be compared. */
export function isSamePlace(log: string | null, book: string | null): boolean | null {
  return areSameWords(comparedWords(log), comparedWords(book));
}

export function areSameWords(
  own: ReturnType<typeof comparedWords>,
  theirs: ReturnType<typeof comparedWords>,
): boolean | null {
  if (own === null || theirs === null) return null;
  const [fewer, more] = own.length <= theirs.length ? [own, theirs] : [theirs, own];
  return fewer.every((word) => more.includes(word));
}
