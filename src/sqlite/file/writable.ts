// Tests if the open database can be written: its file still exists under its name, and the disk has
// room. SQLite goes on writing into a deleted or replaced file, whose contents are lost when the
// process ends; and a database that can't grow must still be readable, and open again. While a test
// fails, nothing is acknowledged, and senders keep their messages.

import { statSync } from "node:fs";
import { freeBytes, printedSize } from "../../ground/disk.ts";
import { EXIT, Failure } from "../../ground/errors.ts";

/** Minimum time between two measurements of the free space. */
const LOOK_MS = 500;

/** The Failure for lack of space; `code` is that of a full disk. */
class BelowFloor extends Failure {
  readonly code = "ENOSPC";
}

/** A check to call before each write. It throws BelowFloor while there is too little space. */
export function openDiskFloor(dir: string, floor_bytes: number): () => void {
  let looked_ms = Number.NEGATIVE_INFINITY;
  let free_bytes = Number.POSITIVE_INFINITY;
  return () => {
    const now_ms = performance.now();
    if (now_ms - looked_ms >= LOOK_MS) {
      free_bytes = freeBytes(dir);
      looked_ms = now_ms;
    }
    if (free_bytes < floor_bytes)
      throw new BelowFloor(
        EXIT.io,
        `${printedSize(free_bytes)} are free, storage.free_stop is ${printedSize(floor_bytes)}: ` +
          "nothing is committed",
      );
  };
}

/** The Failure for missing files; `code` is that of a missing file. */
class Gone extends Failure {
  readonly code = "ENOENT";
}

/**
 * Returns a check that throws while one of the present files is missing, and passes once it is
 * back.
 */
export function openPresence(files: readonly string[]): () => void {
  const known = files.map((file) => ({ file, inode: inodeOf(file) }));
  return () => {
    for (const { file, inode } of known)
      if (inodeOf(file) !== inode)
        throw new Gone(
          EXIT.io,
          `${file} was removed or replaced while it was open: put it back, or start again`,
        );
  };
}

function inodeOf(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.ino ?? null;
}
