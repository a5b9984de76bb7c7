// Compares the place of the log with that of the book. Officers write more than a plant sends:
// "Port of Busan, KR" and "PUSAN" are one place. Whatever else stands beside the name has to be
// understood: "Busan, Ulsan", "Busan (50 nm off)" and "Busan, China" aren't compared. One name
// within another isn't the same either: Angeles is no Los Angeles, and York no New York.

import { plainText } from "./book-words.ts";
import { areasNamed, areasOf, portName } from "./port-names.ts";

/** Words that say nothing of which place it is. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    "port ports of the de du del d le la el puerto anchorage anch anchor berth terminal " +
    "harbour harbor roads outer inner mouillage fondeadero quai muelle at in pier jetty " +
    "wharf dock alongside rade city commercial container oil lng bulk cargo"
  ).split(" "),
);

/** A latitude or longitude in any of the usual forms. */
const POSITION = /\d{1,3}\s*(°|deg|[-\s])?\s*\d{0,2}([.,]\d+)?\s*['’′]?\s*[nsewo](?![a-z])/i;

/** Characters that are compared: a longer text is no name, and takes time. */
const COMPARED_MAX = 200;

/** Signs that say something of their own: of doubt, of a correction, of what is struck out. */
const STRANGE = /[^\p{L}\p{M}\p{N}\s.,;:()[\]/&'’–-]|--/u;

export interface PlaceWords {
  /** As it is written. */
  readonly text: string;
  /** Names of the text's parts, the port's first: "Tampa, Florida" has two. */
  readonly names: readonly string[];
  /** The words of the first. */
  readonly words: readonly string[];
  /** Meanings of each country or state beside the names. */
  readonly areas: readonly (readonly string[])[];
  /** True if it has signs that aren't understood, or is too long. */
  readonly isDoubtful: boolean;
}

/** The words that name a place; null for a position, and for a text that names none. */
export function comparedWords(text: string | null): PlaceWords | null {
  const begun = (text ?? "").slice(0, COMPARED_MAX).replaceAll(/\s+/g, " ");
  if (POSITION.test(begun)) return null;
  const parts = begun.split(/[,;()[\]]+/).map(partOf);
  const [first, ...more] = new Set(parts.flatMap(({ name }) => name ?? []));
  if (first === undefined) return null;
  return {
    ...{ text: text ?? "", names: [first, ...more], words: first.split(" ") },
    areas: parts.flatMap(({ areas }) => (areas === null ? [] : [areas])),
    isDoubtful: STRANGE.test(begun) || (text ?? "").length > COMPARED_MAX,
  };
}

interface PlacePart {
  /** By its alias; null for a country, and for words that name nothing. */
  readonly name: string | null;
  readonly areas: readonly string[] | null;
}

function partOf(part: string): PlacePart {
  const plain = plainText(part)
    .replace(/\bnew port\b/, "port")
    .replace(/\bn[or]\b\.? ?(?=\d)/, "berth ");
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  const whole = portName(words.join(" "));
  if (whole !== null) return { name: whole, areas: null };
  // The longest name of a country that the part ends with, or is.
  const at = words.findIndex((_, index) => areasNamed(words.slice(index).join(" ")) !== null);
  const areas = at < 0 ? null : areasNamed(words.slice(at).join(" "));
  const own = at < 0 ? words : words.slice(0, at);
  // The number of a berth, and of nothing else.
  const isBerth = own.some((word) => EMPTY_WORDS.has(word));
  const isNaming = (word: string) =>
    !EMPTY_WORDS.has(word) && !(isBerth && /^\d+[a-z]?$/.test(word));
  const kept = own.filter(isNaming);
  if (kept.length === 0) return { name: null, areas };
  return { name: portName(own.join(" ")) ?? portName(kept.join(" ")) ?? kept.join(" "), areas };
}

/** Null where the two can't be compared. */
export function isSamePlace(log: string | null, book: string | null): boolean | null {
  return areSameWords(comparedWords(log), comparedWords(book));
}

/** The second may name the country, if it is the port's; the first needs no proof of its own. */
export function areSameWords(own: PlaceWords | null, theirs: PlaceWords | null): boolean | null {
  if (own === null || theirs === null) return null;
  if (own.text === theirs.text) return true;
  const isOne =
    own.names.length === theirs.names.length &&
    own.names.every((name) => theirs.names.includes(name));
  const isSure = !own.isDoubtful && !theirs.isDoubtful;
  if (isOne && isSure && areAreasOf(own, theirs.areas)) return true;
  if (theirs.names.includes(own.names[0]) || own.names.includes(theirs.names[0])) return null;
  // A common word may be the name, or "San".
  return own.words.some((word) => theirs.words.includes(word)) ? null : false;
}

function areAreasOf({ names, areas }: PlaceWords, told: PlaceWords["areas"]): boolean {
  const known = new Set([...names.flatMap(areasOf), ...areas.flat()]);
  return told.every((meanings) => meanings.some((one) => known.has(one)));
}
