// Recognises lines of an officer's file that aren't entries: titles, totals, signatures, notes. A
// line is left out only if it is plainly a total, or only names (of the book, the ship, a page, a
// person). Any other may change what all entries mean, as "times are LT" or "cancelled" do.

import { isAmount, isCubicMetres, isUnit } from "./book-numbers.ts";
import { namedOrder } from "./book-times.ts";
import { plainText, wordSet } from "./book-words.ts";
import { mentionedZone } from "./zone.ts";

/** Words that revoke an entry, or say that it isn't what happened. */
const REVOKING =
  /cancel|abort|\bvoid|delet|anul|annul|\bnot\b|wrong|err(?:or|one)|correct(?:ed|ion)|strike|struck|draft|brouillon|borrador|planned|estimat|provision|invalid|supersed|replaced/;

/** True for a text that says that an entry isn't valid, or not as written. */
export function isRevoking(text: string): boolean {
  return REVOKING.test(plainText(text));
}

const TAKING =
  String.raw`(?:cancel\w*|void\w*|delet\w*|annul\w*|anulad\w*|wrong\w*` +
  String.raw`|err(?:or|one)\w*|invalid)`;
const WRITTEN = "(?:entry|entries|line|record)";
const TAKEN_BACK = new RegExp(
  String.raw`^\W*${TAKING}\W*$|\b${WRITTEN}\b.*\b${TAKING}|\b${TAKING}.*\b${WRITTEN}\b`,
);

export const HOLDS_EXPECTED = "expected no remark that changes what the entry says";

/** True for a remark that revokes an entry, or names the zone of its times. */
export function isTakenBack(remark: string): boolean {
  const plain = plainText(remark.slice(0, TEXT_MAX));
  if (TAKEN_BACK.test(plain)) return true;
  return /\btimes\b/.test(plain) && mentionedZone(remark.slice(0, TEXT_MAX)) !== undefined;
}

/** Words of volumes, units and clocks, and words that turn names into a sentence. */
const SPEAKING =
  /\b(?:volumes?|volumen|quantit\w*|cantidad\w*|amounts?|units?|figures?|gal(?:lon)?s?|tonn\w*|tons?|m3|cbm|bbls?|barrels?|lit[er]\w*|clocks?|horloge|reloj)\b/;
const SENTENCE =
  /\b(?:all|are|is|was|were|be|been|has|have|this|these|those|above|below|following|except|only|until|since|see)\b/;
const TIMES = /\b(?:times?|hours?|hrs?|heures?|horas?|zone|zones|local|ship'?s time)\b/;

/** Words of names and titles that may begin with a small letter. */
const NAMING = wordSet(
  "ballast water record records recording book books log logbook management register registry " +
    "registro libro livre registre eaux agua lastre de del du des la le les el of the and et y " +
    "for on by at in to from with s ship ships vessel vessels motor tanker name nom nombre call " +
    "sign flag official number numero no nr imo port home owner owners operator company manager " +
    "class gross tonnage voyage voy page pages sheet part annex appendix form format rev period " +
    "month year date dates printed issued exported report master masters captain chief officer " +
    "officers mate second third duty deck rank signature signatures signed verified checked " +
    "approved reviewed prepared responsible person charge capitaine capitan commandant oficial " +
    "officier encargado van von der den da di bin al firma firmado signe initials stamp behalf",
);
const TIMING = wordSet(
  "all times time are is given kept stated recorded entries in hours hrs clock clocks zone " +
    "local ship mean standard used as les heures sont horas son en",
);

/** Numbers that are only names: of the ship, a page, a voyage, a day. */
const NUMBERED =
  /\b(?:imo|pages?|voyage|voy|no|nr|number|sheet|rev|gt|dwt|mmsi|part|year)\b[\s.:#°º-]*\d+(?: ?(?:of|\/|-) ?\d+)?|\bmepc[\s.]?\d+ ?\(\d+\)/g;
const DATED =
  /\b\d{1,4}([-/.])\d{1,2}\1\d{1,4}\b|\b\d{1,2}(?:st|nd|rd|th)?[\s-]\p{L}{3,}|\b20\d\d\b/gu;

/** True if all words are names, by their capitals or because they are known. */
function areNames(text: string, known: readonly ReadonlySet<string>[]): boolean {
  const words = text.match(/\p{L}[\p{L}\p{M}]*/gu) ?? [];
  return words.every(
    (word) => /^\p{Lu}/u.test(word) || known.some((one) => one.has(plainText(word))),
  );
}

const isSpeaking = (plain: string) =>
  SPEAKING.test(plain) ||
  REVOKING.test(plain) ||
  [...plain.matchAll(/\b(?:in|en) (\w+)/g)].some(([, unit]) => isUnit(unit));

/** True for a text of names and their numbers, which says nothing about the entries. */
function isNaming(text: string): boolean {
  const plain = plainText(text);
  if (isSpeaking(plain) || SENTENCE.test(plain) || TIMES.test(plain)) return false;
  if (mentionedZone(text) !== undefined) return false;
  const rest = plain.replace(NUMBERED, "").replace(DATED, "");
  return !/\d/.test(rest) && areNames(text, [NAMING]);
}

/** True for a title above the header that is only names, or whose unit, zone or order is read. */
export function isKnownTitle(cells: readonly string[]): boolean {
  const text = lineText(cells);
  // A title may have the time at which the file was printed.
  if (isNaming(text.replace(/\b\d{1,2}:\d{2}\b/g, "")) || isCubicMetres(text)) return true;
  const plain = plainText(text);
  if (isSpeaking(plain.replace(/\bclocks?\b/g, ""))) return false;
  if (mentionedZone(text) !== undefined) return areNames(text, [NAMING, TIMING]);
  return (
    namedOrder(text) !== null && areNames(text.replace(/[dmyjah]+\W[dmyjah\W]+/gi, ""), [NAMING])
  );
}

const TOTAL =
  /^(?:(?:grand|sub|page|monthly)[\s-]?)?total\b|^sum\b|^suma\b|^somme\b|^(?:carried|brought) forward/;
const TOTALLED = wordSet(
  "volume volumes quantity uptake discharge discharged ballast ballasted deballasted water of " +
    "for the month page year in out moved m cbm totals",
);
const SIGNED =
  /^(?:signature|signed|sign|verified|checked|master|captain|chief officer|c\/o|capitaine|capitan|firma|page|vessel|ship|m\/?v|imo|voyage)\b/;

/** True for a line that is plainly a total, or a signature, or names of the ship or the page. */
export function isPlainNote(cells: readonly string[]): boolean {
  const [first = "", ...more] = cells.filter((cell) => cell !== "");
  const plain = plainText(first);
  if (!TOTAL.test(plain)) return SIGNED.test(plain) && isNaming(lineText(cells));
  const rest = plain.replace(TOTAL, "").replace(/m3|\d[\d.,' ]*/g, "");
  const isLabel = (rest.match(/\p{L}+/gu) ?? []).every((word) => TOTALLED.has(word));
  return isLabel && more.every((cell) => isAmount(cell) || !/[\p{L}\p{N}]/u.test(cell));
}

/** A total's label, and the number in it or ""; null for a line that is none, or a balance. */
export function totalOf(
  cells: readonly string[],
): { readonly text: string; readonly number: string } | null {
  const plain = plainText(cells.find((cell) => cell !== "") ?? "");
  if (!TOTAL.test(plain) || /forward/.test(plain)) return null;
  const [number = ""] = /\d[\d.,' ]*(?: ?(?:m3|cbm))?/.exec(plain.replace(TOTAL, "")) ?? [];
  return { text: plain, number: number.trim() };
}

/** Maximum number of characters of a text that are read. */
const TEXT_MAX = 1_000;

const lineText = (cells: readonly string[]) =>
  cells
    .filter((cell) => cell !== "")
    .join(" ")
    .slice(0, TEXT_MAX);
