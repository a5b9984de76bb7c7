// Reads the draft of the record book, and its comparison with the officer's entries. Both answers
// are checked member by member.

import type { BookFault, BookProblem } from "../../bwts/record-book/book-entry.ts";
import type { Reconciliation, ResultWord } from "../../bwts/record-book/reconciliation.ts";
import type { RecordBook } from "../../bwts/record-book/record-book.ts";
import {
  flagOrNull,
  instant,
  isLike,
  isNumberOrNull,
  listOf,
  numberOrNull,
  type Read,
  textOrNull,
} from "../store/checks.ts";

type OtherMembers = Readonly<Record<string, unknown>>;

export interface ShownDraftItem {
  readonly item: number;
  readonly title: string;
  readonly text: string | null;
  readonly boxes: readonly string[];
}

export interface ShownDraftEntry {
  readonly operation_id: number;
  readonly code: string | null;
  readonly start_ms: number;
  readonly items: readonly ShownDraftItem[];
  readonly notes: readonly string[];
}

export interface ShownDraft {
  readonly mark: string;
  readonly language: string;
  readonly signature: string;
  /** True if letters or items haven't been compared with the text of the resolution yet. */
  readonly isToBeConfirmed: boolean;
  readonly resolution: string;
  readonly titles: ReadonlyMap<string, string>;
  readonly entries: readonly ShownDraftEntry[];
}

export const readDraft: Read<ShownDraft> = (body) => {
  if (!isLike<RecordBook>(body) || !isLike<RecordBook["form"]>(body.form)) return null;
  const [mark, language] = [textOrNull(body.mark), textOrNull(body.language)];
  const codes = listOf(body.form.codes, readCode);
  const entries = listOf(body.entries, readEntry);
  if (mark === null || language === null || codes === null || entries === null) return null;
  return {
    value: {
      ...{ mark, language, signature: textOrNull(body.signature) ?? "" },
      isToBeConfirmed: codes.value.some(({ basis }) => basis !== "read"),
      resolution: textOrNull(body.form.resolution) ?? "",
      titles: new Map(codes.value.map(({ code, title }) => [code, title])),
      entries: entries.value,
    },
  };
};

function readCode(one: unknown) {
  if (!isLike<OtherMembers>(one)) return null;
  const [code, title] = [textOrNull(one.code), textOrNull(one.title)];
  return code === null || title === null ? null : { code, title, basis: textOrNull(one.basis) };
}

function readEntry(one: unknown): ShownDraftEntry | null {
  if (!isLike<RecordBook["entries"][number]>(one)) return null;
  const operation_id = numberOrNull(one.operation_id);
  const start_ms = instant(one.start);
  const items = listOf(one.items, readItem);
  const notes = textsOf(one.notes);
  if (operation_id === null || start_ms === null || items === null || notes === null) return null;
  return { operation_id, code: textOrNull(one.code), start_ms, items: items.value, notes };
}

function readItem(one: unknown): ShownDraftItem | null {
  if (!isLike<OtherMembers>(one)) return null;
  const [item, title, boxes] = [numberOrNull(one.item), textOrNull(one.title), textsOf(one.boxes)];
  if (item === null || title === null || boxes === null) return null;
  return { item, title, text: textOrNull(one.text), boxes };
}

function textsOf(given: unknown): readonly string[] | null {
  return listOf(given, textOrNull)?.value ?? null;
}

/** One side of a compared entry: the log's or the book's. */
export interface ShownSide {
  readonly code: string | null;
  readonly start_ms: number | null;
  readonly end_ms: number | null;
  readonly location: string | null;
  readonly volume_m3: number | null;
  /** Numbers of lines in the file; empty for the log's side. */
  readonly lines: readonly number[];
}

export interface ShownDifference {
  readonly differs: string;
  readonly log: string | number | null;
  readonly book: string | number | null;
  readonly by: number | null;
}

export interface ShownResult {
  readonly result: ResultWord;
  readonly log: ShownSide | null;
  readonly book: ShownSide | null;
  readonly differences: readonly ShownDifference[];
  /** Names of facts that couldn't be compared. */
  readonly uncompared: readonly string[];
}

export interface ShownShift {
  readonly minutes: number;
  readonly entries: number;
  readonly zone: string;
}

export interface ShownOutcome {
  readonly agrees: boolean;
  readonly from_ms: number;
  readonly to_ms: number;
  readonly time_minutes: number;
  readonly volume_percent: number;
  readonly isOrderTold: boolean;
  readonly isDayFirst: boolean;
  readonly outside_range: number;
  readonly isZoneTold: boolean;
  readonly unknown_columns: readonly string[];
  readonly left_out_lines: readonly number[];
  readonly shift: ShownShift | null;
  readonly problems: readonly BookProblem[];
  /** The faults; a kind unknown to this page is shown by its name. */
  readonly faults: readonly (Omit<BookFault, "fault"> & { readonly fault: string })[];
  readonly results: readonly ShownResult[];
}

export const readOutcome: Read<ShownOutcome> = (body) => {
  if (!isLike<Reconciliation>(body) || !isLike<OtherMembers>(body.read)) return null;
  const { range, tolerances, read } = body;
  if (!isLike<OtherMembers>(range) || !isLike<OtherMembers>(tolerances)) return null;
  const agrees = flagOrNull(body.agrees);
  const [from_ms, to_ms] = [instant(range.start), instant(range.end)];
  const time_minutes = numberOrNull(tolerances.time_minutes);
  const volume_percent = numberOrNull(tolerances.volume_percent);
  const problems = listOf(body.problems, readProblem);
  const faults = listOf(body.faults, readFault);
  const results = listOf(body.results, readResult);
  if (agrees === null || from_ms === null || to_ms === null) return null;
  if (time_minutes === null || volume_percent === null) return null;
  if (problems === null || faults === null || results === null) return null;
  return {
    value: {
      ...{ agrees, from_ms, to_ms, time_minutes, volume_percent },
      isOrderTold: read.is_date_order_told === true,
      isDayFirst: read.date_order === "day_month",
      outside_range: numberOrNull(read.outside_range) ?? 0,
      isZoneTold: read.is_zone_told !== false,
      unknown_columns: textsOf(read.unknown_columns) ?? [],
      left_out_lines: listOf(read.left_out_lines, numberOrNull)?.value ?? [],
      shift: readShift(body.shift),
      ...{ problems: problems.value, faults: faults.value, results: results.value },
    },
  };
};

function readShift(one: unknown): ShownShift | null {
  if (!isLike<OtherMembers>(one)) return null;
  const [minutes, entries] = [numberOrNull(one.minutes), numberOrNull(one.entries)];
  const zone = textOrNull(one.zone);
  return minutes === null || entries === null || zone === null ? null : { minutes, entries, zone };
}

function readProblem(one: unknown): BookProblem | null {
  if (!isLike<BookProblem>(one)) return null;
  const [line, problem] = [numberOrNull(one.line), textOrNull(one.problem)];
  return line === null || problem === null ? null : { line, problem };
}

function readFault(one: unknown): ShownOutcome["faults"][number] | null {
  if (!isLike<BookFault>(one)) return null;
  const [line, fault] = [numberOrNull(one.line), textOrNull(one.fault)];
  if (line === null || fault === null) return null;
  return { line, fault, got: textOrNull(one.got), other_line: numberOrNull(one.other_line) };
}

/** The words of results. Unlike the API's table they need no zod. */
export const RESULT_WORDS: readonly ResultWord[] = [
  ...(["differs", "no_failure_entry", "log_only", "book_only", "partly_compared"] as const),
  ...(["not_compared", "match"] as const),
];

function readResult(one: unknown): ShownResult | null {
  if (!isLike<OtherMembers>(one)) return null;
  const result = RESULT_WORDS.find((word) => word === one.result);
  const differences = listOf(one.differences, readDifference);
  const uncompared = listOf(one.uncompared, readFact);
  const [log, book] = [readSide(one.log), readSide(one.book)];
  if (result === undefined || differences === null || uncompared === null) return null;
  if (log === undefined || book === undefined) return null;
  return { result, log, book, differences: differences.value, uncompared: uncompared.value };
}

const readFact = (one: unknown) => (isLike<OtherMembers>(one) ? textOrNull(one.fact) : null);

/** One side of an entry; null if the entry has none, undefined for an unknown shape. */
function readSide(one: unknown): ShownSide | null | undefined {
  if (one === null) return null;
  if (!isLike<OtherMembers>(one) || !isNumberOrNull(one.volume_m3)) return undefined;
  const lines = one.lines === undefined ? { value: [] } : listOf(one.lines, numberOrNull);
  if (lines === null) return undefined;
  return {
    ...{ code: textOrNull(one.code), start_ms: instant(one.start), end_ms: instant(one.end) },
    ...{ location: textOrNull(one.location), volume_m3: numberOrNull(one.volume_m3) },
    lines: lines.value,
  };
}

function readDifference(one: unknown): ShownDifference | null {
  if (!isLike<OtherMembers>(one)) return null;
  const differs = textOrNull(one.differs);
  const value = (given: unknown) => numberOrNull(given) ?? textOrNull(given);
  if (differs === null) return null;
  return { differs, log: value(one.log), book: value(one.book), by: numberOrNull(one.by) };
}
