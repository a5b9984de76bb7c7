// A database file and its write-ahead log as pages, from the file and from the log. Both are
// searched, because a page that is damaged in one may be sound in the other.

import { asOwner } from "../../../ground/owner.ts";
import { type FileBytes, openBytes } from "../../file/file-bytes.ts";
import { PAGE_BYTES, readLog } from "./damaged-log.ts";
import { holdsRows, type PageAt, type PageRow, rowsOn } from "./page-rows.ts";

const PIECE_BYTES = 256 * PAGE_BYTES;
const empty = Buffer.alloc(0);

/** `again` rereads the row's cells, so that large ones needn't be kept. */
export interface FoundRow extends PageRow {
  readonly again: () => PageRow | null;
}

/** The rows of a page in one of its states. */
export interface FoundPage {
  readonly rows: readonly FoundRow[];
  /** True for the state of the last commit, once. */
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
  // Broken frames too: each row proves itself.
  const { frames, rest } = logged === null ? { frames: [], rest: [] } : readLog(logged);
  const inLog = (at: number) => logged?.read(at, PAGE_BYTES) ?? empty;
  const newest = new Map(frames.map(({ page, at }) => [page, at]));
  const whole = new Map(frames.filter(({ isWhole }) => isWhole).map(({ page, at }) => [page, at]));
  const over =
    (logged: ReadonlyMap<number, number>): PageAt =>
    (page) => {
      const at = logged.get(page);
      return at === undefined ? inFile(page) : inLog(at);
    };
  // A broken frame may have lost the number of its page, or hide a sound state of it.
  const isBroken = frames.some(({ isWhole }) => !isWhole);
  const views = isBroken ? [over(newest), over(whole)] : [over(newest)];

  return {
    *pages() {
      for (const { page, at } of [...frames, ...rest].toReversed())
        for (const view of views) {
          const rows = repeatable(() => rowsOn(inLog(at), page, view));
          yield { rows, isNewest: view === views[0] && newest.get(page) === at };
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
