// A growing buffer for JSON text that is written eight bytes at a time: what is printed often
// (keys, words, digits) lies packed in doubles beforehand, and a store of eight bytes that runs
// past its end is overwritten by the next. Writing byte by byte was measured at four times the
// time.

import { fillDigitTables } from "./json-decimal.ts";

/** Text as doubles of eight bytes each, the last filled up with zeros. */
export interface PackedText {
  readonly words: Float64Array;
  readonly bytes: number;
}

/** Packs `text`. Little endian: no UTF-8 then has the bits of a NaN, which a copy may change. */
export function packText(text: string): PackedText {
  const bytes = Buffer.byteLength(text);
  const padded = Buffer.alloc(Math.ceil(bytes / 8) * 8);
  padded.write(text, "utf8");
  const words = Float64Array.from({ length: padded.length / 8 }, (_, word) =>
    padded.readDoubleLE(word * 8),
  );
  return { words, bytes };
}

/** Stores packed text at `at`; gives the place behind it. */
export function writePacked(view: DataView, at: number, { words, bytes }: PackedText): number {
  for (let word = 0; word < words.length; word += 1)
    view.setFloat64(at + word * 8, words[word], true);
  return at + bytes;
}

/** A buffer that grew past this, for readings with very much in them, isn't kept. */
const KEPT_BYTES_MAX = 1024 * 1024;

/** A buffer that grows; who writes by `view` reserves before and moves `end` afterwards. */
export class JsonWriter {
  readonly #size: number;
  #bytes: Buffer;
  view: DataView;
  end = 0;

  constructor(size = 64 * 1024) {
    fillDigitTables();
    this.#size = size;
    this.#bytes = Buffer.allocUnsafeSlow(size);
    this.view = new DataView(this.#bytes.buffer);
  }

  /** What was written, as a view that is good until the next write. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.end);
  }

  /** Starts again at the front. `view` may be another. */
  clear(): void {
    this.end = 0;
    if (this.#bytes.length <= KEPT_BYTES_MAX) return;
    this.#bytes = Buffer.allocUnsafeSlow(this.#size);
    this.view = new DataView(this.#bytes.buffer);
  }

  /** Makes room for `bytes` more, and for a word that runs past them. `view` may be another. */
  reserve(bytes: number): void {
    if (this.end + bytes + 8 <= this.#bytes.length) return;
    const size = Math.max(this.#bytes.length * 2, this.end + bytes + 8);
    const larger = Buffer.allocUnsafeSlow(size);
    this.#bytes.copy(larger, 0, 0, this.end);
    this.#bytes = larger;
    this.view = new DataView(larger.buffer);
  }

  /** Any text; makes its own room, and room for `then` bytes after it. */
  text(text: string, then: number): void {
    this.reserve(3 * text.length + then);
    this.end += this.#bytes.write(text, this.end, "utf8");
  }
}
