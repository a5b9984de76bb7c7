// Reads a write-ahead log frame by frame (SQLite's file format, section 4). It finds the frames
// behind the first broken one, which SQLite silently ignores, and tells if a power cut explains
// their state. One frame is in memory at a time.

import { DamagedError } from "../../codec/bytes.ts";
import type { FileBytes } from "./file-bytes.ts";

/** A page as one commit wrote it. */
export interface WalFrame {
  /** From 1. */
  readonly page: number;
  /** True if it ends a transaction. */
  readonly isCommit: boolean;
  /** True if its checksum is right, given the stored one of the frame before. */
  readonly isWhole: boolean;
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

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The lowest bit means big-endian checksums. */
const MAGIC = 0x377f0682;
const PAGE_BYTES_MAX = 65_536;

/** The frames of a log; none if it is empty. Throws a DamagedError if its header is wrong. */
export function walFrames(log: FileBytes): WalFrames {
  if (log.length === 0) return { page_bytes: 0, frames: [], commits_lost: 0 };
  if (log.length < HEADER_BYTES) throw new DamagedError(`a log of ${log.length} bytes`);
  const header = log.read(0, HEADER_BYTES);
  const magic = header.readUInt32BE(0);
  const sum = openSum((magic & 1) === 1);
  sum.add(header, 0, HEADER_BYTES - 8);
  const page_bytes = header.readUInt32BE(8);
  const isPowerOfTwo = page_bytes >= 512 && (page_bytes & (page_bytes - 1)) === 0;
  if ((magic | 1) !== (MAGIC | 1) || !sum.is(header, HEADER_BYTES - 8) || !isPowerOfTwo)
    throw new DamagedError("the header of the log is damaged");
  if (page_bytes > PAGE_BYTES_MAX) throw new DamagedError(`log of pages of ${page_bytes} bytes`);
  const frames: WalFrame[] = [];
  const step = FRAME_HEADER_BYTES + page_bytes;
  for (let at = HEADER_BYTES; at + step <= log.length; at += step) {
    const frame = log.read(at, step);
    if (frame.compare(header, 16, 24, 8, 16) !== 0) break;
    sum.add(frame, 0, 8);
    sum.add(frame, FRAME_HEADER_BYTES, page_bytes);
    const isWhole = sum.is(frame, 16);
    if (!isWhole) sum.set(frame, 16);
    const [page, pages] = [frame.readUInt32BE(0), frame.readUInt32BE(4)];
    frames.push({ page, isCommit: pages > 0, isWhole, at: at + FRAME_HEADER_BYTES });
  }
  const broken = frames.findIndex(({ isWhole }) => !isWhole);
  const behind = broken < 0 ? [] : frames.slice(broken + 1);
  const commits_lost = behind.filter(({ isCommit, isWhole }) => isCommit && isWhole).length;
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
