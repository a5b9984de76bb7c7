// The table `reading` of `ballastd sql`: the visible readings, sealed and hot, merged as the API
// answers them; `reading(from, to)` has those of a range. SQLite doesn't report to a virtual table
// which columns a statement uses, so the caller names them, and other columns stay compressed. Also
// the list of all tables and their columns, as text for people.

import type { Value } from "../../bwts/reading.ts";
import { TAGS, type TagType, tagIndex } from "../../bwts/tags.ts";
import { endOf, type ParsedTime, parseTime, printTime } from "../../ground/clock.ts";
import { COLUMNS, type ExportColumn } from "../exchange/export-columns.ts";
import { missingMigrations } from "../file/migrate.ts";
import { type Connection, prepare } from "../file/open.ts";
import { type ClosedRange, closed } from "../file/query.ts";
import type { Block } from "../sealed/block.ts";
import { timeline } from "../sealed/timeline.ts";

/** A value that SQLite can hold. */
export type Cell = number | bigint | string | Uint8Array | null;

/** The names of the table's columns. */
export const READING_COLUMNS: readonly string[] = ["at_ms", ...COLUMNS.map(({ name }) => name)];

/** Reads one cell of the reading at an index. */
type ReadCell = (index: number) => Cell;

const NOTHING: ReadCell = () => null;

/**
 * Defines the module `readings` on `db`. `stored` reads the same file: a connection can't begin a
 * transaction while it runs a statement. `isUsed` says whether the present statement uses a column;
 * others are null.
 */
export function defineReadings(
  db: Connection,
  stored: Connection,
  isUsed: (column: string) => boolean,
): void {
  const table = {
    columns: [...READING_COLUMNS],
    parameters: ["from", "to"],
    *rows(...bounds: unknown[]) {
      // A database of another version is refused with that reason, not by a missing table.
      missingMigrations(stored);
      for (const { block, from, to } of timeline(stored, rangeOf(bounds))) {
        const cells = readersOf(block, isUsed);
        for (let index = from; index < to; index += 1) yield cells.map((read) => read(index));
      }
    },
  };
  // A function defines a module for `create virtual table`; its properties are there for the types,
  // which know only the other form.
  db.table(
    "readings",
    Object.assign(() => table, table),
  );
}

function rangeOf([from, to]: readonly unknown[]): ClosedRange {
  const start = timeOf(from);
  const end = timeOf(to);
  return closed({ start_ms: start?.at_ms ?? null, end_ms: end === null ? null : endOf(end) });
}

function timeOf(bound: unknown): ParsedTime | null {
  if (bound === null || bound === undefined) return null;
  const time = typeof bound === "string" ? parseTime(bound) : null;
  if (time !== null) return time;
  const expected = "ISO 8601, such as '2026-05-01' or '2026-05-01T06:30:00Z'";
  throw new RangeError(`reading(${String(bound)}): expected ${expected}`);
}

function readersOf(block: Block, isUsed: (column: string) => boolean): readonly ReadCell[] {
  const readers = COLUMNS.map((column) =>
    isUsed(column.name) ? readerOf(block, column) : NOTHING,
  );
  return [isUsed("at_ms") ? (index) => BigInt(block.at_ms(index)) : NOTHING, ...readers];
}

function readerOf(block: Block, { name, type, read }: ExportColumn): ReadCell {
  if (name === TAGS[0].name) return (index) => printTime(block.at_ms(index));
  const tag = tagIndex(name);
  if (tag === null) return (index) => cellOf(read(block.reading(index)), type);
  const value = block.values(tag);
  return (index) => cellOf(value(index), type);
}

/** A value as SQLite has it. Integers become bigints: a JavaScript number would become a real. */
function cellOf(value: Value, type: TagType): Cell {
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (type === "integer" && Number.isInteger(value)) return BigInt(value ?? 0);
  return value;
}

/** The full name of the table of hot readings, which the table of all readings hides. */
const HOT = "main.reading";

/** The names of all tables and views. */
export function tableNames(db: Connection): readonly string[] {
  const found = prepare<"prompt.tables", { name: string }>(db, "prompt.tables").all({});
  const names = found.map(({ name }) => (name === "reading" ? HOT : name));
  return ["reading(FROM, TO)", ...names];
}

/**
 * The definition of a table or view, or of all of them if the name is null; empty if there is none.
 */
export function definitionsOf(db: Connection, name: string | null): readonly string[] {
  if (name === "reading") return READING_COLUMNS.map(describedColumn);
  const stored = name === HOT ? "reading" : name;
  const found = prepare(db, "prompt.schema").all({ name: stored });
  return found.map(({ text }) => `${text};`);
}

function describedColumn(name: string): string {
  const tag = tagIndex(name);
  if (tag === null) return name;
  const { type, unit, about } = TAGS[tag];
  return `${name}  ${unit === null ? type : `${type}, ${unit}`}  ${about}`;
}
