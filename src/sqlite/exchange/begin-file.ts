// Files of readings in formats other than lines: Parquet, and packages of ISO 19848. Each is made
// in memory, a part at a time, and sent in pieces as it grows.

import type { ExportSource } from "../../bwts/data-channels.ts";
import type { TextFormat } from "../../bwts/export-kind.ts";
import type { Reading } from "../../bwts/reading.ts";
import type { ExportColumn } from "./export-columns.ts";
import { openIso19848 } from "./export-iso19848.ts";
import { openParquet } from "./export-parquet.ts";
import type { ReadingsFile } from "./readings-file.ts";

/** The format of exported readings; for a package also their source. */
export type FileQuery =
  | LinesAsked
  | { readonly format: "parquet" }
  | { readonly format: "iso19848"; readonly source: ExportSource };

type LinesAsked = { readonly format: TextFormat };

/** True for a format of lines, one for each reading. */
export function isLines<Asked extends FileQuery>(asked: Asked): asked is Asked & LinesAsked {
  return asked.format === "csv" || asked.format === "ndjson";
}

/** Size of the pieces in which a written group of rows is sent, in bytes. */
const PIECE_BYTES = 64 * 1024;

/** Begins a file of a format that isn't lines. */
export function beginFile(
  asked: Exclude<FileQuery, LinesAsked>,
  columns: readonly ExportColumn[],
  { total, end_ms }: { readonly total: number; readonly end_ms: number | null },
): ReadingsFile {
  if (asked.format === "parquet") return openParquet(columns, total);
  return openIso19848(columns, { source: asked.source, end_ms });
}

/** A file in pieces. Without rows to write yet, nothing is yielded for a batch. */
export function* filePieces(
  { batches }: { readonly batches: Iterable<readonly Reading[]> },
  file: ReadingsFile,
): Generator<Uint8Array> {
  const taken = function* () {
    const bytes = file.taken();
    for (let start = 0; start < bytes.length; start += PIECE_BYTES)
      yield bytes.subarray(start, start + PIECE_BYTES);
  };
  for (const batch of batches) {
    file.add(batch);
    yield* taken();
  }
  file.finish();
  yield* taken();
}
