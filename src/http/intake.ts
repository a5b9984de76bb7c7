// Hands what a socket receives to node's parser in small pieces, and stops or discards it between
// two: by itself the parser would make requests of all data at once.

import type { Socket } from "node:net";

/** Size of the parser's pieces: some fifty of the shortest requests (18 bytes), or chunks. */
const PIECE_BYTES = 1024;
/**
 * Maximum number of pieces in a round of the event loop, of all sockets together, and one of each.
 * Node accepts one connection a round: when 500 sockets each had 64 KiB parsed in one, in chunks of
 * 16 bytes, nobody else got in for minutes.
 */
const ROUND_PIECES = 8;

/** Sockets that wait for a later round, in turn, as the functions that let them go on. */
const waiting = new Set<() => void>();
/** Pieces parsed in this round. */
let parsed = 0;
let isRoundTimed = false;

/** Lets the next sockets go on in the next round. */
function timeRound(): void {
  if (isRoundTimed) return;
  isRoundTimed = true;
  setImmediate(() => {
    isRoundTimed = false;
    parsed = 0;
    for (const goOn of [...waiting].slice(0, ROUND_PIECES)) {
      waiting.delete(goOn);
      goOn();
    }
    if (waiting.size > 0) timeRound();
  });
}

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
  const goOn = () => socket.resume();
  const rest = () => {
    // Node has paused the socket itself, and resumes it.
    if (socket.isPaused()) return;
    socket.pause();
    waiting.add(goOn);
    timeRound();
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
    const piece = chunk.subarray(0, parsed < ROUND_PIECES ? PIECE_BYTES : 0);
    if (piece.length > 0) {
      parsed += 1;
      timeRound();
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
      waiting.delete(goOn);
      socket.pause();
    },
    release() {
      if (state !== "held") return;
      state = "parsing";
      socket.resume();
    },
    drop() {
      state = "dropping";
      waiting.delete(goOn);
      socket.resume();
    },
  };
}
