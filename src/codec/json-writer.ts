// A growing buffer for JSON text that is written eight bytes at a time, and answers that are
// written into it step by step. Frequent texts (keys, words, digits) are packed in doubles
// beforehand; a store of eight bytes that runs past its end is overwritten by the next. Writing
// byte by byte took four times as long. Times come in ascending order, so year and month are
// printed once a month and the rest is looked up.

import { DAY_MS, MINUTE_MS, printTime, SECOND_MS } from "../ground/clock.ts";
import { fillDigitTables } from "./json-decimal.ts";

/** Text as doubles of eight bytes each, the last filled up with zeros. */
export interface PackedText {
  readonly words: Float64Array;
  readonly bytes: number;
}

/** Packs `text`, little endian: UTF-8 then never has the bits of a NaN, which a copy may change. */
export function packText(text: string): PackedText {
  const bytes = Buffer.byteLength(text);
  const padded = Buffer.alloc(Math.ceil(bytes / 8) * 8);
  padded.write(text, "utf8");
  const words = Float64Array.from({ length: padded.length / 8 }, (_, word) =>
    padded.readDoubleLE(word * 8),
  );
  return { words, bytes };
}

/** Stores packed text at `at`; returns the end. */
export function writePacked(view: DataView, at: number, { words, bytes }: PackedText): number {
  for (let word = 0; word < words.length; word += 1)
    view.setFloat64(at + word * 8, words[word], true);
  return at + bytes;
}

/** Maximum size of a buffer that is kept; readings with very many tags need a larger one. */
const KEPT_BYTES_MAX = 1024 * 1024;

/** A growing buffer. Code that writes through `view` reserves first and moves `end` afterwards. */
export class JsonWriter {
  readonly #size: number;
  #bytes: Buffer;
  view: DataView;
  end = 0;
  /** Length of the whole list, if the answer in the buffer begins a page of one. */
  total: number | null = null;

  constructor(size = 64 * 1024) {
    fillDigitTables();
    this.#size = size;
    this.#bytes = Buffer.allocUnsafeSlow(size);
    this.view = new DataView(this.#bytes.buffer);
  }

  /** The bytes written, as a view that is valid until the next write. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.end);
  }

  /** Empties the buffer. `view` may change. */
  clear(): void {
    this.end = 0;
    this.total = null;
    if (this.#bytes.length <= KEPT_BYTES_MAX) return;
    this.#bytes = Buffer.allocUnsafeSlow(this.#size);
    this.view = new DataView(this.#bytes.buffer);
  }

  /** Makes room for `bytes`, and for a word that runs past them. `view` may change. */
  reserve(bytes: number): void {
    if (this.end + bytes + 8 <= this.#bytes.length) return;
    const size = Math.max(this.#bytes.length * 2, this.end + bytes + 8);
    const larger = Buffer.allocUnsafeSlow(size);
    this.#bytes.copy(larger, 0, 0, this.end);
    this.#bytes = larger;
    this.view = new DataView(larger.buffer);
  }

  /** Writes any text. Makes room for it and for `then` bytes after it. */
  text(text: string, then: number): void {
    this.reserve(3 * text.length + then);
    this.end += this.#bytes.write(text, this.end, "utf8");
  }

  /** Writes bytes of a file that isn't text. */
  bytes(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.#bytes.set(bytes, this.end);
    this.end += bytes.length;
  }
}

/** Maximum bytes that a time writer stores. */
export const TIME_BYTES_MAX = 64;

/** Stores the opening, a time and a quote at `at` and returns the end. */
export type WriteTime = (view: DataView, at: number, at_ms: number) => number;

const DAYS = wordsOf(31, (day) => `${two(day + 1)}T`);
const MINUTES = wordsOf(
  DAY_MS / MINUTE_MS,
  (minute) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`,
);
const SECONDS = wordsOf(60, (second) => `:${two(second)}.`);
const MILLISECONDS = wordsOf(SECOND_MS, (ms) => `${String(ms).padStart(3, "0")}Z"`);

/** A writer for consecutive times, each after `opening`. */
export function timeWriter(opening = '{"timestamp":"'): WriteTime {
  let month = monthOf(0, opening);
  return (view, start, at_ms) => {
    if (at_ms < month.start_ms || at_ms >= month.end_ms) month = monthOf(at_ms, opening);
    const day = Math.floor((at_ms - month.start_ms) / DAY_MS);
    const inDay_ms = at_ms - month.start_ms - day * DAY_MS;
    const minute = Math.floor(inDay_ms / MINUTE_MS);
    const inMinute_ms = inDay_ms - minute * MINUTE_MS;
    const second = Math.floor(inMinute_ms / SECOND_MS);
    const at = writePacked(view, start, month.opening);
    view.setFloat64(at, DAYS[day], true);
    view.setFloat64(at + 3, MINUTES[minute], true);
    view.setFloat64(at + 8, SECONDS[second], true);
    view.setFloat64(at + 12, MILLISECONDS[inMinute_ms - second * SECOND_MS], true);
    return at + 17;
  };
}

interface Month {
  readonly start_ms: number;
  readonly end_ms: number;
  /** The text up to the day. */
  readonly opening: PackedText;
}

function monthOf(at_ms: number, opening: string): Month {
  const start = new Date(at_ms);
  start.setUTCDate(1);
  start.setUTCHours(0, 0, 0, 0);
  const end = new Date(start);
  end.setUTCMonth(start.getUTCMonth() + 1);
  return {
    start_ms: start.getTime(),
    end_ms: end.getTime(),
    opening: packText(`${opening}${printTime(at_ms).slice(0, -"01T00:00:00.000Z".length)}`),
  };
}

function wordsOf(count: number, textOf: (entry: number) => string): Float64Array {
  return Float64Array.from({ length: count }, (_, entry) => packText(textOf(entry)).words[0]);
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

/** Writes an answer step by step. Between two steps the caller may take the text written so far. */
export type Steps = Generator<void>;

/** Writes one or more items of an array. */
export type AnswerPiece = () => void;

export function* wholeText(out: JsonWriter, text: string): Steps {
  out.text(text, 0);
  yield;
}

export function* eachText(out: JsonWriter, texts: Iterable<string>): Steps {
  for (const text of texts) yield* wholeText(out, text);
}

/** An array of the texts that the pieces write, with commas between them. */
export function* arrayOf(out: JsonWriter, pieces: Iterable<AnswerPiece>): Steps {
  let before = "[";
  for (const write of pieces) {
    out.text(before, 0);
    write();
    before = ",";
    yield;
  }
  out.text(before === "[" ? "[]" : "]", 0);
  yield;
}

/** An array of JSON texts. */
export function arrayOfTexts(out: JsonWriter, texts: Iterable<string>): Steps {
  return arrayOf(out, piecesOf(out, texts));
}

function* piecesOf(out: JsonWriter, texts: Iterable<string>): Generator<AnswerPiece> {
  for (const text of texts) yield () => out.text(text, 0);
}
