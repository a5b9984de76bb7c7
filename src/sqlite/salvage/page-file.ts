// A database file and its write-ahead log as pages: what the file holds, and what the log says that
// the pages have become. Both are looked through, for a page that is damaged in one may be whole in
// the other.

import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { openFile } from "../../durable.ts";
import { asOwner } from "../../owner.ts";
import { DamagedError } from "../segment/bytes.ts";
import { type PageAt, type PageRow, rowsOn } from "./page-rows.ts";
import { walFrames } from "./wal-frames.ts";

/** Every database of ours has been made with pages of this size. */
export const PAGE_BYTES = 4096;

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
  const opened = openSync(file, "r");
  const pages = Math.ceil(fstatSync(opened).size / PAGE_BYTES);
  const inFile: PageAt = (page) => {
    if (page < 1 || page > pages) return null;
    // The end of a file that was cut off is zero.
    const bytes = Buffer.alloc(PAGE_BYTES);
    readSync(opened, bytes, 0, PAGE_BYTES, (page - 1) * PAGE_BYTES);
    return bytes;
  };
  const logged = log === null ? [] : framesOf(log);
  const newest = new Map(logged.map(({ page, bytes }) => [page, bytes]));
  const inBoth: PageAt = (page) => newest.get(page) ?? inFile(page);

  return {
    *pages() {
      for (const { page, bytes } of logged.toReversed())
        yield repeatable(() => rowsOn(bytes, page, inBoth));
      for (let page = 1; page <= pages; page += 1) {
        const read = (pageAt: PageAt) => rowsOn(inFile(page) ?? Buffer.alloc(0), page, pageAt);
        yield repeatable(() => read(inFile));
        if (newest.size > 0) yield repeatable(() => read(inBoth));
      }
    },
    close: () => closeSync(opened),
  };
}

function repeatable(rows: () => Generator<PageRow>): readonly FoundRow[] {
  return [...rows()].map((row, place) => ({ ...row, again: () => [...rows()].at(place) ?? null }));
}

/** Whole frames, those behind a broken one too: a row says by itself whether it is right. */
function framesOf(log: string): readonly { readonly page: number; readonly bytes: Buffer }[] {
  const handle = asOwner(() => openFile(log));
  const bytes = readFileSync(handle);
  closeSync(handle);
  try {
    return walFrames(bytes)
      .frames.filter(({ isWhole }) => isWhole)
      .map(({ page, at }) => ({ page, bytes: bytes.subarray(at, at + PAGE_BYTES) }));
  } catch (error) {
    if (error instanceof DamagedError) return [];
    throw error;
  }
}
