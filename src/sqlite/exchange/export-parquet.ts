// Readings as Apache Parquet, for DuckDB, ClickHouse, Trino, Spark: a column for each field with
// the catalogue's type, times as TIMESTAMP in UTC with milliseconds, null where nothing was
// measured. Rows are written in groups as they arrive, so that memory doesn't grow with the file.
// The same readings make the same bytes.

import { constants, zstdCompressSync } from "node:zlib";
import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from "hyparquet-writer";
import { BESIDE } from "../../bwts/export-kind.ts";
import type { Reading, Value } from "../../bwts/reading.ts";
import type { TagType } from "../../bwts/tags.ts";
import type { ExportColumn } from "./export-columns.ts";
import type { ReadingsFile } from "./readings-file.ts";

/**
 * Minimum rows of a group: smaller ones compress worse (42.3 bytes a reading with 16,384 rows, 42.0
 * with 86,400).
 */
const GROUP_ROWS_MIN = 16_384;
/**
 * Maximum rows of a group, whose values are held in memory until it is written. They are held by
 * column, which takes less than rows.
 */
const GROUP_ROWS_MAX = 65_536;
/** Desired maximum number of groups: each takes 70 KB of memory until the footer is written. */
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
  let held = columns.map((): Value[] => []);
  let rows = 0;
  const write = () => {
    if (rows === 0) return;
    const columnData = columns.map((column, place) => chunkOf(column, held[place]));
    file.write({ columnData, rowGroupSize: rows });
    held = columns.map(() => []);
    rows = 0;
  };
  const readers = columns.map(readerOf);
  return {
    add(readings) {
      for (const reading of readings) {
        for (const [place, read] of readers.entries()) held[place].push(read(reading));
        rows += 1;
        if (rows === groupRows) write();
      }
    },
    finish() {
      write();
      file.finish();
    },
    taken() {
      const taken = Uint8Array.from(bytes.getBytes());
      // The index is reset, but not the writer's offset, which is the position in the file.
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

/** True for the columns of times, which every reading has. */
function isTime({ name }: ExportColumn): boolean {
  return name === TIMESTAMP_NAME || name === BESIDE.received;
}
const TIMESTAMP_NAME = "timestamp";

function typeOf(column: ExportColumn): ColumnType {
  return isTime(column) ? "time" : column.type;
}

function readerOf(column: ExportColumn): (reading: Reading) => Value {
  if (!isTime(column)) return column.read;
  return column.name === BESIDE.received ? (row) => row.received_ms : (row) => row.at_ms;
}

/**
 * The values of a column; they are converted to whole numbers only while it is written, to save
 * memory.
 */
function chunkOf(column: ExportColumn, values: Value[]): ColumnSource {
  const plain = { name: column.name, offsetIndex: false };
  const integers = {
    get data() {
      return values.map(integerOf);
    },
  };
  switch (typeOf(column)) {
    case "time":
      return Object.assign(integers, { ...plain, encoding: "DELTA_BINARY_PACKED" as const });
    case "integer":
      return Object.assign(integers, plain);
    default: {
      // No dictionary, because it would merge negative zero and zero.
      const isDistinct = values.some((value) => Object.is(value, -0));
      const whole = { ...plain, data: values };
      return isDistinct ? { ...whole, encoding: "PLAIN" } : whole;
    }
  }
}

function integerOf(value: Value): bigint | null {
  return typeof value === "number" ? BigInt(value) : null;
}
