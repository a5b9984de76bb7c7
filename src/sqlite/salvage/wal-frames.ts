// A write-ahead log read by hand, frame by frame (SQLite's file format, section 4): what SQLite
// itself leaves out without a word, the frames behind the first that is broken, and whether their
// absence is what a cut of the power explains. One frame is in memory at a time.

import { DamagedError } from "../segment/bytes.ts";
import type { FileBytes } from "./file-bytes.ts";

/** One page as one commit wrote it. */
export interface WalFrame {
  /** From 1. */
  readonly page: number;
  /** Whether it ends a transaction. */
  readonly isCommit: boolean;
  /** Whether its own checksum holds, given that of the frame before as it is stored. */
  readonly isWhole: boolean;
  /** Where its page's bytes begin in the log. */
  readonly at: number;
}

export interface WalFrames {
  readonly page_bytes: number;
  /** Of the log's newest generation, in order; what follows is older and void. */
  readonly frames: readonly WalFrame[];
  /** Transactions that stand, whole, behind the first broken frame. */
  readonly commits_lost: number;
}

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** "Big-endian checksums" is the lowest bit. */
const MAGIC = 0x377f0682;
const PAGE_BYTES_MAX = 65_536;

/** The frames of a log; none of an empty one. Throws a DamagedError when its header is none. */
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
