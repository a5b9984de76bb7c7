// A database file and its write-ahead log as pages. Both are searched, because a page that is
// damaged in one may be sound in the other.

import { asOwner } from "../../ground/owner.ts";
import { type FileBytes, openBytes } from "../file/file-bytes.ts";
import { type DamagedLog, framePage, PAGE_BYTES, readLog } from "./damaged-log.ts";
import { holdsRows, type PageAt, type PageRow, rowsOn } from "./page-rows.ts";
import type { FoundFrame } from "./proven-frames.ts";

const PIECE_BYTES = 256 * PAGE_BYTES;
const empty = Buffer.alloc(0);
const NO_LOG: Pick<DamagedLog, "frames" | "rest"> = { frames: [], rest: [] };

/** A row of a page. `again` rereads its cells, so that large ones needn't be kept in memory. */
export interface FoundRow extends PageRow {
  readonly again: () => PageRow | null;
}

/** The rows of a page in one of its states. */
export interface FoundPage {
  readonly rows: readonly FoundRow[];
  /** True once for each page: for its state of the last commit. */
  readonly isNewest: boolean;
}

export interface PageFile {
  /** Every page: those of the log's frames first, the newest first. */
  pages(): Generator<FoundPage>;
  close(): void;
}

/** Opens the pages of `file`, and those of `log` if given. */
export function openPageFile(file: string, log: string | null): PageFile {
  const opened = openBytes(file);
  const pages = Math.ceil(opened.length / PAGE_BYTES);
  const inFile: PageAt = (page) => {
    if (page < 1 || page > pages) return null;
    // Bytes beyond the end of a truncated file are zero.
    return opened.read((page - 1) * PAGE_BYTES, PAGE_BYTES);
  };
  const logged = log === null ? null : asOwner(() => openBytes(log));
  // Broken frames are searched too, because each row proves itself.
  const { frames, rest } = logged === null ? NO_LOG : readLog(logged);
  const inLog = (frame: FoundFrame) => (logged === null ? empty : framePage(logged, frame));
  const newest = new Map(frames.map((frame) => [frame.page, frame]));
  const proven = frames.filter(({ isProven }) => isProven);
  const over =
    (logged: ReadonlyMap<number, FoundFrame>): PageAt =>
    (page) => {
      const frame = logged.get(page);
      return frame === undefined ? inFile(page) : inLog(frame);
    };
  // The number of a broken frame's page may be wrong, or the frame may hide a sound state of the
  // page.
  const isBroken = proven.length < frames.length;
  const sound = new Map(proven.map((frame) => [frame.page, frame]));
  const views = isBroken ? [over(newest), over(sound)] : [over(newest)];

  return {
    *pages() {
      for (const frame of [...frames, ...rest].toReversed())
        for (const view of views) {
          const { page } = frame;
          const rows = repeatable(() => rowsOn(inLog(frame), page, view));
          yield { rows, isNewest: view === views[0] && newest.get(page) === frame };
        }
      for (const page of pagesWithRows(opened))
        for (const view of newest.size > 0 ? [...views, inFile] : views) {
          const rows = repeatable(() => rowsOn(inFile(page) ?? empty, page, view));
          yield { rows, isNewest: view === views[0] && !newest.has(page) };
        }
    },
    close() {
      opened.close();
      logged?.close();
    },
  };
}

/**
 * Numbers of the pages that may hold rows. Most pages of a large file continue long rows, so the
 * file is read in large pieces.
 */
function* pagesWithRows(file: FileBytes): Generator<number> {
  const piece = Buffer.alloc(PIECE_BYTES);
  for (let start = 0; start < file.length; start += PIECE_BYTES) {
    const end = file.fill(piece, start);
    for (let at = 0; at < end; at += PAGE_BYTES) {
      const page = 1 + (start + at) / PAGE_BYTES;
      if (holdsRows(piece.subarray(at, end), page)) yield page;
    }
  }
}

function repeatable(rows: () => Generator<PageRow>): readonly FoundRow[] {
  return [...rows()].map((row, place) => ({ ...row, again: () => [...rows()].at(place) ?? null }));
}
