// Finds MQTT's packets in a stream of bytes, however its chunks are cut: start, announced length,
// end. Only fixed headers are read, so that broker and client can refuse or shorten a packet before
// their libraries buffer all of it; and of a first packet the protocol, for a plain refusal.

/** MQTT's fixed header: one byte of type and flags, at most four digits of the body's length. */
const HEADER_MAX_BYTES = 5;

/** Announced length of a header whose length digits don't end: more than MQTT can express. */
const ENDLESS_BYTES = 2 ** 28;

/**
 * Largest PUBLISH that passes whole: four times the longest stored payload, so that a longer one is
 * read and recorded.
 */
export const PACKET_MAX_BYTES = 4 * 1024 * 1024;

/** A packet as announced by its fixed header. */
export interface PacketHeader {
  /** Type and flags. */
  readonly first: number;
  readonly header_bytes: number;
  readonly body_bytes: number;
}

/** Follows a stream. It must get every byte once, in order. */
export class Framing {
  /** The packet whose header the last `read` completed; null after any other read. */
  announced: PacketHeader | null = null;
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

/** First byte of a TLS connection. */
const TLS_HANDSHAKE = 0x16;

/** Protocol levels that are accepted: MQTT 3.1 and 3.1.1. */
const LEVELS: readonly number[] = [3, 4];

/** Bit that bridges such as Mosquitto's add to the protocol level. */
const BRIDGE_BIT = 0x80;

/**
 * CONNACK 1: unacceptable protocol level. The library would close the connection silently; this
 * shows the publisher what to change.
 */
export const LEVEL_REFUSED = Buffer.from([0x20, 2, 0, 1]);

/**
 * The level of a whole CONNECT whose body begins at `at`, if it is unknown; else null, also for a
 * packet that isn't a CONNECT, which the library reports.
 */
export function foreignLevel(packet: Uint8Array, at: number): number | null {
  const name_bytes = (packet[at] ?? 0) * 256 + (packet[at + 1] ?? 0);
  const name = Buffer.from(packet.subarray(at + 2, at + 2 + name_bytes)).toString("latin1");
  const level = packet[at + 2 + name_bytes];
  if ((name !== "MQTT" && name !== "MQIsdp") || level === undefined) return null;
  return LEVELS.includes(level & ~BRIDGE_BIT) ? null : level;
}

/**
 * The protocol of a first chunk that isn't MQTT, for the protocols that commonly reach a wrong
 * port.
 */
export function languageOf(chunk: Buffer): string {
  if (chunk[0] === TLS_HANDSHAKE) return "TLS: this port is plain MQTT";
  const text = chunk.toString("latin1", 0, 16);
  if (/^(GET|HEAD|POST|PUT|OPTIONS) /.test(text)) return "HTTP";
  return `begins with ${JSON.stringify(text)}`;
}
