// The file formats of raw readings, and the choice of one: by its name, or else by the ending of
// the file's name.

import type { ReadingFormat } from "../../bwts/export-kind.ts";

export type FileFormat = ReadingFormat | "sqlite";

const BY_NAME: ReadonlyMap<string, FileFormat> = new Map([
  ["csv", "csv"],
  ["ndjson", "ndjson"],
  ["sqlite", "sqlite"],
  ["parquet", "parquet"],
  ["iso19848", "iso19848"],
]);
const BY_ENDING: ReadonlyMap<string, FileFormat> = new Map([
  ...BY_NAME,
  ["jsonl", "ndjson"],
  ["db", "sqlite"],
]);

/** The named format, or else that of the file's ending, or else CSV. Throws for an unknown name. */
export function formatOf(named: string | null, file: string): FileFormat {
  const ending = /\.([a-z]+)$/i.exec(file)?.[1] ?? "";
  if (named === null) return BY_ENDING.get(ending.toLowerCase()) ?? "csv";
  const format = BY_NAME.get(named);
  if (format === undefined) throw new Error(`${named}: expected ${[...BY_NAME.keys()].join(", ")}`);
  return format;
}
