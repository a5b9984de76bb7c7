// The write-ahead log of a damaged database. SQLite reads a log up to its first broken frame and
// ignores what was acknowledged behind it. Put into a copy of the file, all frames up to the last
// commit make the state of that commit: SQLite then meets a broken page as it would meet one in the
// file, and its losses are found and named in the same way.

import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { DamagedError } from "../../../codec/bytes.ts";
import type { FileBytes } from "../../file/file-bytes.ts";
import {
  type WalFrame,
  type WalFrames,
  walFrames,
  walFramesWithoutHeader,
} from "../../file/wal-frames.ts";
import { COMMITS_TORN_MAX } from "../trust.ts";

/** Page size of every database of ours. */
export const PAGE_BYTES = 4096;

export interface DamagedLog {
  /** Frames up to the last commit, also those that are broken or behind a broken one. */
  readonly frames: readonly WalFrame[];
  /** Frames behind the last commit. */
  readonly rest: readonly WalFrame[];
  /** True if SQLite ignores commits that were acknowledged. */
  readonly isBroken: boolean;
  /** Number of frames up to the last commit of which it isn't known which page they are. */
  readonly lost: number;
}

export function readLog(log: FileBytes): DamagedLog {
  const { frames, commits_lost } = framesOf(log);
  const end = 1 + frames.findLastIndex(({ pages, isWhole }) => pages > 0 && isWhole);
  const kept = frames.slice(0, end);
  return {
    frames: kept,
    rest: frames.slice(end),
    isBroken: commits_lost > COMMITS_TORN_MAX,
    lost: kept.filter((_, index) => !isPageKnown(kept, index)).length,
  };
}

/**
 * False if a broken frame's header may be what is damaged: its page would then be missing, and
 * another one overwritten. SQLite writes the pages of a transaction in their order.
 */
function isPageKnown(frames: readonly WalFrame[], index: number): boolean {
  const { page, pages, isWhole, isOfLog } = frames[index];
  if (isWhole) return true;
  const [before, after] = [frames.at(index - 1), frames.at(index + 1)];
  const isBehind = index === 0 || !before?.isWhole || before.pages > 0 || before.page < page;
  const isAhead = after?.isWhole !== true || pages > 0 || page < after.page;
  const last = frames.at(-1)?.pages ?? 0;
  return isOfLog && page >= 1 && page <= last && isBehind && isAhead;
}

function framesOf(log: FileBytes): WalFrames {
  try {
    return walFrames(log);
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error;
    return { ...walFramesWithoutHeader(log, PAGE_BYTES), commits_lost: Number.POSITIVE_INFINITY };
  }
}

/** Puts the frames into the file, so that it is as of the log's last commit. */
export function putFrames(log: FileBytes, { frames }: DamagedLog, file: string): void {
  const pages = frames.at(-1)?.pages ?? 0;
  if (pages === 0) return;
  const opened = openSync(file, "r+");
  try {
    // The schema doesn't change: an older first page is better than a broken one.
    for (const [index, { page, at, isWhole }] of frames.entries())
      if (page <= pages && (isWhole || page > 1) && isPageKnown(frames, index))
        writeSync(opened, log.read(at, PAGE_BYTES), 0, PAGE_BYTES, (page - 1) * PAGE_BYTES);
    ftruncateSync(opened, pages * PAGE_BYTES);
  } finally {
    closeSync(opened);
  }
}
