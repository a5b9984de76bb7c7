// Reads the entries of a file with one line each: cells by the columns of its header. Each cell is
// read by itself; one that isn't understood is noted, and its fact stays unknown.

import type { BookColumn, NamedColumn } from "./book-columns.ts";
import type { BookEntry } from "./book-entry.ts";
import { entryKind, type Treatment } from "./book-kinds.ts";
import { type BookReading, endAfter, type MomentQuery, momentOf } from "./book-moments.ts";
import { HOLDS_EXPECTED, isTakenBack } from "./book-notes.ts";
import { type DecimalSign, isAmount, writtenVolume } from "./book-numbers.ts";
import type { CsvRecord } from "./csv-cells.ts";
import type { RecordCode } from "./form.ts";
import { type WrittenZone, writtenZone } from "./zone.ts";

export type CellOf = (column: BookColumn) => string | null;

export interface TableReading extends BookReading {
  /** Decimal sign of volumes; null if the file doesn't show it. */
  readonly sign: DecimalSign | null;
}

const cut = (text: string) => JSON.stringify(text.slice(0, 40));

export function tableEntry({ line, cells }: CsvRecord, reading: TableReading): BookEntry {
  const { header, faults, problems } = reading;
  const cell: CellOf = (column) => cells[header.places.get(column) ?? -1] || null;
  const { code, old_item, treatment } = kindOf(line, cell, reading);
  const [start, end] = momentsOf(line, cell, reading);
  const remark = cells.find(
    (text, index) => REMARKS.has(header.columns[index] ?? null) && isTakenBack(text),
  );
  if (remark !== undefined)
    problems.push({ line, problem: `remark: got ${cut(remark)}, ${HOLDS_EXPECTED}` });
  const [location, endLocation] = [cell("location"), cell("end_location")];
  if (old_item !== null && isInForce(start?.at_ms ?? end?.at_ms ?? null))
    faults.push({ line, fault: "old_item", got: old_item, other_line: null });
  return {
    ...{
      line,
      code,
      old_item,
      treatment,
      start_ms: start?.at_ms ?? null,
      end_ms: endAfter(start, end),
    },
    ...{ location: location ?? endLocation, end_location: endLocation ?? location },
    ...{ volume_m3: volumeOf(line, cell, code, reading), tanks: cell("tanks") },
  };
}

/** Columns that aren't compared, but may revoke an entry. */
const REMARKS: ReadonlySet<NamedColumn> = new Set(["other", "text", "tanks"]);

const FORM_EFFECTIVE_MS = Date.UTC(2025, 1, 1);

/** True if the form of 2025 applies at a time; an entry without a time counts as recent. */
const isInForce = (at_ms: number | null) => at_ms === null || at_ms >= FORM_EFFECTIVE_MS;

export const KIND_EXPECTED =
  "a letter from A to H, or words such as uptake, deballasting or exchange";

interface CodedEntry {
  readonly code: RecordCode | null;
  readonly old_item: string | null;
  readonly treatment: Treatment | null;
}

/** The letter by all cells that name a kind; null if one isn't known, or two contradict. */
function kindOf(line: number, cell: CellOf, { problems }: BookReading): CodedEntry {
  const columns = (["code", "item", "operation"] as const).filter((column) => {
    const text = cell(column);
    // The number of an item doesn't show the kind.
    return text !== null && !(column === "item" && /^\d{1,2}$/.test(text));
  });
  const kinds = columns.map((column) => {
    const text = cell(column) ?? "";
    const kind = entryKind(text);
    if (kind === null)
      problems.push({ line, problem: `${column}: got ${cut(text)}, expected ${KIND_EXPECTED}` });
    return kind;
  });
  const codes = new Set(kinds.flatMap((kind) => kind?.code ?? []));
  const [only = sideOf(cell), ...more] = codes;
  if (more.length > 0) {
    const got = columns.map((column) => cut(cell(column) ?? "")).join(" and ");
    problems.push({ line, problem: `code: got ${got}, expected both to name one kind of entry` });
  }
  if (columns.length === 0 && only === null)
    problems.push({ line, problem: `code: got none, expected ${KIND_EXPECTED}` });
  const isKnown = more.length === 0 && kinds.every((kind) => kind !== null);
  const old_item = kinds.find((kind) => kind?.old_item != null)?.old_item ?? null;
  const told = kinds.map((kind) => kind?.treatment ?? null);
  const treatment = told.includes("untreated") ? "untreated" : (told.find(Boolean) ?? null);
  return { code: isKnown ? only : null, old_item, treatment };
}

/** The kind by the column in which the volume is: in or out. */
function sideOf(cell: CellOf): "A" | "B" | null {
  const [taken, given] = [cell("volume_in"), cell("volume_out")].map((text) => text !== null);
  if (taken === given) return null;
  return taken ? "A" : "B";
}

function momentsOf(line: number, cell: CellOf, reading: BookReading) {
  const { header, problems } = reading;
  const date = cell("date");
  const zoneText = cell("zone");
  const rowZone = zoneText === null ? undefined : writtenZone(zoneText);
  if (rowZone === null) {
    const problem = `zone: got ${cut(zoneText ?? "")}, expected UTC, or an offset such as +09:00`;
    problems.push({ line, problem });
    return [null, null] as const;
  }
  const [first, last] = spanOf(cell("time"));
  const at = (side: "start" | "end", day: MomentQuery["day"]) => {
    const [own, time] = [cell(`${side}_date`), cell(`${side}_time`)];
    const joined = [own, time ?? (cell(side) === null ? (side === "start" ? first : last) : null)];
    const text = cell(side) ?? (joined.filter((one) => one !== null).join(" ") || null);
    const zone = rowZone ?? columnZone(header.zones, side);
    return momentOf({ line, side, text, date, day, zone }, reading);
  };
  const start = at("start", null);
  return [start, at("end", start?.day ?? null)] as const;
}

/** Start and end in one cell, as 0600-0630; a single time is the start. */
function spanOf(text: string | null): readonly [string | null, string | null] {
  const [start = null, end = null, ...more] = (text ?? "").split(/\s*(?:-|–|\/|\bto\b)\s*/);
  if (more.length > 0) return [text, null];
  return [start || null, end];
}

function columnZone(
  zones: ReadonlyMap<BookColumn, WrittenZone>,
  side: "start" | "end",
): WrittenZone | undefined {
  const columns = [side, `${side}_time`, `${side}_date`, "time", "date"] as const;
  const named = columns.find((column) => zones.has(column));
  return named === undefined ? undefined : zones.get(named);
}

const VOLUMES = ["volume", "volume_in", "volume_out"] as const;

function volumeOf(
  line: number,
  cell: CellOf,
  code: RecordCode | null,
  { header, sign, problems }: TableReading,
): number | null {
  const noted = (got: string, expected: string) => {
    problems.push({ line, problem: `volume: got ${cut(got)}, expected ${expected}` });
    return null;
  };
  const filled = VOLUMES.flatMap((column) => {
    const text = cell(column);
    return text === null || /^\W*$|^n\/?a$|^nil$/i.test(text) ? [] : [{ column, text }];
  });
  const [one, ...more] = filled;
  if (one === undefined) return null;
  if (more.some(({ text }) => text !== one.text))
    return noted(filled.map(({ text }) => text).join(" and "), "one volume of the operation");
  const opposite = { volume: null, volume_in: "B", volume_out: "A" }[one.column];
  if (more.length === 0 && code !== null && code === opposite)
    return noted(one.text, `none in the column of ${one.column === "volume_in" ? "A" : "B"}`);
  const unit = cell("unit") ?? header.units.get(one.column) ?? null;
  const name = header.names[header.places.get(one.column) ?? 0];
  const text = ASKS_TOTAL.test(name) ? firstVolume(one.text) : one.text;
  const { volume_m3, expected } = writtenVolume(text, { sign, unit });
  return expected === null ? volume_m3 : noted(one.text, expected);
}

/** Maximum number of characters of a volume and a total: this bounds the time for reading. */
const VOLUME_MAX = 200;

const ASKS_TOTAL = /retain|remain|total|conserv|reten/i;

/** The first of two volumes: item 4 of the form has the moved volume, then the total retained. */
function firstVolume(text: string): string {
  if (text.length > VOLUME_MAX) return text;
  const [first, second, ...more] = text.split(/\s*[/;]\s*/);
  const isPair = second !== undefined && more.length === 0 && isAmount(second);
  return isPair && /\d/.test(first) ? first : text;
}
