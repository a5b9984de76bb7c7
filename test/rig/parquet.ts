// Reads a Parquet file by hyparquet and Node's zstd: the types of its columns, and its rows, with
// times as in the API and integers as numbers.

import { zstdDecompressSync } from "node:zlib";
import { parquetMetadata, parquetReadObjects } from "hyparquet";

export interface ParquetRows {
  /** By column: the physical type, and what it stands for. */
  readonly schema: ReadonlyMap<string, string>;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

export async function readParquet(bytes: Buffer): Promise<ParquetRows> {
  const file = Uint8Array.from(bytes).buffer;
  const compressors = { ZSTD: (packed: Uint8Array) => zstdDecompressSync(packed) };
  const [, ...columns] = parquetMetadata(file).schema;
  const rows = await parquetReadObjects({ file, compressors, parsers });
  return {
    schema: new Map(
      columns.map(({ name, type, converted_type = "" }) => [name, `${type} ${converted_type}`]),
    ),
    rows: rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])),
    ),
  };
}

/** hyparquet's own drops a byte order mark. */
const parsers = {
  stringFromBytes: (bytes: Uint8Array) => Buffer.from(bytes).toString(),
};

function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "bigint" ? Number(value) : value;
}
