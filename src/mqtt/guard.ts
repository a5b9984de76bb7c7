// Stands between a publisher's socket and the embedded broker, which buffers whatever a packet
// announces, even before it knows who sends it. The guard reads the fixed headers as they pass and
// closes the connection of a packet that announces too much; it also stops reading from a publisher
// whose messages wait for the disk. (Limits inside the broker library would come too late.)

import type { Socket } from "node:net";
import { Duplex } from "node:stream";

/** The first packet, CONNECT: identifiers and a will; a stranger gets no more memory than that. */
export const CONNECT_MAX_BYTES = 64 * 1024;

/** Any later packet: four times the longest payload that is stored, read so that it is recorded. */
export const PACKET_MAX_BYTES = 4 * 1024 * 1024;

/** A publisher's messages that wait for their commit; above it the socket isn't read. */
export const IN_HAND_MAX_BYTES = 4 * 1024 * 1024;

/** MQTT's fixed header: one byte of type and flags, at most four digits of the length. */
const HEADER_MAX_BYTES = 5;

/** What a message in hand costs beside its payload (objects, promises), rounded up. */
const IN_HAND_OVERHEAD_BYTES = 1024;

/** How long a closed connection may take to send its last acknowledgements. */
const LINGER_MS = 2_000;

export interface Guard {
  /** What the broker reads and writes in place of the socket. */
  readonly stream: Duplex;
  /** A message of `bytes` waits for its commit. */
  hold(bytes: number): void;
  /** It waits no more. */
  release(bytes: number): void;
  /** Reads nothing more from the publisher; what is written still goes out. */
  stop(): void;
}

/** Guards a fresh socket; `onOversized` is called once, with what was announced, when it closes. */
export function guardSocket(socket: Socket, onOversized: (bytes: number) => void): Guard {
  const oversized = headerScanner();
  let inHand_bytes = 0;
  let stopped = false;
  const resume = () => {
    if (!stopped && inHand_bytes <= IN_HAND_MAX_BYTES) socket.resume();
  };
  const stream = new Duplex({
    read: resume,
    write: (chunk, _encoding, done) => socket.write(chunk, done),
    final: (done) => socket.end(done),
    destroy: (error, done) => {
      closeSocket(socket, error);
      done(error);
    },
  });
  let ended = false;
  const end = () => {
    if (!ended && !stream.destroyed) stream.push(null);
    ended = true;
  };
  socket.on("data", (chunk) => {
    if (stream.destroyed || ended) return;
    const announced_bytes = oversized(chunk);
    if (announced_bytes !== null) {
      onOversized(announced_bytes);
      socket.destroy();
      stream.destroy();
    } else if (!stream.push(chunk) || stopped || inHand_bytes > IN_HAND_MAX_BYTES) socket.pause();
  });
  socket.on("end", end);
  // Without an error, what was received before is still read to its end.
  socket.on("close", (failed) => (failed ? stream.destroy() : end()));
  socket.on("error", () => stream.destroy());
  return {
    stream,
    hold: (bytes) => {
      inHand_bytes += bytes + IN_HAND_OVERHEAD_BYTES;
    },
    release: (bytes) => {
      inHand_bytes -= bytes + IN_HAND_OVERHEAD_BYTES;
      resume();
    },
    stop: () => {
      stopped = true;
      socket.pause();
    },
  };
}

// After an orderly close the acknowledgements already written are sent first.
function closeSocket(socket: Socket, error: Error | null): void {
  if (error !== null) {
    socket.destroy();
    return;
  }
  socket.setTimeout(LINGER_MS, () => socket.destroy());
  socket.destroySoon();
}

/**
 * A function that is given every chunk of a publisher's bytes in order, and answers the size in
 * bytes of a packet that announces more than it may, else null.
 */
export function headerScanner(): (chunk: Uint8Array) => number | null {
  let limit_bytes = CONNECT_MAX_BYTES;
  let expected: "type" | "length" | "body" = "type";
  let header_bytes = 0; // of this packet so far: its type, then 1 to 4 digits of the body's length
  let body_bytes = 0; // of this packet, still to come
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      if (expected === "body") {
        const passing_bytes = Math.min(body_bytes, chunk.length - at);
        body_bytes -= passing_bytes;
        at += passing_bytes;
        if (body_bytes === 0) expected = "type";
        continue;
      }
      const byte = chunk[at] ?? 0;
      at += 1;
      if (expected === "type") {
        expected = "length";
        header_bytes = 1;
        continue;
      }
      body_bytes += (byte & 0x7f) * 128 ** (header_bytes - 1);
      header_bytes += 1;
      const complete = byte < 0x80;
      const packet_bytes = header_bytes + body_bytes;
      if (packet_bytes > limit_bytes || (header_bytes === HEADER_MAX_BYTES && !complete))
        return packet_bytes;
      if (!complete) continue;
      limit_bytes = PACKET_MAX_BYTES;
      expected = body_bytes === 0 ? "type" : "body";
    }
    return null;
  };
}
