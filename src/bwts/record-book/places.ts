// Compares the place of the log with that of the book. Officers write more than a plant sends:
// "Port of Busan, KR" and "PUSAN" are one place. One name within another isn't: Angeles is no Los
// Angeles, and York no New York. Then it is said that they weren't compared.

import { plainText } from "./book-words.ts";
import { COUNTRY_WORDS, portName } from "./port-names.ts";

/** Words that say nothing of which place it is. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    "port ports of the de du del d le el puerto anchorage anch anchor berth terminal " +
    "harbour harbor roads outer inner mouillage fondeadero quai muelle at off in pier jetty " +
    "wharf dock no nr alongside rade city commercial container oil lng bulk cargo"
  ).split(" "),
);

/** A latitude or longitude in any of the usual forms. */
const POSITION = /\d{1,3}\s*(°|deg|[-\s])?\s*\d{0,2}([.,]\d+)?\s*['’′]?\s*[nsewo](?![a-z])/i;

/** Characters that are compared: a longer text is no name, and takes time. */
const COMPARED_MAX = 200;

export interface PlaceWords {
  /** Names of the text's parts, the port's first: "Jurong, Singapore" has two. */
  readonly names: readonly string[];
  /** The words of the first. */
  readonly words: readonly string[];
}

/** The words that name a place; null for a position, and for a text that names none. */
export function comparedWords(text: string | null): PlaceWords | null {
  const begun = (text ?? "").slice(0, COMPARED_MAX).replaceAll(/\s+/g, " ");
  if (POSITION.test(begun)) return null;
  const [first, ...more] = begun.split(/[,;()[\]]+/).flatMap(nameOf);
  if (first === undefined) return null;
  return { names: [first, ...more], words: first.split(" ") };
}

/** A part's name by its alias; none for a country, and for words that name nothing. */
function nameOf(part: string): readonly string[] {
  const plain = plainText(part).replace(/\bnew port\b/, "port");
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  const isNaming = (word: string) => !EMPTY_WORDS.has(word) && !/^\d+[a-z]?$/.test(word);
  const kept = words.filter(isNaming);
  while (kept.length > 1 && COUNTRY_WORDS.has(kept[kept.length - 1])) kept.pop();
  const known = [words.join(" "), kept.join(" ")].flatMap((name) => portName(name) ?? []);
  if (known.length > 0) return [known[0]];
  return kept.every((word) => COUNTRY_WORDS.has(word)) ? [] : [kept.join(" ")];
}

/** Null where the two can't be compared. */
export function isSamePlace(log: string | null, book: string | null): boolean | null {
  return areSameWords(comparedWords(log), comparedWords(book));
}

export function areSameWords(own: PlaceWords | null, theirs: PlaceWords | null): boolean | null {
  if (own === null || theirs === null) return null;
  if (theirs.names.includes(own.names[0]) || own.names.includes(theirs.names[0])) return true;
  // A common word may be the name, or "San".
  return own.words.some((word) => theirs.words.includes(word)) ? null : false;
}
