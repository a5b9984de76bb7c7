// Readings as NDJSON: one TelemetryReading of the API a line, or the requested columns, with the
// unknown tags under their own names. A tag whose name collides with a member stands in the member
// `extra`, an object, which no tag can be.

import type { Reading } from "../../bwts/reading.ts";
import { valueJson } from "../../codec/json.ts";
import { type ExportColumn, tagsByName, tagsJson, VOIDED } from "./export-columns.ts";

const TAKEN = new Set(["received_at", "clock_trusted", "extra", VOIDED]);

export function ndjsonLine(reading: Reading, columns: readonly ExportColumn[]): string {
  const members = columns.map((column) =>
    column.name === "extra"
      ? extraMembers(reading)
      : `,${JSON.stringify(column.name)}:${valueJson(column.read(reading))}`,
  );
  return `{${members.join("").slice(1)}}\n`;
}

function extraMembers({ extra }: Reading): string {
  if (extra.size === 0) return "";
  const tags = tagsByName(extra);
  const own = tags.filter(([name]) => !TAKEN.has(name));
  const taken = tags.filter(([name]) => TAKEN.has(name));
  const members = own.map(([name, value]) => `,${JSON.stringify(name)}:${valueJson(value)}`);
  return members.join("") + (taken.length === 0 ? "" : `,"extra":${tagsJson(taken)}`);
}
