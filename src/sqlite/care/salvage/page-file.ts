// A database file and its write-ahead log as pages, from the file and from the log. Both are
// searched, because a page that is damaged in one may be sound in the other.

import { DamagedError } from "../../../codec/bytes.ts";
import { asOwner } from "../../../ground/owner.ts";
import { type FileBytes, openBytes } from "../../file/file-bytes.ts";
import { type WalFrame, walFrames } from "../../file/wal-frames.ts";
import { holdsRows, type PageAt, type PageRow, rowsOn } from "./page-rows.ts";

/** Page size of every database of ours. */
export const PAGE_BYTES = 4096;
const PIECE_BYTES = 256 * PAGE_BYTES;

/** `again` rereads the row's cells, so that large ones needn't be kept. */
export interface FoundRow extends PageRow {
  readonly again: () => PageRow | null;
}

export interface PageFile {
  /** The rows of every page: those of the log's frames first, the newest first. */
  pages(): Generator<readonly FoundRow[]>;
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

/** Most pages of a large file continue long rows: those are skipped in large pieces. */
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

/** Sound frames, also behind a broken one: each row proves itself. */
function framesOf(log: FileBytes): readonly WalFrame[] {
  try {
    return walFrames(log).frames.filter(({ isWhole }) => isWhole);
  } catch (error) {
    if (error instanceof DamagedError) return [];
    throw error;
  }
}
