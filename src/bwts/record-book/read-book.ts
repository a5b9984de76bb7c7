// Reads an officer's file: separator, header, dates and numbers, in a table or laid out as the
// form. A line, word, column, time or volume that isn't understood is reported with its line and
// what is expected; the others are read all the same.

import { type BookColumn, bookColumnOf } from "./book-columns.ts";
import type { BookEntry, BookFault, BookProblem } from "./book-entry.ts";
import {
  type BookHeader,
  bookHeader,
  isBookHeader,
  isFormHeader,
  isSecondName,
} from "./book-header.ts";
import { entryKind } from "./book-kinds.ts";
import { type TextLine, totalProblems } from "./book-lines.ts";
import { isKnownTitle, isPlainNote } from "./book-notes.ts";
import { type DecimalSign, decimalSignOf, isUnit } from "./book-numbers.ts";
import { type DateOrder, dateOrderOf, writtenTime } from "./book-times.ts";
import { plainText } from "./book-words.ts";
import { type CsvRecord, csvCells, type Separator, separatorLine } from "./csv-cells.ts";
import { formEntries } from "./form-rows.ts";
import { type TableReading, tableEntry } from "./table-rows.ts";
import { writtenZone } from "./zone.ts";

/** Maximum number of lines: ten years with five operations a day. */
export const BOOK_LINES_MAX = 20_000;

export interface ReadBook {
  readonly entries: readonly BookEntry[];
  readonly problems: readonly BookProblem[];
  /** Faults of cells: dates that don't exist, items of the form before 2025. */
  readonly faults: readonly BookFault[];
  readonly separator: Separator;
  readonly date_order: DateOrder;
  /** True if a date or the header shows the order of day and month. */
  readonly is_order_told: boolean;
  /** Decimal sign of volumes; null if no volume shows it. */
  readonly decimal_sign: DecimalSign | null;
  readonly columns: readonly BookColumn[];
  /** Names of columns that aren't known, and weren't used. */
  readonly unknown_columns: readonly string[];
  /** Lines left out as no entries: totals, signatures, names that a page repeats. */
  readonly left_out: readonly number[];
  /** Titles, and lines that were left out, as they stand. */
  readonly beside: readonly TextLine[];
  /** Zones that times were read in, minutes ahead of UTC. */
  readonly zones: readonly number[];
  /** True if some time had no zone and was read as UTC. */
  readonly is_zone_assumed: boolean;
}

/** Reads a file. `zone_minutes`: of times without a zone; null: unknown. Throws NoBookHeader. */
export function readBook(text: string, zone_minutes: number | null): ReadBook {
  const { skipped } = separatorLine(text);
  const header = bookHeader(text);
  const problems: BookProblem[] = [];
  const offset = skipped === 0 ? 0 : 1;
  const all: CsvRecord[] = [];
  for (const record of csvCells(text.slice(skipped), header.separator)) {
    if (record.line <= header.line) continue;
    if (all.length >= BOOK_LINES_MAX) {
      const problem = `more than ${BOOK_LINES_MAX} entries: the rest wasn't read`;
      problems.push({ line: record.line + offset, problem });
      break;
    }
    all.push({ ...record, line: record.line + offset });
  }
  const reading = readingOf(header, all, { problems, zone_minutes });
  problems.push(...headerProblems(header, all, header.first_line + offset));
  problems.push(...titleProblems(header, header.first_line + offset));
  problems.push(...telling(header, all, reading));
  const [records, left] = entryRecords(all, reading);
  const entries = isFormHeader(header)
    ? formEntries(records, reading)
    : records.map((record) => tableEntry(record, reading));
  problems.push(...totalProblems(left, entries, reading));
  problems.sort((one, other) => one.line - other.line);
  return {
    ...{ entries, problems, faults: reading.faults, separator: header.separator },
    left_out: left.map(({ line }) => line),
    beside: [...header.titles.map((title) => ({ ...title, line: title.line + offset })), ...left],
    ...{ date_order: reading.order, is_order_told: reading.isOrderTold },
    ...{ decimal_sign: reading.sign, columns: [...header.places.keys()] },
    unknown_columns: unknownColumns(header, all),
    zones: [...new Set([...reading.zones].map((zone) => zone ?? 0))],
    is_zone_assumed: reading.zones.has(null),
  };
}

function readingOf(
  header: BookHeader,
  records: readonly CsvRecord[],
  { problems, zone_minutes }: Pick<TableReading, "problems" | "zone_minutes">,
): TableReading {
  const textsOf = (...columns: readonly BookColumn[]) =>
    records.flatMap(({ cells }) =>
      columns.map((column) => cells[header.places.get(column) ?? -1] ?? ""),
    );
  const dates = textsOf("date", "start", "start_date", "end", "end_date");
  const { order, isTold } = dateOrderOf(dates);
  const sign = decimalSignOf(textsOf("volume", "volume_in", "volume_out"));
  return {
    ...{ header, problems, zone_minutes, faults: [], sign, zones: new Set() },
    order: isTold ? order : (header.order ?? order),
    isOrderTold: isTold || header.order !== null,
  };
}

const NEEDED: readonly (readonly [string, readonly BookColumn[], string])[] = [
  ["end", ["end", "end_time", "time"], "Completion"],
  ["place", ["location", "end_location"], "Place"],
  ["volume", ["volume", "volume_in", "volume_out"], "Volume (m3)"],
];

/** Problems of the header: facts without a column, and duplicate columns. */
function headerProblems(
  header: BookHeader,
  records: readonly CsvRecord[],
  line: number,
): readonly BookProblem[] {
  const { columns, names, places } = header;
  const isForm = isFormHeader(header);
  const missing = NEEDED.filter(([, some]) => !isForm && !some.some((one) => places.has(one)));
  const named = names
    .filter((name) => name !== "")
    .join(", ")
    .slice(0, 200);
  const twice = columns.filter(
    (column, index) => column !== null && !REPEATED.has(column) && columns.indexOf(column) < index,
  );
  const unnamed = names.findIndex(
    (name, index) => name === "" && records.some(({ cells }) => (cells[index] ?? "") !== ""),
  );
  const beyond = records.find(({ cells }) => cells.slice(names.length).some((cell) => cell !== ""));
  return [
    ...missing.map(([fact, , example]) => ({
      line,
      problem:
        `${fact}: got the columns ${JSON.stringify(named)}, ` +
        `expected one of the ${fact}, such as ${JSON.stringify(example)}: none was compared`,
    })),
    ...[...new Set(twice)].map((column) => {
      const both = names.filter((_, index) => columns[index] === column).join(", ");
      return { line, problem: `${column}: got ${JSON.stringify(both)}, expected one such column` };
    }),
    ...(unnamed < 0
      ? []
      : [{ line, problem: `column ${unnamed + 1}: got no name, expected one above its cells` }]),
    ...(beyond === undefined
      ? []
      : [{ line: beyond.line, problem: "got more cells than names, expected a name for each" }]),
  ];
}

/** Problems of titles and second lines of names that aren't fully understood. */
function titleProblems(header: BookHeader, line: number): readonly BookProblem[] {
  const { titles, lines, first_line } = header;
  const below = header.line === first_line ? [] : lines[1];
  const told = (own: number, text: string, expected: string) => {
    const got = JSON.stringify(text.slice(0, 40));
    return { line: line + own - first_line, problem: `got ${got}, expected ${expected}` };
  };
  return [
    ...titles
      .filter(({ cells }) => !isKnownTitle(cells))
      .map(({ cells, line: own }) => {
        const text = cells.filter((cell) => cell !== "").join(" ");
        return told(own, text, "a title with names, a page or a date, or the zone of all times");
      }),
    ...below
      .filter((name) => name !== "" && !isSecondName(name))
      .map((name) => told(header.line, name, "the second part of a name")),
  ];
}

/** Problems of cells in unknown columns that may change the meaning of the others. */
function telling(
  { names, columns }: BookHeader,
  records: readonly CsvRecord[],
  { order }: TableReading,
): readonly BookProblem[] {
  return names.flatMap((name, index) => {
    if (name === "" || columns[index] !== null) return [];
    const isOdd = TELLING_NAME.test(plainText(name));
    const found = records.find(({ cells: { [index]: cell = "" } }) =>
      isOdd ? !NOTHING.test(cell) : isTelling(cell, order),
    );
    if (found === undefined) return [];
    const got = JSON.stringify(found.cells[index].slice(0, 40));
    const expected = "expected a name of its column that is known";
    return [{ line: found.line, problem: `${JSON.stringify(name)}: got ${got}, ${expected}` }];
  });
}

/** Names of unknown columns any cell of which may change the meaning of others. */
const TELLING_NAME =
  /void|delet|valid|cancel|anul|annul|clock|^signs?$|^[ap]\.?m\.?$|\bmonths?\b|\bmois\b|^mes$|bypass|untreated|unmanaged/;
/** Cells that say that nothing of the column's name applies. */
const NOTHING = /^(?:|0+(?:[.,]0+)?(?: ?m3)?|nil|none|n\/?a)$/i;
/** Marks: they confirm their column's name, which isn't known. */
const MARK = /^(?:x|y|n|yes|no|true|false|oui|non|si|ok)$/;

const STATUS = /^[ap]\.?m\.?$|cancel|abort|void|delet|anul|annul|\bnot\b|wrong|error|correct/;

/** True for a cell that may matter: AM or PM, zone, time, kind, amount, mark, or revocation. */
function isTelling(cell: string, order: DateOrder): boolean {
  if (cell === "") return false;
  const plain = plainText(cell).trim();
  if (STATUS.test(plain) || MARK.test(plain) || /\d/.test(plain) || writtenZone(cell) !== null)
    return true;
  return entryKind(cell) !== null || writtenTime(cell, order) !== null || isUnit(plain);
}

const REPEATED: ReadonlySet<string> = new Set(["other", "text", "tanks"]);

function unknownColumns(header: BookHeader, records: readonly CsvRecord[]): readonly string[] {
  return header.names.filter(
    (name, index) =>
      name !== "" &&
      header.columns[index] === null &&
      records.some(({ cells }) => (cells[index] ?? "") !== ""),
  );
}

/** The lines with entries, and the lines left out. */
function entryRecords(
  all: readonly CsvRecord[],
  reading: TableReading,
): readonly [readonly CsvRecord[], readonly CsvRecord[]] {
  const left: CsvRecord[] = [];
  const kept = all.filter((record) => {
    const { line, cells, isOpen } = record;
    if (isOpen) {
      const problem = "got quotes that don't fit, expected them doubled in a cell";
      reading.problems.push({ line, problem });
      return false;
    }
    if (isTimed(record, reading)) return true;
    if (isNoEntry(record, reading)) {
      left.push(record);
      return false;
    }
    const isOther = isBookHeader(new Map(cells.flatMap(knownColumn)));
    const [only = "", ...more] = cells.filter((cell) => cell !== "");
    const isNote = more.length === 0 && /\p{L}{2}/u.test(only) && entryKind(only) === null;
    if (!isOther && !isNote) return true;
    const problem = isOther
      ? "got names of other columns, expected those of the file's header"
      : `got ${JSON.stringify(only.slice(0, 40))}, expected an entry, a total or a signature`;
    reading.problems.push({ line, problem });
    return false;
  });
  return [kept, left];
}

function isTimed({ cells }: CsvRecord, { header, order }: TableReading): boolean {
  return (["start", "start_date", "start_time", "date", "time"] as const).some((column) => {
    const cell = cells[header.places.get(column) ?? -1] ?? "";
    return cell !== "" && writtenTime(cell, order) !== null;
  });
}

function knownColumn(cell: string, index: number): readonly (readonly [BookColumn, number])[] {
  const column = bookColumnOf(cell);
  return column === null || column === "other" ? [] : [[column, index]];
}

/** True for a total, a signature, a ruled line, and a header that a page repeats. */
function isNoEntry({ cells }: CsvRecord, { header }: TableReading): boolean {
  const told = cells.filter((cell) => cell !== "");
  if (told.every((cell) => /^[\s:|=*_.–—-]*$/.test(cell))) return true;
  if (header.lines.some((line) => isSameLine(line, cells))) return true;
  const named = (["code", "item", "operation"] as const).map(
    (column) => cells[header.places.get(column) ?? -1] ?? "",
  );
  if (named.some((cell) => cell !== "" && entryKind(cell) !== null)) return false;
  return isPlainNote(cells);
}

function isSameLine(line: readonly string[], cells: readonly string[]): boolean {
  const isSame = (name: string, index: number) =>
    plainText(name).trim() === plainText(cells[index] ?? "").trim();
  return line.every(isSame) && cells.slice(line.length).every((cell) => cell === "");
}
