// Finds MQTT's packets in a stream of bytes, however its chunks are cut: start, announced length,
// end. Only fixed headers are read, so that broker and client can refuse or shorten a packet before
// their libraries buffer all of it.

/** MQTT's fixed header: one byte of type and flags, at most four digits of the body's length. */
const HEADER_MAX_BYTES = 5;

/** Stands for a length whose digits don't end: more than MQTT can express. */
const ENDLESS_BYTES = 2 ** 28;

/**
 * Largest PUBLISH that passes whole: four times the longest stored payload, so that a longer one is
 * read and recorded.
 */
export const PACKET_MAX_BYTES = 4 * 1024 * 1024;

/** A packet as its fixed header announces it. */
export interface Announced {
  /** Type and flags. */
  readonly first: number;
  readonly header_bytes: number;
  readonly body_bytes: number;
}

/** Follows a stream. It must get every byte once, in order. */
export class Framing {
  /** The packet whose header the last `read` completed; null after any other read. */
  announced: Announced | null = null;
  /** Bytes of the current packet that have passed, header included; 0 between packets. */
  passed_bytes = 0;
  #first = 0;
  #header_bytes = 0;
  #body_bytes = 0;
  #left_bytes = 0;

  /** Reads on from `at`: the rest of a body, or of a header; returns its end. */
  read(chunk: Uint8Array, at: number): number {
    this.announced = null;
    if (this.#left_bytes === 0) return this.#readHeader(chunk, at);
    const bytes = Math.min(this.#left_bytes, chunk.length - at);
    this.#left_bytes -= bytes;
    this.passed_bytes = this.#left_bytes === 0 ? 0 : this.passed_bytes + bytes;
    return at + bytes;
  }

  #readHeader(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      this.#header_bytes += 1;
      this.passed_bytes += 1;
      if (this.#header_bytes === 1) {
        this.#first = byte;
        continue;
      }
      this.#body_bytes += (byte & 0x7f) * 128 ** (this.#header_bytes - 2);
      if (byte < 0x80) return this.#begin(at + 1, this.#body_bytes);
      if (this.#header_bytes === HEADER_MAX_BYTES) return this.#begin(at + 1, ENDLESS_BYTES);
    }
    return chunk.length;
  }

  #begin(end: number, body_bytes: number): number {
    this.announced = { first: this.#first, header_bytes: this.#header_bytes, body_bytes };
    this.#left_bytes = body_bytes;
    if (body_bytes === 0) this.passed_bytes = 0;
    this.#header_bytes = 0;
    this.#body_bytes = 0;
    return end;
  }
}

/** A fixed header that announces a body of `body_bytes`. */
export function fixedHeader(first: number, body_bytes: number): Buffer {
  const bytes = [first];
  let rest = body_bytes;
  do {
    const digit = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest > 0 ? digit | 0x80 : digit);
  } while (rest > 0);
  return Buffer.from(bytes);
}
