// Compares the log's place with the book's. Officers write more than a plant sends: "Port of Busan,
// KR" and "PUSAN" are one place. Every other word beside the name must be understood: "Busan,
// Ulsan", "Busan (50 nm off)" and "Busan, China" aren't compared. A name within another isn't the
// same either: Angeles and Los Angeles, York and New York.

import { plainText } from "./book-words.ts";
import { areasNamed, areasOf, portName } from "./port-names.ts";

/** Words that don't identify a place. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    "port ports of the de du del d le la el puerto anchorage anch anchor berth terminal " +
    "harbour harbor roads outer inner mouillage fondeadero quai muelle at in pier jetty " +
    "wharf dock alongside rade city commercial container oil lng bulk cargo"
  ).split(" "),
);

/** A latitude or longitude in any of the usual forms. */
const POSITION = /\d{1,3}\s*(°|deg|[-\s])?\s*\d{0,2}([.,]\d+)?\s*['’′]?\s*[nsewo](?![a-z])/i;

/** Maximum number of characters that are compared: this bounds the time. */
const COMPARED_MAX = 200;

/** Signs with a meaning of their own: doubt, correction or deletion. */
const STRANGE = /[^\p{L}\p{M}\p{N}\s.,;:()[\]/&'’–-]|--/u;

export interface PlaceWords {
  /** The place as written. */
  readonly text: string;
  /** Names of the text's parts, the port's first: "Tampa, Florida" has two. */
  readonly names: readonly string[];
  /** The words of the first name. */
  readonly words: readonly string[];
  /** Possible meanings of each country or state beside the names. */
  readonly areas: readonly (readonly string[])[];
  /** True if it has signs that aren't understood, or is too long. */
  readonly isDoubtful: boolean;
}

/** The place that a text names; null for a position, and for a text that names none. */
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
  /** The name that stands for it; null for a country, and for words that name nothing. */
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
  // Start of the longest name of a country at the end of the part.
  const at = words.findIndex((_, index) => areasNamed(words.slice(index).join(" ")) !== null);
  const areas = at < 0 ? null : areasNamed(words.slice(at).join(" "));
  const own = at < 0 ? words : words.slice(0, at);
  // Numbers are left out only if the part names a berth.
  const isBerth = own.some((word) => EMPTY_WORDS.has(word));
  const isNaming = (word: string) =>
    !EMPTY_WORDS.has(word) && !(isBerth && /^\d+[a-z]?$/.test(word));
  const kept = own.filter(isNaming);
  if (kept.length === 0) return { name: null, areas };
  return { name: portName(own.join(" ")) ?? portName(kept.join(" ")) ?? kept.join(" "), areas };
}

/** True if both are one place; null if they can't be compared. */
export function isSamePlace(log: string | null, book: string | null): boolean | null {
  return areSameWords(comparedWords(log), comparedWords(book));
}

/** True for one place; null if it can't be decided. `theirs` may name the port's country too. */
export function areSameWords(own: PlaceWords | null, theirs: PlaceWords | null): boolean | null {
  if (own === null || theirs === null) return null;
  if (own.text === theirs.text) return true;
  const isOne =
    own.names.length === theirs.names.length &&
    own.names.every((name) => theirs.names.includes(name));
  const isSure = !own.isDoubtful && !theirs.isDoubtful;
  if (isOne && isSure && areAreasOf(own, theirs.areas)) return true;
  if (theirs.names.includes(own.names[0]) || own.names.includes(theirs.names[0])) return null;
  // A common word may be the name, or only a "San": not decided.
  return own.words.some((word) => theirs.words.includes(word)) ? null : false;
}

function areAreasOf({ names, areas }: PlaceWords, told: PlaceWords["areas"]): boolean {
  const known = new Set([...names.flatMap(areasOf), ...areas.flat()]);
  return told.every((meanings) => meanings.some((one) => known.has(one)));
}
