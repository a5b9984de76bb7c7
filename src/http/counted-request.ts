// A request that counts the pieces in which its body comes, where node's parser makes them: each
// costs work and some 100 bytes of memory, also while nobody reads the body. Live streams with
// bodies of one byte a chunk held 4 MB each, and kept the process busy for minutes.

import { IncomingMessage } from "node:http";

/**
 * Minimum average size of a body's pieces, in bytes, after the first PIECES_FREE: each costs work.
 */
export const PIECE_MIN_BYTES = 16;
export const PIECES_FREE = 256;
/** Bytes of a body that wait to be read; at it nothing more is read from the connection. */
const UNREAD_MAX_BYTES = 16 * 1024;

/** Event of a request, with the problem as text: its pieces are too small, and get lost. */
export const CRUMBS = "crumbs";

export class CountedRequest extends IncomingMessage {
  #pieces = 0;
  #bytes = 0;

  override push(piece: Buffer | null): boolean {
    if (piece === null) return super.push(null);
    this.#pieces += 1;
    this.#bytes += piece.length;
    if (this.#pieces > PIECES_FREE + this.#bytes / PIECE_MIN_BYTES) {
      this.emit(CRUMBS, `body: ${this.#pieces} pieces were sent of ${this.#bytes} bytes in all`);
      // The connection is read on, to discard what follows.
      return true;
    }
    return super.push(piece) && this.readableLength < UNREAD_MAX_BYTES;
  }
}
