// Gives node's parser what a connection sends in small pieces, and stops reading the connection
// between two of them. Left to itself the parser makes requests of all that comes, thousands to a
// read, however many wait for their answer already: a client that sends and doesn't read would fill
// the memory.

import type { Socket } from "node:net";

/** The shortest request that is understood has 18 bytes: a piece holds some fifty of them. */
const PIECE_BYTES = 1024;
/** A read of this size is a flood's: the next one waits for the loop's next round. */
const FLOOD_BYTES = 16 * 1024;

export interface Intake {
  /** Bytes handed to the parser since this was asked last. */
  taken(): number;
  /** Reads nothing more from the socket until `release`. */
  hold(): void;
  release(): void;
  /** Reads on, and throws away whatever comes: what is being answered was the last. */
  drop(): void;
}

/** Takes over from node's own listener on a socket that the server has just been given. */
export function openIntake(socket: Socket): Intake {
  const [parse] = socket.listeners("data");
  let state: "parsing" | "held" | "dropping" = "parsing";
  let taken_bytes = 0;
  let isResting = false;
  const rest = () => {
    // Node itself has paused it, and resumes it.
    if (socket.isPaused()) return;
    isResting = true;
    socket.pause();
    setImmediate(() => {
      if (isResting) resume();
    });
  };
  const resume = () => {
    isResting = false;
    socket.resume();
  };
  const feed = (chunk: Buffer) => {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      if (state === "dropping" || socket.destroyed) break;
      // Node resumes a socket by itself once an answer is out.
      if (state === "held") socket.pause();
      // It also pauses one, while nobody takes the answer.
      if (socket.isPaused()) {
        socket.unshift(chunk.subarray(at));
        return;
      }
      const piece = chunk.subarray(at, at + PIECE_BYTES);
      taken_bytes += piece.length;
      parse.call(socket, piece);
    }
    if (chunk.length >= FLOOD_BYTES) rest();
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
      isResting = false;
      socket.pause();
    },
    release() {
      if (state !== "held") return;
      state = "parsing";
      resume();
    },
    drop() {
      state = "dropping";
      resume();
    },
  };
}
