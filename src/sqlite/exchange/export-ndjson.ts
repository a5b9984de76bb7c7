// Readings as NDJSON: the canonical line of each reading, by which its segment proves it, or the
// same of the requested columns. Members that are null are left out. An unknown tag has its own
// name; if that collides with a member of the export, it stands in the object `extra`.

import type { Reading } from "../../bwts/reading.ts";
import { valueJson } from "../../codec/json.ts";
import { BESIDE, canonicalJson, type LineMember, tagMembers } from "../../codec/line.ts";
import type { ExportColumn } from "./export-columns.ts";

export function ndjsonLine(reading: Reading, columns: readonly ExportColumn[]): string {
  const members = columns.flatMap((column): readonly LineMember[] => {
    if (column.name === BESIDE.extra) return tagMembers(reading.extra);
    const value = column.read(reading);
    return value === null ? [] : [[column.name, valueJson(value)]];
  });
  return `${canonicalJson(members)}\n`;
}
