// A growing buffer for JSON text that is written eight bytes at a time. Frequent texts (keys,
// words, digits) are packed in doubles beforehand; a store of eight bytes that runs past its end is
// overwritten by the next. Writing byte by byte took four times as long.

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

/** A larger buffer, grown for readings with very many tags, isn't kept. */
const KEPT_BYTES_MAX = 1024 * 1024;

/** A growing buffer. Code that writes through `view` reserves first and moves `end` afterwards. */
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

  /** The bytes written, as a view that is valid until the next write. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.end);
  }

  /** Empties the buffer. `view` may change. */
  clear(): void {
    this.end = 0;
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
}
