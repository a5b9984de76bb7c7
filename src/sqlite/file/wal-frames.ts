// Reads a write-ahead log frame by frame (SQLite's file format, section 4). It finds the frames
// behind the first broken one, which SQLite silently ignores, and decides if a power cut explains
// their state. Only one frame is in memory at a time.

import { DamagedError } from "../../codec/bytes.ts";
import type { FileBytes } from "./file-bytes.ts";

/** A page as one commit wrote it. */
export interface WalFrame {
  /** Number of the page, from 1. */
  readonly page: number;
  /**
   * Size of the database in pages after the transaction that this frame ends; 0 if it ends none.
   */
  readonly pages: number;
  /** True if its checksum fits the stored one of the frame before. */
  readonly isWhole: boolean;
  /** True if it has the log's salts; a broken frame without them may be any bytes. */
  readonly isOfLog: boolean;
  /** Offset of its page's bytes in the log. */
  readonly at: number;
}

export interface WalFrames {
  readonly page_bytes: number;
  /** Frames of the log's newest generation, in order; later bytes are older and void. */
  readonly frames: readonly WalFrame[];
  /** Number of complete transactions behind the first broken frame. */
  readonly commits_lost: number;
}

export const LOG_HEADER_BYTES = 32;
export const FRAME_HEADER_BYTES = 24;
/**
 * Offset of both salts in the header of a frame; the salts in a log's header identify its
 * generation.
 */
const SALTS_AT = 8;
const SALTS_BYTES = 8;
/** Magic number of a log; its lowest bit means big-endian checksums. */
const MAGIC = 0x377f0682;
const PAGE_BYTES_MAX = 65_536;

/** The frames of a log; none if it is empty. Throws a DamagedError if its header is wrong. */
export function walFrames(log: FileBytes): WalFrames {
  if (isBlank(log)) return { page_bytes: 0, frames: [], commits_lost: 0 };
  if (log.length < LOG_HEADER_BYTES) throw new DamagedError(`a log of ${log.length} bytes`);
  const header = log.read(0, LOG_HEADER_BYTES);
  const magic = header.readUInt32BE(0);
  const sum = openSum((magic & 1) === 1);
  sum.add(header, 0, LOG_HEADER_BYTES - 8);
  const page_bytes = header.readUInt32BE(8);
  const isPowerOfTwo = page_bytes >= 512 && (page_bytes & (page_bytes - 1)) === 0;
  if ((magic | 1) !== (MAGIC | 1) || !sum.is(header, LOG_HEADER_BYTES - 8) || !isPowerOfTwo)
    throw new DamagedError("the header of the log is damaged");
  if (page_bytes > PAGE_BYTES_MAX) throw new DamagedError(`log of pages of ${page_bytes} bytes`);
  return framesOf(log, { page_bytes, salts: header.subarray(16, 24), sum });
}

const BLANK_STEP_BYTES = 65_536;

/** True for an empty log, and for one whose bytes are all 0 because of a power cut. */
function isBlank(log: FileBytes): boolean {
  for (let at = 0; at < log.length; at += BLANK_STEP_BYTES) {
    const bytes = log.read(at, Math.min(BLANK_STEP_BYTES, log.length - at));
    if (bytes.some((byte) => byte !== 0)) return false;
  }
  return true;
}

/**
 * The frames of a log whose header is damaged, of the generation of its first frame. The first
 * frame counts as broken, because nothing proves it.
 */
export function walFramesWithoutHeader(log: FileBytes, page_bytes: number): WalFrames {
  const salts = log.read(LOG_HEADER_BYTES + SALTS_AT, SALTS_BYTES);
  return framesOf(log, { page_bytes, salts, sum: openSum(false) });
}

function framesOf(
  log: FileBytes,
  {
    page_bytes,
    salts,
    sum,
  }: {
    readonly page_bytes: number;
    readonly salts: Buffer;
    readonly sum: ReturnType<typeof openSum>;
  },
): WalFrames {
  const frames: WalFrame[] = [];
  let count = 0;
  const step = FRAME_HEADER_BYTES + page_bytes;
  for (let at = LOG_HEADER_BYTES; at + step <= log.length; at += step) {
    const frame = log.read(at, step);
    const isOfLog = frame.compare(salts, 0, SALTS_BYTES, SALTS_AT, SALTS_AT + SALTS_BYTES) === 0;
    sum.add(frame, 0, 8);
    sum.add(frame, FRAME_HEADER_BYTES, page_bytes);
    const isSummed = sum.is(frame, 16);
    const isWhole = isOfLog && isSummed;
    if (!isWhole) sum.set(frame, 16);
    const [page, pages] = [frame.readUInt32BE(0), frame.readUInt32BE(4)];
    frames.push({ page, pages, isWhole, isOfLog, at: at + FRAME_HEADER_BYTES });
    // A frame with other salts may belong to this log with its salts damaged, if its checksum
    // continues the last frame's. Only the next frame is tested so: older frames behind it continue
    // each other.
    if (isOfLog || (isSummed && count === frames.length - 1)) count = frames.length;
  }
  frames.length = count;
  const broken = frames.findIndex(({ isWhole }) => !isWhole);
  const behind = broken < 0 ? [] : frames.slice(broken + 1);
  const commits_lost = behind.filter(({ pages, isWhole }) => pages > 0 && isWhole).length;
  return { page_bytes, frames, commits_lost };
}

/** SQLite's cumulative checksum: two sums over pairs of 32-bit words. */
function openSum(isBigEndian: boolean) {
  let one = 0;
  let two = 0;
  const word = (bytes: Buffer, at: number) =>
    isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
  return {
    add(bytes: Buffer, from: number, count: number): void {
      for (let at = from; at < from + count; at += 8) {
        one = (one + word(bytes, at) + two) | 0;
        two = (two + word(bytes, at + 4) + one) | 0;
      }
    },
    is: (bytes: Buffer, at: number) =>
      bytes.readInt32BE(at) === one && bytes.readInt32BE(at + 4) === two,
    set(bytes: Buffer, at: number): void {
      one = bytes.readInt32BE(at);
      two = bytes.readInt32BE(at + 4);
    },
  };
}
