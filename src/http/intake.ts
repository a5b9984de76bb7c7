// Hands what a socket receives to node's parser in small pieces, and stops or discards it between
// two: by itself the parser would make requests of all data at once.

import type { Socket } from "node:net";
import { openRounds } from "./rounds.ts";

/** Size of the parser's pieces: some fifty of the shortest requests (18 bytes), or chunks. */
const PIECE_BYTES = 1024;
/**
 * Pieces in a round of the event loop, of all sockets together, and one of each: when 500 sockets
 * each had 64 KiB parsed in one, in chunks of 16 bytes, nobody else got in for minutes.
 */
const pieces = openRounds(8);

export interface Intake {
  /** Bytes handed to the parser since the last call. */
  taken(): number;
  /** Reads nothing more from the socket until `release`. */
  hold(): void;
  release(): void;
  /** Reads on and discards all data: the request being answered was the last. */
  drop(): void;
}

/** Takes over from node's own listener on a socket that the server has just been given. */
export function openIntake(socket: Socket): Intake {
  const [parse] = socket.listeners("data");
  let state: "parsing" | "held" | "dropping" = "parsing";
  let taken_bytes = 0;
  let isNew = true;
  const goOn = () => socket.resume();
  const rest = () => {
    // Node has paused the socket itself, and resumes it.
    if (socket.isPaused()) return;
    socket.pause();
    pieces.later(goOn);
  };
  const feed = (chunk: Buffer) => {
    if (state === "dropping" || socket.destroyed) return;
    // Node resumes a socket by itself once an answer is out.
    if (state === "held") socket.pause();
    // Node also pauses a socket while its client doesn't read the answer.
    if (socket.isPaused()) {
      socket.unshift(chunk);
      return;
    }
    // A first piece waits for no others: only a few connections are accepted in a round.
    const piece = chunk.subarray(0, isNew || pieces.hasRoom() ? PIECE_BYTES : 0);
    if (piece.length > 0) {
      isNew = false;
      taken_bytes += piece.length;
      parse.call(socket, piece);
    }
    if (chunk.length === piece.length || socket.destroyed) return;
    rest();
    socket.unshift(chunk.subarray(piece.length));
  };
  // A listener of ours also makes the parser give back the socket's handle, which it reads itself.
  socket.removeAllListeners("data").on("data", feed);
  return {
    taken() {
      const bytes = taken_bytes;
      taken_bytes = 0;
      return bytes;
    },
    hold() {
      if (state !== "parsing") return;
      state = "held";
      pieces.forget(goOn);
      socket.pause();
    },
    release() {
      if (state !== "held") return;
      state = "parsing";
      socket.resume();
    },
    drop() {
      state = "dropping";
      pieces.forget(goOn);
      socket.resume();
    },
  };
}
