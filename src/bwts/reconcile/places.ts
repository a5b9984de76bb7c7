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

/** Null where the two can't be compared. */
export function isSamePlace(log: string | null, book: string | null): boolean | null {
  if (log === null || book === null || POSITION.test(book) || POSITION.test(log)) return null;
  const [own, theirs] = [wordsOf(log), wordsOf(book)];
  if (own.length === 0 || theirs.length === 0) return null;
  const [fewer, more] = own.length <= theirs.length ? [own, theirs] : [theirs, own];
  return fewer.every((word) => more.includes(word));
}
