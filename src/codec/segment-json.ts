// Prints readings of a segment as JSON, byte for byte as codec/json.ts, from scaled integers
// straight into a buffer. Keys and constant columns are merged into packed text beforehand. Numbers
// that a decimal can't print fall back to String().

import type { Value } from "../bwts/reading.ts";
import { RUNTIME_ANALYSIS, TAGS } from "../bwts/tags.ts";
import { type Column, isConstant, KIND, valueAt } from "./column.ts";
import type { Integers } from "./integers.ts";
import { DECIMAL_BYTES_MAX, DECIMAL_SCALE_MAX, writeDecimal } from "./json-decimal.ts";
import {
  type JsonWriter,
  type PackedText,
  packText,
  TIME_BYTES_MAX,
  timeWriter,
  writePacked,
} from "./json-writer.ts";
import type { Segment } from "./segment-reader.ts";

/** Readings `from` to `to` (excluded), and the text between two of them. */
export interface Rows {
  readonly from: number;
  readonly to: number;
  readonly between: "," | "\n";
}

/** Writes rows of one segment; made once for a segment, and called for any number of chunks. */
export type Render = (rows: Rows, into: JsonWriter) => void;

const READING_INDICES = TAGS.map((_, index) => index).slice(1);
const CLOSING = packText("}");
const NULL = packText("null");
const BETWEEN = { ",": packText(","), "\n": packText("\n") } as const;

/** Renders TelemetryReadings: every catalogue member, then the unknown tags. */
export function readingRenderer(segment: Segment): Render {
  const plan = planOf(segment, READING_INDICES);
  const keys = segment.extraNames.map((name) => `,${JSON.stringify(name)}:`);
  return rendererOf(segment, plan, (row, into) => {
    for (const position of segment.extrasOf(row)) {
      const text = keys[position] + valueJson(valueAt(segment.extra(position), row));
      into.text(text, plan.bytes_max);
    }
  });
}

/** Renders rows of the runtime analysis. */
export function analysisRenderer(segment: Segment): Render {
  return rendererOf(segment, planOf(segment, RUNTIME_ANALYSIS), () => {});
}

/** A member that varies. */
interface Field {
  /** End, in `Plan.words`, of the text before this field; `bytes` of it count. */
  readonly wordsEnd: number;
  readonly bytes: number;
  readonly column: Column;
  /** Form of the values of all rows; null if it differs by row. */
  readonly form: "decimal" | "word" | null;
  /** The column's integers, here for faster access. */
  readonly integers: Integers;
  readonly scale: number;
  /** Texts by code, for the form "word". */
  readonly texts: readonly PackedText[];
}

interface Plan {
  readonly fields: readonly Field[];
  /** The text before each field, one after another. Each starts at a new word. */
  readonly words: Float64Array;
  readonly after: PackedText;
  /** Largest size of a reading in bytes, without the texts that `JsonWriter.text` writes. */
  readonly bytes_max: number;
}

function planOf(segment: Segment, indices: readonly number[]): Plan {
  const fields: Field[] = [];
  const words: number[] = [];
  let constant = "";
  let bytes_max = TIME_BYTES_MAX + 8;
  for (const index of indices) {
    const column = segment.column(index);
    constant += `,${JSON.stringify(TAGS[index].name)}:`;
    if (isConstant(column)) {
      constant += valueJson(valueAt(column, 0));
      continue;
    }
    const before = packText(constant);
    words.push(...before.words);
    const form = formOf(column);
    const texts = form === "word" ? column.words.map((word) => packText(valueJson(word))) : [];
    const { integers, decimal } = column;
    const place = { wordsEnd: words.length, bytes: before.bytes };
    fields.push({ ...place, column, form, integers, scale: decimal.scale, texts });
    bytes_max += before.bytes + texts.reduce(longer, DECIMAL_BYTES_MAX);
    constant = "";
  }
  const after = packText(constant);
  bytes_max += after.bytes;
  return { fields, words: Float64Array.from(words), after, bytes_max };
}

function longer(most: number, { bytes }: PackedText): number {
  return Math.max(most, bytes);
}

function formOf(column: Column): Field["form"] {
  if (column.kind === KIND.word) return "word";
  return column.kind === KIND.decimal && isPrintable(column) ? "decimal" : null;
}

function isPrintable({ decimal }: Column): boolean {
  return !decimal.single && decimal.scale <= DECIMAL_SCALE_MAX;
}

function rendererOf(
  { at_ms }: Segment,
  plan: Plan,
  renderExtras: (row: number, into: JsonWriter) => void,
): Render {
  const writeTime = timeWriter();
  return ({ from, to, between }, into) => {
    const separator = BETWEEN[between];
    for (let row = from; row < to; row += 1) {
      into.reserve(plan.bytes_max);
      if (row > from) into.end = writePacked(into.view, into.end, separator);
      into.end = writeTime(into.view, into.end, at_ms[row]);
      renderFields(plan, row, into);
      into.end = writePacked(into.view, into.end, plan.after);
      renderExtras(row, into);
      into.end = writePacked(into.view, into.end, CLOSING);
    }
  };
}

// The inner loop keeps position and view in locals, which halves its time.
function renderFields({ fields, words, bytes_max }: Plan, row: number, into: JsonWriter): void {
  let { view, end: at } = into;
  let word = 0;
  for (let i = 0; i < fields.length; i += 1) {
    const field = fields[i];
    const end = at + field.bytes;
    for (; word < field.wordsEnd; word += 1) {
      view.setFloat64(at, words[word], true);
      at += 8;
    }
    at = end;
    if (field.form === "decimal") at = writeDecimal(view, at, field.integers[row], field.scale);
    else if (field.form === "word")
      at = writePacked(view, at, field.texts[field.column.codes[row]]);
    else {
      into.end = at;
      renderAny(field.column, row, into, bytes_max);
      ({ view, end: at } = into);
    }
  }
  into.end = at;
}

// Prints nulls among decimals, and other rare values.
function renderAny(column: Column, row: number, into: JsonWriter, bytes_max: number): void {
  const kind = column.kinds === null ? column.kind : column.kinds[row];
  if (kind === KIND.decimal && isPrintable(column)) {
    const { integers, decimal } = column;
    into.end = writeDecimal(into.view, into.end, integers[row], decimal.scale);
  } else if (kind === KIND.none) into.end = writePacked(into.view, into.end, NULL);
  else into.text(valueJson(valueAt(column, row)), bytes_max);
}

function valueJson(value: Value): string {
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
