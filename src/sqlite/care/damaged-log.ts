// The write-ahead log of a damaged database. SQLite reads a log up to its first broken frame and
// ignores what was acknowledged behind it. Put into a copy of the file, all frames up to the last
// commit make the state of that commit: SQLite then meets a broken page as it would meet one in the
// file, and its losses are found and named in the same way.

import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { DamagedError } from "../../codec/bytes.ts";
import type { FileBytes } from "../file/file-bytes.ts";
import {
  FRAME_HEADER_BYTES,
  LOG_HEADER_BYTES,
  type WalFrames,
  walFrames,
  walFramesWithoutHeader,
} from "../file/wal-frames.ts";
import { type FoundFrame, foundFrames } from "./proven-frames.ts";

/** Page size of every database of ours. */
export const PAGE_BYTES = 4096;

export interface DamagedLog {
  /** Frames up to the last commit, also those that are broken or behind a broken one. */
  readonly frames: readonly FoundFrame[];
  /** Frames behind the last commit. */
  readonly rest: readonly FoundFrame[];
  /** The proven ones among them. */
  readonly known: readonly FoundFrame[];
  /** Number of pages of the database after the last commit; 0 without one. */
  readonly pages: number;
  /** True if SQLite ignores a commit. */
  readonly isBroken: boolean;
  /** The reason why data of the log may be lost; null if there is none. */
  readonly unread: string | null;
}

export function readLog(log: FileBytes): DamagedLog {
  const { frames, commits_lost } = framesOf(log);
  const found = foundFrames(log, frames, PAGE_BYTES);
  const end = 1 + found.findLastIndex(({ pages, isProven }) => pages > 0 && isProven);
  const kept = found.slice(0, end);
  const isBroken = commits_lost > 0 || kept.some((_, index) => !frames[index].isWhole);
  const known = kept.filter(({ isProven }) => isProven);
  return {
    frames: kept,
    rest: found.slice(end),
    known,
    pages: kept.at(-1)?.pages ?? 0,
    isBroken,
    unread: endsWithin(log, found.length - end) ?? damagedPages(kept.length - known.length),
  };
}

/** The reason if something stands behind the last commit, for a power cut leaves the same. */
function endsWithin(log: FileBytes, frames: number): string | null {
  const isCut =
    log.length > 0 && (log.length - LOG_HEADER_BYTES) % (FRAME_HEADER_BYTES + PAGE_BYTES) !== 0;
  if (frames === 0 && !isCut) return null;
  const what = frames === 0 ? "a frame that isn't whole" : "a transaction that isn't complete";
  return `it ends in ${what}: either power was cut while it was written, or it is damaged`;
}

const damagedPages = (count: number) =>
  count === 0 ? null : `${count} of its pages are damaged, and it isn't certain which they were`;

function framesOf(log: FileBytes): WalFrames {
  try {
    return walFrames(log);
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error;
    return { ...walFramesWithoutHeader(log, PAGE_BYTES), commits_lost: Number.POSITIVE_INFINITY };
  }
}

/** A frame's page, with the byte mended of which the alteration is known. */
export function framePage(log: FileBytes, { at, mended }: FoundFrame): Buffer {
  const bytes = log.read(at, PAGE_BYTES);
  if (mended === null) return bytes;
  const whole = Buffer.from(bytes);
  whole[mended.at] = mended.value;
  return whole;
}

/** Puts the frames into the file, so that it is as of the log's last commit. */
export function putFrames(log: FileBytes, { known, pages }: DamagedLog, file: string): void {
  if (pages === 0) return;
  const opened = openSync(file, "r+");
  try {
    // One that isn't proven could overwrite another page: the older state of its own is better.
    for (const frame of known)
      if (frame.page <= pages)
        writeSync(opened, framePage(log, frame), 0, PAGE_BYTES, (frame.page - 1) * PAGE_BYTES);
    ftruncateSync(opened, pages * PAGE_BYTES);
  } finally {
    closeSync(opened);
  }
}
