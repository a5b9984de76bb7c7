// A reading as a compact row: a bitmap of its fields, then their values in the catalogue's order. A
// decimal is a scaled integer in a varint (612.3 is 6123 at scale 1: three bytes). Other numbers
// keep their 64 bits, so that every value is restored bit for bit, negative zero included. Frequent
// words of PLCs take one byte. JSON text took six times the bytes.

import type { Reading, Scalar, Value } from "../../bwts/reading.ts";
import { TAGS } from "../../bwts/tags.ts";

/** The packed content of a reading. Its times and the clock's trust are columns of their own. */
export type RowContent = Pick<Reading, "values" | "derived" | "extra">;

const FORMAT = 1;
const BITMAP_BYTES = Math.ceil(TAGS.length / 8);
/** 10^0 to 10^6. Scale 7 is followed by 64 bits. */
const SCALES = [1, 10, 100, 1e3, 1e4, 1e5, 1e6];
const RAW_SCALE = 7;
/** Limit of scaled integers: larger ones aren't exact in a varint made of doubles. */
const SCALED_MAX = 2 ** 48;

/** Frequent words. Only append: rows on disk have indices into this list. */
const WORDS = [
  "ACTIVE",
  "OK",
  "STANDBY",
  "FAILED",
  "RUNNING",
  "IDLE",
  "WARMUP",
  "BACKFLUSH",
  "CIP",
  "BYPASS",
  "STOPPING",
  "FAULT",
  "BALLAST",
  "DEBALLAST",
  "NORMAL",
  "BACKFLUSHING",
  "OPERATIONAL",
  "IMO",
  "USCG",
  "STOPPED",
  "WARNING",
  "ALARM",
  "OFF",
  "ON",
] as const;
const wordCode: ReadonlyMap<string, number> = new Map(WORDS.map((word, code) => [word, code]));
/** Mark of a text whose length in bytes follows. */
const LONG_TEXT = 255;

/** `digits`: an integer that no double holds, as text. */
const KIND = { number: 0, text: 1, false: 2, true: 3, digits: 4 } as const;

/** The text of the columns that a row's checksum covers beside its bytes. */
export function besideReading(row: {
  readonly at_ms: number;
  readonly received_ms: number;
  readonly clock_trusted: number;
  readonly supersedes: number;
}): string {
  const { supersedes } = row;
  const beside = `${row.at_ms} ${row.received_ms} ${row.clock_trusted}`;
  return supersedes === 0 ? beside : `${beside} ${supersedes}`;
}

/** Packs a reading's content. The buffer belongs to the caller. */
export function encodeRow(content: RowContent): Buffer {
  const out = scratch;
  out.begin();
  out.byte(FORMAT);
  out.byte(content.derived);
  const bitmap = out.reserve(BITMAP_BYTES);
  for (let index = 1; index < TAGS.length; index += 1) {
    const value = content.values[index];
    if (value === null) continue;
    out.bytes[bitmap + (index >> 3)] |= 1 << (index & 7);
    out.value(value);
  }
  out.varint(content.extra.size);
  for (const [name, value] of content.extra) {
    out.text(name);
    out.value(value);
  }
  return out.finish();
}

/** Unpacks a row of `encodeRow`. Throws for a format that this program doesn't know. */
export function decodeRow(row: Uint8Array): RowContent {
  const from = new RowReader(row);
  const format = from.byte();
  if (format !== FORMAT) throw new Error(`row format ${format}: expected ${FORMAT}`);
  const derived = from.byte();
  const bitmap = from.skip(BITMAP_BYTES);
  const values: Value[] = new Array(TAGS.length).fill(null);
  for (let index = 1; index < TAGS.length; index += 1)
    if ((row[bitmap + (index >> 3)] & (1 << (index & 7))) !== 0) values[index] = from.value();
  const extra = new Map<string, Scalar>();
  for (let count = from.varint(); count > 0; count -= 1) {
    const name = from.text();
    extra.set(name, from.value());
  }
  return { values, derived, extra };
}

function wordAt(code: number): string {
  const word = WORDS.at(code);
  if (word === undefined) throw new Error(`row word ${code}: expected 0 to ${WORDS.length - 1}`);
  return word;
}

class RowWriter {
  bytes = Buffer.allocUnsafe(4096);
  #end = 0;

  begin(): void {
    this.#end = 0;
  }

  byte(value: number): void {
    this.#room(1);
    this.bytes[this.#end] = value;
    this.#end += 1;
  }

  /** Appends zero bytes to be filled in later; returns their start. */
  reserve(count: number): number {
    this.#room(count);
    const start = this.#end;
    this.bytes.fill(0, start, start + count);
    this.#end += count;
    return start;
  }

  varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.byte((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    this.byte(rest);
  }

  text(text: string): void {
    const length = Buffer.byteLength(text);
    this.varint(length);
    this.#room(length);
    this.#end += this.bytes.write(text, this.#end, "utf8");
  }

  value(value: Scalar): void {
    if (typeof value === "boolean") {
      this.byte(value ? KIND.true : KIND.false);
    } else if (typeof value === "number") {
      this.byte(KIND.number);
      this.#number(value);
    } else if (typeof value === "bigint") {
      this.byte(KIND.digits);
      this.text(String(value));
    } else {
      this.byte(KIND.text);
      const code = wordCode.get(value) ?? LONG_TEXT;
      this.byte(code);
      if (code === LONG_TEXT) this.text(value);
    }
  }

  finish(): Buffer {
    return Buffer.from(this.bytes.subarray(0, this.#end));
  }

  #number(value: number): void {
    for (let scale = 0; scale < SCALES.length; scale += 1) {
      const scaled = Math.round(value * SCALES[scale]);
      if (scaled / SCALES[scale] !== value || !(Math.abs(scaled) < SCALED_MAX)) continue;
      if (Object.is(value, -0)) break;
      this.varint((scaled < 0 ? -2 * scaled - 1 : 2 * scaled) * 8 + scale);
      return;
    }
    this.byte(RAW_SCALE);
    this.#room(8);
    this.#end = this.bytes.writeDoubleLE(value, this.#end);
  }

  #room(count: number): void {
    if (this.#end + count <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.#end + count));
    this.bytes.copy(larger, 0, 0, this.#end);
    this.bytes = larger;
  }
}

/** Buffer in which each row is written, and from which it is copied when finished. */
const scratch = new RowWriter();

class RowReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  byte(): number {
    const value = this.#view.getUint8(this.#at);
    this.#at += 1;
    return value;
  }

  skip(count: number): number {
    this.#at += count;
    return this.#at - count;
  }

  varint(): number {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
  }

  text(): string {
    const length = this.varint();
    const start = this.skip(length);
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + start, length).toString("utf8");
  }

  value(): Scalar {
    const kind = this.byte();
    switch (kind) {
      case KIND.false:
        return false;
      case KIND.true:
        return true;
      case KIND.number:
        return this.#number();
      case KIND.text: {
        const code = this.byte();
        return code === LONG_TEXT ? this.text() : wordAt(code);
      }
      case KIND.digits:
        return BigInt(this.text());
      default:
        throw new Error(`row value kind ${kind}: expected 0 to 4`);
    }
  }

  #number(): number {
    const packed = this.varint();
    const scale = packed % 8;
    if (scale === RAW_SCALE) return this.#view.getFloat64(this.skip(8), true);
    const zigzag = Math.floor(packed / 8);
    return (zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2) / SCALES[scale];
  }
}
