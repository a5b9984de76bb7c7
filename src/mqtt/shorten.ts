// The stream between MQTT.js and the broker's socket, which bounds memory. MQTT 3.1.1 doesn't limit
// what a broker may send, and a refused message would be sent again for ever and block all others.
// So an oversized PUBLISH is shortened as it passes: topic, packet id and the payload's head go to
// the library, the rest is dropped; it is quarantined with its true length, and acknowledged.

import { createConnection, isIP, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { PAYLOAD_HEAD_BYTES } from "../bwts/message.ts";
import type { Credentials } from "../config/certificate.ts";
import { brokerAddress } from "../config/values.ts";
import { Framing, fixedHeader, PACKET_MAX_BYTES } from "./framing.ts";

const PUBLISH = 3;

/** Bytes of a PUBLISH in which the length of its topic is given. */
const TOPIC_LENGTH_BYTES = 2;

/** Smallest piece of an unfinished packet that is passed on, in bytes. */
const PIECE_MIN_BYTES = 16 * 1024;

/** Thrown for an oversized packet of another type than PUBLISH. */
class TooLong extends Error {}

/** Passes on a broker's bytes. It must get every chunk in order. */
export class Shortener {
  readonly #framing = new Framing();
  /** Payload lengths of shortened packets, by their number among all PUBLISH packets. */
  readonly #lengths = new Map<number, number>();
  #published = 0;
  /** Bytes of an unfinished header; the whole header decides how the packet is passed on. */
  #head: number[] = [];
  /** Bytes of the current packet that may still pass; null if it passes whole. */
  #pass_bytes: number | null = null;
  /** A shortened PUBLISH whose topic length isn't complete, and its bytes so far. */
  #beginning: { readonly first: number; readonly body_bytes: number } | null = null;
  #lengthBytes: number[] = [];
  /** Bytes of an unfinished packet that aren't yet worth passing on. */
  readonly #held = Buffer.alloc(PIECE_MIN_BYTES);
  #held_bytes = 0;
  /** True once the beginning of the unfinished packet was passed on. */
  #isBegun = false;

  /** The bytes of `chunk` that pass. Throws TooLong for a packet that can't be shortened. */
  passed(chunk: Uint8Array): Buffer {
    const whole: Uint8Array[] = [];
    let parts: Uint8Array[] = [];
    for (let at = 0; at < chunk.length; ) {
      const isBody = this.#framing.passed_bytes > 0 && this.#head.length === 0;
      const end = this.#framing.read(chunk, at);
      const bytes = chunk.subarray(at, end);
      at = end;
      if (isBody) this.#body(bytes, parts);
      else this.#header(bytes, parts);
      if (this.#framing.passed_bytes > 0) continue;
      whole.push(...this.#release(), ...parts);
      parts = [];
      this.#isBegun = false;
    }
    return Buffer.concat([...whole, ...this.#enough(parts)]);
  }

  /**
   * The parts of an unfinished packet that pass now. Its beginning passes at once, since the
   * library detects by it data that isn't MQTT. The rest passes in larger pieces, because the
   * library takes 80 bytes of memory for each, and a broker may send a packet byte by byte.
   */
  #enough(parts: readonly Uint8Array[]): readonly Uint8Array[] {
    const bytes = parts.reduce((sum, { length }) => sum + length, 0);
    const isBeginning = bytes > 0 && !this.#isBegun;
    this.#isBegun ||= isBeginning;
    if (isBeginning || this.#held_bytes + bytes >= PIECE_MIN_BYTES)
      return [...this.#release(), ...parts];
    for (const part of parts) {
      this.#held.set(part, this.#held_bytes);
      this.#held_bytes += part.length;
    }
    return [];
  }

  #release(): readonly Uint8Array[] {
    if (this.#held_bytes === 0) return [];
    const held = Buffer.from(this.#held.subarray(0, this.#held_bytes));
    this.#held_bytes = 0;
    return [held];
  }

  /** The payload's length on the wire of the `nth` PUBLISH (from 1), if it was shortened. */
  takeLength(nth: number): number | null {
    const length = this.#lengths.get(nth);
    this.#lengths.delete(nth);
    return length ?? null;
  }

  #header(bytes: Uint8Array, parts: Uint8Array[]): void {
    this.#head.push(...bytes);
    const { announced } = this.#framing;
    if (announced === null) return;
    const { first, header_bytes, body_bytes } = announced;
    const type = first >> 4;
    if (type === PUBLISH) this.#published += 1;
    this.#pass_bytes = null;
    if (header_bytes + body_bytes <= PACKET_MAX_BYTES) parts.push(Buffer.from(this.#head));
    else if (type === PUBLISH) {
      this.#beginning = { first, body_bytes };
      this.#pass_bytes = 0;
    } else throw new TooLong(`a packet of type ${type} with ${body_bytes} bytes`);
    this.#head = [];
  }

  #body(bytes: Uint8Array, parts: Uint8Array[]): void {
    if (this.#pass_bytes === null) {
      parts.push(bytes);
      return;
    }
    const rest = this.#beginning === null ? bytes : this.#begin(bytes, parts);
    if (this.#pass_bytes === 0) return;
    parts.push(rest.subarray(0, this.#pass_bytes));
    this.#pass_bytes = Math.max(0, this.#pass_bytes - rest.length);
  }

  /** Collects the topic's length, then writes the shorter packet's beginning; returns the rest. */
  #begin(bytes: Uint8Array, parts: Uint8Array[]): Uint8Array {
    if (this.#beginning === null) return bytes;
    const missing_bytes = TOPIC_LENGTH_BYTES - this.#lengthBytes.length;
    this.#lengthBytes.push(...bytes.subarray(0, missing_bytes));
    if (this.#lengthBytes.length < TOPIC_LENGTH_BYTES) return new Uint8Array();
    const { first, body_bytes } = this.#beginning;
    const [high = 0, low = 0] = this.#lengthBytes;
    const hasPacketId = (first & 0b110) !== 0;
    const variable_bytes = high * 256 + low + (hasPacketId ? 2 : 0);
    const payload_bytes = body_bytes - TOPIC_LENGTH_BYTES - variable_bytes;
    this.#lengths.set(this.#published, payload_bytes);
    this.#pass_bytes = variable_bytes + PAYLOAD_HEAD_BYTES;
    parts.push(
      fixedHeader(first, TOPIC_LENGTH_BYTES + this.#pass_bytes),
      Buffer.from(this.#lengthBytes),
    );
    this.#beginning = null;
    this.#lengthBytes = [];
    return bytes.subarray(missing_bytes);
  }
}

/** Begins to connect to the broker, by TLS if its URL says so. */
export function brokerSocket(url: string, credentials: Credentials | null): Socket {
  const { protocol, host, port } = brokerAddress(url);
  if (protocol === "mqtt") return createConnection({ host, port, noDelay: true });
  const named = isIP(host) === 0 ? { servername: host } : {};
  return connectTls({ host, port, ...named, ...credentials }).setNoDelay(true);
}

/** Wraps a socket that may still be connecting; errors and closing pass both ways. */
export function inbound(socket: Socket, shortener: Shortener, onHeard: () => void): Duplex {
  const stream = new Duplex({
    read: () => socket.resume(),
    write: (chunk, _encoding, done) => socket.write(chunk, done),
    final: (done) => socket.end(done),
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });
  socket.on("data", (chunk) => {
    onHeard();
    try {
      const passed = shortener.passed(chunk);
      if (passed.length > 0 && !stream.push(passed)) socket.pause();
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  });
  socket.on("error", (error) => stream.destroy(error));
  socket.on("close", () => stream.destroy());
  return stream;
}
