// Finds the header of an officer's file: names in one line or two, below titles. It shows the
// separator, the columns, their zones and units, and the columns that aren't understood.

import { type BookColumn, bookColumnOf, isNamePart, type NamedColumn } from "./book-columns.ts";
import { isRevoking } from "./book-notes.ts";
import { namedUnit } from "./book-numbers.ts";
import { type DateOrder, namedOrder } from "./book-times.ts";
import { plainText } from "./book-words.ts";
import { csvCells, SEPARATORS, type Separator, separatorLine } from "./csv-cells.ts";
import { mentionedZone, type WrittenZone } from "./zone.ts";

/** Maximum number of lines and characters within which the header must be: this bounds the time. */
const HEADER_WITHIN = 20;
const HEADER_CHARACTERS_MAX = 32 * 1024;

/** Thrown if a text has no header; the message says what is expected. */
export class NoBookHeader extends Error {}

export interface BookHeader {
  readonly separator: Separator;
  readonly names: readonly string[];
  readonly columns: readonly NamedColumn[];
  /** Its lines and the titles above as written, to recognise them where a page repeats them. */
  readonly lines: readonly (readonly string[])[];
  readonly titles: readonly HeaderLine[];
  readonly places: ReadonlyMap<BookColumn, number>;
  /** Numbers of its first and last line. */
  readonly first_line: number;
  readonly line: number;
  /** Zones named by columns of times, and by the titles above; undefined: none. */
  readonly zones: ReadonlyMap<BookColumn, WrittenZone>;
  readonly zone: WrittenZone | undefined;
  readonly units: ReadonlyMap<BookColumn, string>;
  readonly order: DateOrder | null;
}

export interface HeaderLine {
  readonly cells: readonly string[];
  readonly line: number;
}

/** The header's columns and separator. Throws a NoBookHeader. */
export function bookHeader(text: string): BookHeader {
  const { named, skipped } = separatorLine(text);
  const begun = text.slice(skipped, skipped + HEADER_CHARACTERS_MAX);
  const found = (named === null ? SEPARATORS : [named]).flatMap(
    (separator) => headerIn(begun, separator) ?? [],
  );
  const [best] = found.sort((one, other) => other.places.size - one.places.size);
  if (best !== undefined) return best;
  const first = begun.split(/\r?\n/, 1)[0].slice(0, 80);
  throw new NoBookHeader(
    `got ${JSON.stringify(first)} as the first line, expected a line with names of columns by ` +
      "comma, semicolon, tab or |: a code (or item, or operation), a start (or a date), the end, " +
      "place and volume, and if they are there the tanks",
  );
}

function headerIn(text: string, separator: Separator): BookHeader | null {
  const lines: HeaderLine[] = [];
  for (const one of csvCells(text, separator)) {
    lines.push(one);
    if (lines.length > HEADER_WITHIN) break;
  }
  for (const [index, one] of lines.slice(0, HEADER_WITHIN).entries()) {
    const titles = lines.slice(0, index);
    const alone = headerOf(separator, [one], titles);
    const below = lines.at(index + 1);
    // Names may be in two lines: "Start" above "Date" and "Time".
    const isPair = below !== undefined && isGroupLine(one.cells) && isSecondLine(below.cells);
    const both = isPair ? headerOf(separator, [one, below], titles) : null;
    const next = isPair ? headerOf(separator, [below], titles) : null;
    const sizes = [alone, next].map((header) => header?.places.size ?? 0);
    if (both !== null && both.places.size >= Math.max(...sizes)) return both;
    if (alone !== null) return alone;
  }
  return null;
}

/** True for a line of names, of which at least two are known. */
function isGroupLine(cells: readonly string[]): boolean {
  const known = cells.filter((cell) => bookColumnOf(cell) !== null);
  return known.length >= 2 && cells.every(isNamePart);
}

function isSecondLine(cells: readonly string[]): boolean {
  const names = cells.filter((cell) => cell !== "");
  return names.every((cell) => isNamePart(cell) && !/^[a-h]$/i.test(cell));
}

/** True for a part of a name that has a meaning by itself: a name, a unit, a zone, an order. */
export function isSecondName(cell: string): boolean {
  if (isRevoking(cell)) return false;
  const plain = plainText(cell);
  return (
    bookColumnOf(cell) !== null ||
    namedUnit(cell) !== null ||
    mentionedZone(cell) !== undefined ||
    namedOrder(cell) !== null ||
    /^[(\s]*(?:hh\W?mm(?:\W?ss)?|from\W+to)[)\s]*$/.test(plain)
  );
}

function headerOf(
  separator: Separator,
  lines: readonly HeaderLine[],
  titles: readonly HeaderLine[],
): BookHeader | null {
  const [upper, lower] = lines;
  const names = lower === undefined ? upper.cells : joinedNames(upper.cells, lower.cells);
  const columns = names.map((name) => bookColumnOf(name));
  const places = new Map<BookColumn, number>();
  for (const [index, column] of columns.entries())
    if (column !== null && column !== "other" && !places.has(column)) places.set(column, index);
  if (!isBookHeader(places)) return null;
  const zones = new Map<BookColumn, WrittenZone>();
  const units = new Map<BookColumn, string>();
  for (const [column, index] of places) {
    const zone = mentionedZone(names[index]);
    if (zone !== undefined) zones.set(column, zone);
    const unit = column.startsWith("volume") ? namedUnit(names[index]) : null;
    if (unit !== null) units.set(column, unit);
  }
  const told = titles.flatMap(({ cells }) => cells);
  const titled = new Set(told.map(mentionedZone).filter((zone) => zone !== undefined));
  return {
    ...{ separator, names, columns, places, zones, units, zone: titleZone([...titled]) },
    ...{ titles, lines: [...lines, ...titles].map(({ cells }) => cells) },
    ...{ first_line: upper.line, line: (lower ?? upper).line },
    order: [...names, ...told].map(namedOrder).find((order) => order !== null) ?? null,
  };
}

/** The zone of the titles. If they name several, it is unknown, like ship's time. */
function titleZone([only, ...more]: readonly WrittenZone[]): WrittenZone | undefined {
  return more.length > 0 ? "local" : only;
}

/** The names of both lines joined. An upper name applies to all lower ones until the next. */
function joinedNames(upper: readonly string[], lower: readonly string[]): readonly string[] {
  let above = "";
  return Array.from({ length: Math.max(upper.length, lower.length) }, (_, index) => {
    const [own = "", below = ""] = [upper[index], lower[index]];
    if (own !== "" || below === "") above = own;
    return `${above} ${below}`.trim();
  });
}

/** True if entries can be read by these columns: a kind, and when it began. */
export function isBookHeader(places: ReadonlyMap<BookColumn, number>): boolean {
  const hasOne = (...some: readonly BookColumn[]) => some.some((column) => places.has(column));
  const hasKind = hasOne("code", "item", "operation", "volume_in", "volume_out");
  return hasKind && hasOne("start", "start_date", "date");
}

/** True for a file laid out as the form: date, code, item, and a text for each item. */
export function isFormHeader({ places }: BookHeader): boolean {
  const has = (column: BookColumn) => places.has(column);
  const isTable = has("start") || has("start_time") || has("end") || has("time");
  return has("text") && (has("item") || has("code")) && !isTable && !has("volume");
}
