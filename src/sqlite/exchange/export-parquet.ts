// Readings as Apache Parquet, for DuckDB, ClickHouse, Trino, Spark: a column for each field with
// the catalogue's type, times as TIMESTAMP in UTC with milliseconds, null where nothing was
// measured. Rows are written in groups as they come, so that memory doesn't grow with the file. The
// same readings make the same bytes.

import { constants, zstdCompressSync } from "node:zlib";
import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from "hyparquet-writer";
import { BESIDE } from "../../bwts/export/export-kind.ts";
import type { Reading, Value } from "../../bwts/reading.ts";
import type { TagType } from "../../bwts/tags.ts";
import type { ExportColumn } from "./export-columns.ts";
import type { ReadingsFile } from "./readings-file.ts";

/** Smaller groups compress worse: 42.3 bytes a reading with 16,384, 42.0 with 86,400. */
const GROUP_ROWS_MIN = 16_384;
/** A group's rows are held until it is written: 60 MB. */
const GROUP_ROWS_MAX = 65_536;
/** Each group costs 70 KB of memory until the footer is written. */
const GROUPS_WANTED = 400;

/** Begins a file of about `total` readings. */
export function openParquet(columns: readonly ExportColumn[], total: number): ReadingsFile {
  const wanted = Math.ceil(total / GROUPS_WANTED);
  const groupRows = Math.min(GROUP_ROWS_MAX, Math.max(GROUP_ROWS_MIN, wanted));
  const bytes = new ByteWriter();
  const file = new ParquetWriter({
    writer: bytes,
    schema: schemaOf(columns),
    codec: "ZSTD",
    compressors: { ZSTD: compressed },
    createdBy: "ballastd",
  });
  let rows: Reading[] = [];
  const write = () => {
    if (rows.length === 0) return;
    const columnData = columns.map((column) => chunkOf(column, rows));
    file.write({ columnData, rowGroupSize: rows.length });
    rows = [];
  };
  return {
    add(readings) {
      for (const reading of readings) {
        rows.push(reading);
        if (rows.length === groupRows) write();
      }
    },
    finish() {
      write();
      file.finish();
    },
    taken() {
      const taken = Uint8Array.from(bytes.getBytes());
      // Its offset goes on: it is the place in the file.
      bytes.index = 0;
      return taken;
    },
  };
}

const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

function compressed(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, LEVEL);
}

type ColumnType = TagType | "time";

const TYPES: Readonly<Record<ColumnType, Partial<SchemaElement>>> = {
  number: { type: "DOUBLE" },
  integer: { type: "INT64" },
  boolean: { type: "BOOLEAN" },
  string: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
  time: {
    type: "INT64",
    converted_type: "TIMESTAMP_MILLIS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
  },
};

function schemaOf(columns: readonly ExportColumn[]): SchemaElement[] {
  const fields = columns.map((column): SchemaElement => {
    const repetition_type = isTime(column) ? "REQUIRED" : "OPTIONAL";
    return { name: column.name, repetition_type, ...TYPES[typeOf(column)] };
  });
  return [{ name: "reading", num_children: fields.length }, ...fields];
}

/** Every reading has both. */
function isTime({ name }: ExportColumn): boolean {
  return name === TIMESTAMP_NAME || name === BESIDE.received;
}
const TIMESTAMP_NAME = "timestamp";

function typeOf(column: ExportColumn): ColumnType {
  return isTime(column) ? "time" : column.type;
}

function chunkOf(column: ExportColumn, rows: readonly Reading[]): ColumnSource {
  const { name, read } = column;
  const plain = { name, offsetIndex: false };
  switch (typeOf(column)) {
    case "time": {
      const isReceipt = name === BESIDE.received;
      const data = rows.map(({ at_ms, received_ms }) => BigInt(isReceipt ? received_ms : at_ms));
      return { ...plain, data, encoding: "DELTA_BINARY_PACKED" };
    }
    case "integer":
      return { ...plain, data: rows.map((row) => integerOf(read(row))) };
    default: {
      const data = rows.map(read);
      // A dictionary would take negative zero and zero for one value.
      const isDistinct = data.some((value) => Object.is(value, -0));
      return isDistinct ? { ...plain, data, encoding: "PLAIN" } : { ...plain, data };
    }
  }
}

function integerOf(value: Value): bigint | null {
  return typeof value === "number" ? BigInt(value) : null;
}
