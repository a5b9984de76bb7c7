// The write-ahead log of a damaged database. SQLite reads a log up to its first broken frame and
// ignores acknowledged data after it. If all frames up to the last commit are put into a copy of
// the file, the copy has the state of that commit; a broken page in it is then found by SQLite like
// one in the file, and its losses are named in the same way.

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

/** Page size of all our databases, in bytes. */
export const PAGE_BYTES = 4096;

export interface DamagedLog {
  /** Frames up to the last commit, including broken ones and those after a broken one. */
  readonly frames: readonly FoundFrame[];
  /** Frames after the last commit. */
  readonly rest: readonly FoundFrame[];
  /** The proven ones among `frames`. */
  readonly known: readonly FoundFrame[];
  /** Number of pages of the database after the last commit; 0 without one. */
  readonly pages: number;
  /** True if SQLite, reading this log, would ignore a commit. */
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

/**
 * The reason why data after the last commit may be lost; null if nothing follows it. A power cut
 * leaves the same bytes as damage.
 */
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

/** A frame's page, repaired if its altered byte is known. */
export function framePage(log: FileBytes, { at, mended }: FoundFrame): Buffer {
  const bytes = log.read(at, PAGE_BYTES);
  if (mended === null) return bytes;
  const whole = Buffer.from(bytes);
  whole[mended.at] = mended.value;
  return whole;
}

/** Puts the proven frames into the file, which then has the state of the log's last commit. */
export function putFrames(log: FileBytes, { known, pages }: DamagedLog, file: string): void {
  if (pages === 0) return;
  const opened = openSync(file, "r+");
  try {
    // An unproven frame could overwrite another page; an older state of its own page is better.
    for (const frame of known)
      if (frame.page <= pages)
        writeSync(opened, framePage(log, frame), 0, PAGE_BYTES, (frame.page - 1) * PAGE_BYTES);
    ftruncateSync(opened, pages * PAGE_BYTES);
  } finally {
    closeSync(opened);
  }
}
