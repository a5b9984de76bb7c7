// Answers as JSON text, in the shapes of the API. Unsealed readings and aggregated rows go straight
// into the buffer, with prepared keys; rare or small objects are made as strings. Numbers print as
// in JavaScript, except negative zero, which keeps its sign.

import type { Reading, Value } from "../bwts/reading.ts";
import { AGGREGATED, RUNTIME_ANALYSIS, TAGS } from "../bwts/tags.ts";
import { DECIMAL_BYTES_MAX, writeDecimal, writeNumber } from "./json-decimal.ts";
import {
  type JsonWriter,
  type PackedText,
  packText,
  TIME_BYTES_MAX,
  timeWriter,
  writePacked,
} from "./json-writer.ts";

type Dated = Pick<Reading, "at_ms" | "values">;

/** The members of an object: their keys, and space for all values not longer than a number. */
interface KeyedMembers {
  readonly indices: readonly number[];
  readonly keys: readonly PackedText[];
  readonly bytes_max: number;
}

const RECORD_COUNT = packText(',"recordCount":');
const NULL = packText("null");
const TRUE = packText("true");
const FALSE = packText("false");
const CLOSING = packText("}");
const writeTime = timeWriter();

const READING = membersOf(TAGS.map((_, index) => index).slice(1));
const AGGREGATED_ROW = membersOf(AGGREGATED);
const ANALYSIS = membersOf(RUNTIME_ANALYSIS);

/** Frequent words of PLCs, packed; none needs more space than a number. */
const words = new Map<string, PackedText>();
/** Maximum number of packed words, more than PLCs use; a plant with ever new texts clears them. */
const WORDS_MAX = 256;
/** Mark of a text that is too long to be packed. */
const NO_WORD = packText("");

/** Writes a TelemetryReading: every catalogue member, then the unknown tags. */
export function writeReading(reading: Reading, out: JsonWriter): void {
  writeMembers(reading, READING, out);
  for (const [name, value] of reading.extra)
    out.text(`,${JSON.stringify(name)}:${valueJson(value)}`, CLOSING.bytes);
  out.end = writePacked(out.view, out.end, CLOSING);
}

/** Writes a record of the runtime analysis. */
export function writeAnalysis(reading: Dated, out: JsonWriter): void {
  writeMembers(reading, ANALYSIS, out);
  out.end = writePacked(out.view, out.end, CLOSING);
}

/** An aggregated bucket; `row` holds the values, NaN for null. */
export interface AnsweredBucket {
  readonly start_ms: number;
  readonly count: number;
  readonly row: Float64Array;
}

/** Writes an aggregated row: 57 members, `recordCount` last. */
export function writeAggregated({ start_ms, count, row }: AnsweredBucket, out: JsonWriter): void {
  const { keys, bytes_max } = AGGREGATED_ROW;
  out.reserve(bytes_max);
  out.end = writeTime(out.view, out.end, start_ms);
  for (let position = 0; position < keys.length; position += 1) {
    out.end = writePacked(out.view, out.end, keys[position]);
    const value = row[position];
    if (Number.isNaN(value)) out.end = writePacked(out.view, out.end, NULL);
    else writeAny(value, out, bytes_max);
  }
  out.end = writePacked(out.view, out.end, RECORD_COUNT);
  out.end = writeDecimal(out.view, out.end, count, 0);
  out.end = writePacked(out.view, out.end, CLOSING);
}

function membersOf(indices: readonly number[]): KeyedMembers {
  const keys = indices.map((index) => packText(`,${JSON.stringify(TAGS[index].name)}:`));
  const ends = TIME_BYTES_MAX + RECORD_COUNT.bytes + DECIMAL_BYTES_MAX;
  const bytes_max = keys.reduce((sum, { bytes }) => sum + bytes + DECIMAL_BYTES_MAX, ends);
  return { indices, keys, bytes_max };
}

function writeMembers({ at_ms, values }: Dated, members: KeyedMembers, out: JsonWriter): void {
  const { indices, keys, bytes_max } = members;
  out.reserve(bytes_max);
  out.end = writeTime(out.view, out.end, at_ms);
  for (let position = 0; position < keys.length; position += 1) {
    out.end = writePacked(out.view, out.end, keys[position]);
    writeAny(values[indices[position]], out, bytes_max);
  }
}

/** Writes a value. Space for `then` bytes is left afterwards, if it was before. */
function writeAny(value: Value, out: JsonWriter, then: number): void {
  const { view, end } = out;
  if (typeof value === "number") out.end = writeNumber(view, end, value);
  else out.end = writePacked(view, end, typeof value === "string" ? wordOf(value) : literal(value));
  if (out.end === end) out.text(valueJson(value), then);
}

function literal(value: boolean | bigint | null): PackedText {
  if (value === null) return NULL;
  if (typeof value === "bigint") return NO_WORD;
  return value ? TRUE : FALSE;
}

/** A text as JSON, or NO_WORD if it needs more space than a number. */
function wordOf(text: string): PackedText {
  const known = words.get(text);
  if (known !== undefined) return known;
  if (text.length > DECIMAL_BYTES_MAX) return NO_WORD;
  const packed = packText(JSON.stringify(text));
  if (packed.words.length * 8 > DECIMAL_BYTES_MAX) return NO_WORD;
  if (words.size >= WORDS_MAX) words.clear();
  words.set(text, packed);
  return packed;
}

/** A value as JSON; JSON.stringify would take the sign from negative zero. */
export function valueJson(value: Value): string {
  if (typeof value === "number") return numberJson(value);
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** The fraction for a number of ten-thousandths: the point and digits, without trailing zeros. */
const FRACTIONS = Array.from({ length: 10_000 }, (_, fraction) =>
  `.${String(fraction).padStart(4, "0")}`.replace(/\.?0+$/, ""),
);
/** Limit below which a decimal is the shortest text of its double. */
const SCALED_MAX = 1e15;

/** A number as String() prints it, but with the sign of -0; faster for up to four decimals. */
function numberJson(value: number): string {
  if (Object.is(value, -0)) return "-0";
  const scaled = Math.round(value * 1e4);
  if (scaled / 1e4 !== value || Math.abs(scaled) >= SCALED_MAX) return String(value);
  const size = Math.abs(scaled);
  const whole = Math.floor(size / 1e4);
  return (scaled < 0 ? "-" : "") + whole + FRACTIONS[size - whole * 1e4];
}
