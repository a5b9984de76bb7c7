// Frames: similar bytes of all columns are gathered and compressed together by zstd, so that
// sixteen lamps share one table of frequencies. A reader opens only the frames that it needs. The
// place of each plane follows from the directory; of a frame only the compressed length is stored.

import {
  constants,
  deflateRawSync,
  inflateRawSync,
  zstdCompressSync,
  zstdDecompressSync,
} from "node:zlib";
import { type ByteReader, type ByteWriter, DamagedError } from "./bytes.ts";

/** Largest first allocation for decompression. A larger frame grows while real bytes arrive. */
const CHUNK_BYTES_MAX = 1024 * 1024;

/** Number of frames for low bytes. */
export const LOW_FRAMES = 16;
/**
 * Numbers of the frames. Low bytes of residuals have a frame for each size, from 0 on. The first of
 * them, for residuals that are nearly all 0, also takes all else that repeats, since opening a
 * frame costs as much as reading 10,000 bytes.
 */
export const FRAME = { repeating: 0, doubles: LOW_FRAMES } as const;
const FRAMES = LOW_FRAMES + 1;

/** Largest size of a table before compression, in bytes. A larger one is damaged. */
const FRAME_BYTES_MAX = 256 * 1024 * 1024;

// zstd levels. Level 1 compresses noise as well as any other: it has frequencies and no
// repetitions. Repeating bytes are worth a longer search, small residuals most.
const LEVEL = { noise: 1, small: 13, repeating: 9 } as const;
/** First frame whose low bytes are noise: more than 1.5 bits for each residual. */
const NOISE_MIN = 3;
const SMALL_MIN = 1;
/** Length below which a frame is compressed fast at any level. */
const SHORT_BYTES = 32 * 1024;

function levelOf(frame: number, length: number): number {
  if (frame >= NOISE_MIN || frame === FRAME.doubles) return LEVEL.noise;
  return frame >= SMALL_MIN || length < SHORT_BYTES ? LEVEL.small : LEVEL.repeating;
}

export class FrameWriter {
  readonly #chunks: Uint8Array[][] = Array.from({ length: FRAMES }, () => []);

  append(frame: number, bytes: Uint8Array): void {
    if (bytes.length > 0) this.#chunks[frame].push(bytes);
  }

  /** Writes each frame's compressed length to `directory`; returns the frames one after another. */
  finish(directory: ByteWriter): Buffer {
    const frames = this.#chunks.map((chunks, frame) => {
      if (chunks.length === 0) return Buffer.alloc(0);
      const bytes = Buffer.concat(chunks);
      return compress(bytes, levelOf(frame, bytes.length));
    });
    for (const frame of frames) directory.varint(frame.length);
    return Buffer.concat(frames);
  }
}

/** A range of bytes inside a frame. */
export interface Place {
  readonly frame: number;
  readonly start: number;
  readonly length: number;
}

/** Gives the places in which a `FrameWriter` put its bytes, in the same order. */
export class FrameReader {
  readonly #payload: Uint8Array;
  readonly #starts: number[] = [];
  readonly #lengths = new Array<number>(FRAMES).fill(0);
  readonly #opened: (Buffer | null)[] = new Array<Buffer | null>(FRAMES).fill(null);

  constructor(directory: ByteReader, payload: Uint8Array) {
    this.#payload = payload;
    let start = 0;
    for (let frame = 0; frame < FRAMES; frame += 1) {
      this.#starts.push(start);
      start += directory.varint();
    }
    this.#starts.push(start);
    if (start !== payload.length)
      throw new DamagedError(`payload of ${payload.length} bytes: expected ${start}`);
  }

  place(frame: number, length: number): Place {
    if (frame >= FRAMES) throw new DamagedError(`frame ${frame}: expected less than ${FRAMES}`);
    const start = this.#lengths[frame];
    this.#lengths[frame] = start + length;
    if (start + length > FRAME_BYTES_MAX) throw new DamagedError("frame: too long");
    return { frame, start, length };
  }

  /** The bytes at a place as digits from -128 to 127. */
  digits({ frame, start, length }: Place): Int8Array {
    const opened = this.#open(frame);
    return new Int8Array(opened.buffer, opened.byteOffset + start, length);
  }

  bytes({ frame, start, length }: Place): Uint8Array {
    return this.#open(frame).subarray(start, start + length);
  }

  #open(frame: number): Buffer {
    const length = this.#lengths[frame];
    const opened =
      this.#opened[frame] ??
      decompress(this.#payload.subarray(this.#starts[frame], this.#starts[frame + 1]), length);
    this.#opened[frame] = opened;
    return opened;
  }
}

/** Compresses by zstd at `level`. */
function compress(bytes: Uint8Array, level: number): Buffer {
  return zstdCompressSync(bytes, {
    pledgedSrcSize: bytes.length,
    params: {
      [constants.ZSTD_c_compressionLevel]: level,
      [constants.ZSTD_c_checksumFlag]: 0,
      [constants.ZSTD_c_contentSizeFlag]: 0,
    },
  });
}

/** Decompresses `bytes`. Throws a DamagedError unless the result has `length` bytes. */
function decompress(bytes: Uint8Array, length: number): Buffer {
  return exactly(length, (options) => zstdDecompressSync(bytes, options));
}

/**
 * Compresses a few hundred bytes. For these deflate is smaller than zstd and is read twice as fast.
 */
export function compressShort(bytes: Uint8Array): Buffer {
  return deflateRawSync(bytes, { level: 9, memLevel: 4 });
}

/** Inverse of `compressShort`. Throws a DamagedError unless the result has `length` bytes. */
export function decompressShort(bytes: Uint8Array, length: number): Buffer {
  return exactly(length, (options) => inflateRawSync(bytes, options));
}

// Throws a DamagedError unless exactly `length` bytes are unpacked.
function exactly(
  length: number,
  unpack: (options: { maxOutputLength: number; chunkSize: number }) => Buffer,
): Buffer {
  if (length === 0) return Buffer.alloc(0);
  let plain: Buffer;
  try {
    // One byte more than needed: zlib asks for another chunk if this one is full.
    const chunkSize = Math.min(CHUNK_BYTES_MAX, Math.max(64, length + 1));
    plain = unpack({ maxOutputLength: length, chunkSize });
  } catch (cause) {
    throw new DamagedError(`frame: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  if (plain.length !== length)
    throw new DamagedError(`frame of ${plain.length} bytes: expected ${length}`);
  return plain;
}
