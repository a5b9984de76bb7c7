// The formats in which raw readings leave and come back as files, and how a file says which: by the
// ending of its name, unless it is named.

import type { TextFormat } from "./query.ts";

export type FileFormat = TextFormat | "sqlite";

const BY_NAME: ReadonlyMap<string, FileFormat> = new Map([
  ["csv", "csv"],
  ["ndjson", "ndjson"],
  ["sqlite", "sqlite"],
]);
const BY_ENDING: ReadonlyMap<string, FileFormat> = new Map([
  ...BY_NAME,
  ["jsonl", "ndjson"],
  ["db", "sqlite"],
]);

/** The format named, else what the file's name ends with, else CSV. Throws an unknown name. */
export function formatOf(named: string | null, file: string): FileFormat {
  const ending = /\.([a-z]+)$/i.exec(file)?.[1] ?? "";
  if (named === null) return BY_ENDING.get(ending.toLowerCase()) ?? "csv";
  const format = BY_NAME.get(named);
  if (format === undefined) throw new Error(`${named}: expected ${[...BY_NAME.keys()].join(", ")}`);
  return format;
}
