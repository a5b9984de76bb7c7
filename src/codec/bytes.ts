// Writes and reads bytes one after another, for headers, directories and dictionaries. Reading
// checks every length against the bytes left: damaged bytes end in an error, never in an endless
// loop or a huge allocation.

/** Thrown by `ByteReader` and all decoding of segments for bytes that can't be right. */
export class DamagedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DamagedError";
  }
}

/** Maximum length of a varint in bytes, of seven bits each: values up to 2^53. */
const VARINT_BYTES_MAX = 8;

export class ByteWriter {
  #bytes = Buffer.allocUnsafe(256);
  #end = 0;

  byte(value: number): void {
    this.#room(1);
    this.#bytes[this.#end] = value;
    this.#end += 1;
  }

  /** An integer from 0 to 2^53 - 1. */
  varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.byte((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    this.byte(rest);
  }

  /** An integer between -2^52 and 2^52. */
  signed(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  double(value: number): void {
    this.#room(8);
    this.#end = this.#bytes.writeDoubleLE(value, this.#end);
  }

  /** A number that single precision represents exactly. */
  single(value: number): void {
    this.#room(4);
    this.#end = this.#bytes.writeFloatLE(value, this.#end);
  }

  bytes(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** UTF-8, preceded by its length in bytes. */
  text(text: string): void {
    const bytes = Buffer.from(text, "utf8");
    this.varint(bytes.length);
    this.bytes(bytes);
  }

  /** A copy of all bytes written. */
  finish(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#end));
  }

  #room(count: number): void {
    if (this.#end + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#end + count));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}

export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array | Int8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  byte(): number {
    return this.#bytes[this.#skip(1)];
  }

  varint(): number {
    const first = this.byte();
    if (first < 128) return first;
    let value = first & 127;
    let factor = 128;
    for (let count = 1; count < VARINT_BYTES_MAX; count += 1) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) {
        if (value > Number.MAX_SAFE_INTEGER) break;
        return value;
      }
      factor *= 128;
    }
    throw new DamagedError(`varint at byte ${this.#at}: expected at most 2^53 - 1`);
  }

  signed(): number {
    const packed = this.varint();
    return packed % 2 === 0 ? packed / 2 : -(packed + 1) / 2;
  }

  double(): number {
    return this.#bytes.readDoubleLE(this.#skip(8));
  }

  single(): number {
    return this.#bytes.readFloatLE(this.#skip(4));
  }

  /** A view of the next `length` bytes. */
  bytes(length: number): Buffer {
    const start = this.#skip(length);
    return this.#bytes.subarray(start, start + length);
  }

  text(): string {
    return this.bytes(this.varint()).toString("utf8");
  }

  #skip(count: number): number {
    const start = this.#at;
    if (count > this.#bytes.length - start)
      throw new DamagedError(`${this.left} bytes left: expected ${count}`);
    this.#at = start + count;
    return start;
  }
}
