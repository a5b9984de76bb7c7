// The columns of an export and their values: the catalogue's fields, the time of receipt, and the
// unknown tags.

import { BESIDE } from "../../bwts/export-kind.ts";
import { doubtedNames } from "../../bwts/plausible.ts";
import type { Reading, Scalar, Value } from "../../bwts/reading.ts";
import { TAGS, type TagType } from "../../bwts/tags.ts";
import { valueJson } from "../../codec/json.ts";
import { canonicalJson, type LineMember, tagMembers, VOIDED } from "../../codec/line.ts";
import { printTime } from "../../ground/clock.ts";
import type { Connection } from "../file/open.ts";
import { spansInForce } from "../sealed/spans.ts";
import { isVoided, voidedSpans } from "../sealed/voids.ts";

/** A column of an export. */
export interface ExportColumn {
  readonly name: string;
  readonly type: TagType;
  readonly read: (reading: Reading) => Value;
}

const TIMESTAMP: ExportColumn = {
  name: "timestamp",
  type: "string",
  read: ({ at_ms }) => printTime(at_ms),
};

/** A reading's properties apart from the catalogue's fields: its receipt and its unknown tags. */
const PROPERTIES: readonly ExportColumn[] = [
  {
    name: BESIDE.received,
    type: "string",
    read: ({ received_ms }) => printTime(received_ms),
  },
  { name: BESIDE.trusted, type: "boolean", read: ({ clock_trusted }) => clock_trusted },
  {
    name: BESIDE.extra,
    type: "string",
    read: ({ extra }) => (extra.size === 0 ? null : tagsJson(extra)),
  },
];

/** Every column, in the default order of an export. */
export const COLUMNS: readonly ExportColumn[] = [
  TIMESTAMP,
  ...TAGS.slice(1).map(({ name, type }, position) => ({
    name,
    type,
    read: ({ values }: Reading) => values[position + 1],
  })),
  ...PROPERTIES,
];

/** Name of the column that lists the fields whose value isn't believed. */
export const NOT_BELIEVED = "not_believed";

const DOUBTED: ExportColumn = { name: NOT_BELIEVED, type: "string", read: () => null };

/**
 * The columns, with the means to fill them from `db`. A CSV of all columns ends with
 * `not_believed`. Other files have that column only if it was named, because a segment proves its
 * readings as lines of NDJSON without it.
 */
export function filledColumns(
  db: Connection,
  columns: readonly ExportColumn[],
  format: string,
): readonly ExportColumn[] {
  const asked = columns === COLUMNS && format === "csv" ? [...COLUMNS, DOUBTED] : columns;
  const spans = spansInForce(db);
  const read = (reading: Reading) => {
    const names = doubtedNames(reading, spans);
    return names.length === 0 ? null : names.join(" ");
  };
  return asked.map((column) => (column === DOUBTED ? { ...column, read } : column));
}

/**
 * The column `voided`, for exports that include hidden readings. It comes last, because no other
 * export has it.
 */
export function voidedColumn(db: Connection): ExportColumn {
  const spans = voidedSpans(db);
  return { name: VOIDED, type: "boolean", read: ({ at_ms }) => isVoided(spans, at_ms) };
}

/**
 * The named columns in the given order, the timestamp first; all columns for null. Throws an Error
 * about a wrong name.
 */
export function columnsNamed(names: readonly string[] | null): readonly ExportColumn[] {
  if (names === null) return COLUMNS;
  const columns = names.map((name) => {
    const column = [...COLUMNS, DOUBTED].find((known) => known.name === name);
    if (column !== undefined) return column;
    throw new Error(`${JSON.stringify(name)}: expected a field of /api/tags, or ${besideNames()}`);
  });
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${twice}: named twice, expected once`);
  return [TIMESTAMP, ...columns.filter((column) => column !== TIMESTAMP)];
}

function besideNames(): string {
  return [...PROPERTIES, DOUBTED].map(({ name }) => name).join(", ");
}

/**
 * Unknown tags as a JSON object, sorted by name, because the order of arrival isn't always stored.
 */
function tagsJson(tags: ReadonlyMap<string, Scalar>): string {
  return canonicalJson([...tags].map(([name, value]) => [name, valueJson(value)]));
}

/** A reading as a line of NDJSON. */
export function ndjsonLine(reading: Reading, columns: readonly ExportColumn[]): string {
  const members = columns.flatMap((column): readonly LineMember[] => {
    if (column.name === BESIDE.extra) return tagMembers(reading.extra);
    const value = column.read(reading);
    return value === null ? [] : [[column.name, valueJson(value)]];
  });
  return `${canonicalJson(members)}\n`;
}
