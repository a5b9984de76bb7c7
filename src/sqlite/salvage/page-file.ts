// A database file and its write-ahead log as pages: what the file holds, and what the log says that
// the pages have become. Both are looked through, for a page that is damaged in one may be whole in
// the other.

import { asOwner } from "../../owner.ts";
import { DamagedError } from "../segment/bytes.ts";
import { type FileBytes, openBytes } from "./file-bytes.ts";
import { holdsRows, type PageAt, type PageRow, rowsOn } from "./page-rows.ts";
import { type WalFrame, walFrames } from "./wal-frames.ts";

/** Every database of ours has been made with pages of this size. */
export const PAGE_BYTES = 4096;
const PIECE_BYTES = 256 * PAGE_BYTES;

/** `again` reads the row's cells anew, so that large ones needn't be kept. */
export interface FoundRow extends PageRow {
  readonly again: () => PageRow | null;
}

export interface PageFile {
  /** The rows of every page: those of the log's frames first, the newest before the older. */
  pages(): Generator<readonly FoundRow[]>;
  close(): void;
}

/** Opens the pages of `file`, and those of `log` where one is given. */
export function openPageFile(file: string, log: string | null): PageFile {
  const opened = openBytes(file);
  const pages = Math.ceil(opened.length / PAGE_BYTES);
  const inFile: PageAt = (page) => {
    if (page < 1 || page > pages) return null;
    // The end of a file that was cut off is zero.
    return opened.read((page - 1) * PAGE_BYTES, PAGE_BYTES);
  };
  const logged = log === null ? null : asOwner(() => openBytes(log));
  const frames = logged === null ? [] : framesOf(logged);
  const inLog = (at: number) => logged?.read(at, PAGE_BYTES) ?? null;
  const newest = new Map(frames.map(({ page, at }) => [page, at]));
  const inBoth: PageAt = (page) => {
    const at = newest.get(page);
    return at === undefined ? inFile(page) : inLog(at);
  };
  const empty = Buffer.alloc(0);

  return {
    *pages() {
      for (const { page, at } of frames.toReversed())
        yield repeatable(() => rowsOn(inLog(at) ?? empty, page, inBoth));
      for (const page of pagesWithRows(opened)) {
        const read = (pageAt: PageAt) => rowsOn(inFile(page) ?? empty, page, pageAt);
        yield repeatable(() => read(inFile));
        if (newest.size > 0) yield repeatable(() => read(inBoth));
      }
    },
    close() {
      opened.close();
      logged?.close();
    },
  };
}

/** Most pages of a large file are the rest of long rows: those are passed over in large pieces. */
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

/** Whole frames, those behind a broken one too: a row says by itself whether it is right. */
function framesOf(log: FileBytes): readonly WalFrame[] {
  try {
    return walFrames(log).frames.filter(({ isWhole }) => isWhole);
  } catch (error) {
    if (error instanceof DamagedError) return [];
    throw error;
  }
}
