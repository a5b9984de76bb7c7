// Reads an officer's file: its encoding, separator, header, dates and numbers. A line that can't be
// read is told with its number and what is allowed; the others are read all the same.

import { OLD_ITEMS, RECORD_CODES, type RecordCode } from "../record-book/form.ts";
import { type BookColumn, isBookHeader, placesIn, plainText } from "./book-columns.ts";
import type { BookEntry, BookFault, BookProblem } from "./book-entry.ts";
import { type DecimalSign, decimalSignOf, writtenVolume } from "./book-numbers.ts";
import {
  type DateOrder,
  dateOrderOf,
  existsOn,
  type WrittenTime,
  writtenTime,
} from "./book-times.ts";
import {
  type CsvRecord,
  csvCells,
  SEPARATORS,
  type Separator,
  separatorLine,
} from "./csv-cells.ts";

/** Ten years of a ship that enters five operations a day. */
export const BOOK_LINES_MAX = 20_000;

/** Titles that may stand above the header, and characters: more are no titles, and take time. */
const HEADER_WITHIN = 20;
const HEADER_CHARACTERS_MAX = 32 * 1024;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export interface ReadBook {
  readonly entries: readonly BookEntry[];
  readonly problems: readonly BookProblem[];
  /** Faults of cells: dates that don't exist, items of the form before. */
  readonly faults: readonly BookFault[];
  readonly separator: Separator;
  readonly date_order: DateOrder;
  /** True if a date of the file tells the order of day and month. */
  readonly is_order_told: boolean;
  readonly decimal_sign: DecimalSign;
  readonly columns: readonly BookColumn[];
}

/** The header that a text lacks; its message says what is allowed. */
export class NoBookHeader extends Error {}

interface BookHeader {
  readonly separator: Separator;
  readonly places: ReadonlyMap<BookColumn, number>;
  /** Number of its line. */
  readonly line: number;
}

/** The header's columns and separator. Throws a NoBookHeader. */
export function bookHeader(text: string): BookHeader {
  const { named, skipped } = separatorLine(text);
  const begun = text.slice(skipped, skipped + HEADER_CHARACTERS_MAX);
  const found = (named === null ? SEPARATORS : [named]).flatMap((separator): BookHeader[] => {
    let seen = 0;
    for (const { cells, line } of csvCells(begun, separator)) {
      const places = placesIn(cells);
      if (isBookHeader(places)) return [{ separator, places, line }];
      seen += 1;
      if (seen >= HEADER_WITHIN) break;
    }
    return [];
  });
  const [best] = found.sort((one, other) => other.places.size - one.places.size);
  if (best !== undefined) return best;
  const first = begun.split(/\r?\n/, 1)[0].slice(0, 80);
  throw new NoBookHeader(
    `got ${JSON.stringify(first)} as the first line, expected a line with names of columns by ` +
      "comma, semicolon or tab: a code (or item, or operation), a start (or a date), and if they " +
      "are there the end, place, volume and tanks",
  );
}

interface BookReading {
  readonly order: DateOrder;
  readonly sign: DecimalSign;
  /** Minutes ahead of UTC of times without a zone. */
  readonly zone_minutes: number;
  readonly problems: BookProblem[];
  readonly faults: BookFault[];
}

/** Throws a NoBookHeader. */
export function readBook(text: string, zone_minutes: number): ReadBook {
  const { skipped } = separatorLine(text);
  const { separator, places, line: header } = bookHeader(text);
  const records: CsvRecord[] = [];
  const problems: BookProblem[] = [];
  const offset = skipped === 0 ? 0 : 1;
  for (const record of csvCells(text.slice(skipped), separator)) {
    if (record.line <= header) continue;
    if (records.length >= BOOK_LINES_MAX) {
      const problem = `more than ${BOOK_LINES_MAX} entries: the rest wasn't read`;
      problems.push({ line: record.line + offset, problem });
      break;
    }
    records.push({ ...record, line: record.line + offset });
  }
  const cellsOf = (...columns: readonly BookColumn[]) =>
    records.flatMap(({ cells }) => columns.map((column) => cells[places.get(column) ?? -1] ?? ""));
  const dates = cellsOf("date", "start", "start_date", "end", "end_date");
  const { order, isTold } = dateOrderOf(dates);
  const sign = decimalSignOf(cellsOf("volume"));
  const reading: BookReading = { order, sign, zone_minutes, problems, faults: [] };
  const entries = records.flatMap((record) => entryOf(record, places, reading) ?? []);
  return {
    ...{ entries, problems, faults: reading.faults, separator, date_order: order },
    ...{ is_order_told: isTold, decimal_sign: sign, columns: [...places.keys()] },
  };
}

function entryOf(
  { line, cells, isOpen }: CsvRecord,
  places: ReadonlyMap<BookColumn, number>,
  reading: BookReading,
): BookEntry | null {
  const { problems, faults } = reading;
  if (isOpen) {
    problems.push({ line, problem: "got quotes that don't fit, expected them doubled in a cell" });
    return null;
  }
  const cell = (column: BookColumn) => cells[places.get(column) ?? -1] || null;
  const coded = codeOf(cell("code"), cell("item"), cell("operation"));
  if (coded === null) {
    const got = cell("code") ?? cell("item") ?? cell("operation") ?? "";
    const expected = "expected a letter from A to H, or uptake or discharge";
    problems.push({ line, problem: `code: got ${JSON.stringify(got.slice(0, 40))}, ${expected}` });
    return null;
  }
  const at = (side: "start" | "end") => {
    const [day, time] = [cell(`${side}_date`), cell(`${side}_time`)];
    const own = cell(side) ?? ([day, time].filter((one) => one !== null).join(" ") || null);
    return momentOf(own, { line, side, date: cell("date"), reading });
  };
  const start = at("start");
  const end = at("end");
  const volume = cell("volume");
  const volume_m3 = volume === null ? null : writtenVolume(volume, reading.sign);
  if (volume !== null && volume_m3 === null) {
    const got = JSON.stringify(volume.slice(0, 40));
    problems.push({ line, problem: `volume: got ${got}, expected cubic metres, such as 2013.5` });
  }
  if (coded.old_item !== null && isInForce(start?.at_ms ?? end?.at_ms ?? null))
    faults.push({ line, fault: "old_item", got: coded.old_item, other_line: null });
  return {
    ...{ line, ...coded, start_ms: start?.at_ms ?? null, end_ms: endAfter(start, end) },
    ...{ location: cell("location"), volume_m3, tanks: cell("tanks") },
  };
}

const FORM_EFFECTIVE_MS = Date.UTC(2025, 1, 1);

/** The form of 2025 is; an entry without a time counts as of today. */
const isInForce = (at_ms: number | null) => at_ms === null || at_ms >= FORM_EFFECTIVE_MS;

interface Coded {
  readonly code: RecordCode;
  readonly old_item: string | null;
}

// A letter alone, with an item behind it, or after the word: A, A1, A.4, (A), Code A, A - uptake.
const LETTER = /^(?:code|codigo|letter|lettre)?\W*([a-h])(?![a-z])/;
const OLD_ITEM = /(?:^|\D)(3\.[1-6])(?:\.\d)?(?!\d)/;

/** Words for uptake and discharge, in three languages; the longer first. */
const OPERATION_WORDS: readonly (readonly [RegExp, RecordCode])[] = [
  [/de-?ballast|de-?lastr|deslastr|discharg|dechargement|rejet|descarga/, "B"],
  [/uptake|ballast|prise|toma|lastr/, "A"],
  [/fail|defaillance|panne|fallo|averia/, "F"],
  [/accident|exception|excepcion|bypass/, "E"],
];

function codeOf(...texts: readonly (string | null)[]): Coded | null {
  for (const text of texts) {
    if (text === null) continue;
    const plain = plainText(text).trim();
    const letter = LETTER.exec(plain)?.[1].toUpperCase();
    const code = RECORD_CODES.find((one) => one === letter);
    if (code !== undefined) return { code, old_item: null };
    const old = OLD_ITEM.exec(plain)?.[1];
    if (old !== undefined) return { code: OLD_ITEMS[old], old_item: old };
    const word = OPERATION_WORDS.find(([pattern]) => pattern.test(plain))?.[1];
    if (word !== undefined) return { code: word, old_item: null };
  }
  return null;
}

interface Moment {
  readonly at_ms: number;
  /** True if only one date is told for start and end. */
  readonly isByDate: boolean;
}

interface MomentAsked {
  readonly line: number;
  readonly side: "start" | "end";
  /** The cell of the column that holds the date alone. */
  readonly date: string | null;
  readonly reading: BookReading;
}

/** Null where nothing is told, or nothing that can be read: that is noted. */
function momentOf(text: string | null, { line, side, date, reading }: MomentAsked): Moment | null {
  const { order, zone_minutes, problems, faults } = reading;
  const own = text === null ? null : writtenTime(text, order);
  const beside = date === null ? null : writtenTime(date, order);
  // A date without a start has its time in the date's own column, or none.
  const alone = text === null && side === "start" ? beside : null;
  if (text === null && alone === null) return null;
  const day = own?.date ?? beside?.date ?? null;
  const minutes = own?.minutes ?? (side === "start" ? beside?.minutes : null) ?? null;
  if ((text !== null && own === null) || day === null) {
    const got = JSON.stringify((text ?? date ?? "").slice(0, 40));
    const expected = "expected a date and a time, such as 2026-05-01 05:08 or 1 May 2026 0508";
    problems.push({ line, problem: `${side}: got ${got}, ${expected}` });
    return null;
  }
  if (!existsOn(day)) {
    faults.push({ line, fault: "no_such_date", got: text ?? date, other_line: null });
    return null;
  }
  if (minutes === null) {
    const got = JSON.stringify((text ?? date ?? "").slice(0, 40));
    const expected = "expected hours and minutes with it, such as 05:08";
    problems.push({ line, problem: `${side}: got ${got}, ${expected}` });
    return null;
  }
  const ahead = (own ?? beside)?.zone_minutes ?? zone_minutes;
  const at_ms = dayStartMs(day) + (minutes - ahead) * MINUTE_MS;
  return { at_ms, isByDate: own?.date == null };
}

const dayStartMs = ({ year, month, day }: NonNullable<WrittenTime["date"]>) =>
  Date.UTC(year, month - 1, day);

/** With one date for both, an end before the start is of the next day. */
function endAfter(start: Moment | null, end: Moment | null): number | null {
  if (end === null) return null;
  const isNextDay = start !== null && end.isByDate && end.at_ms < start.at_ms;
  return isNextDay ? end.at_ms + DAY_MS : end.at_ms;
}
