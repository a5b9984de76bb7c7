// Tests if the open database is still the file under its name. SQLite goes on writing into a
// deleted or replaced file, whose contents are gone when the process ends; then nothing may be
// acknowledged.

import { statSync } from "node:fs";
import { EXIT, Failure } from "../../ground/errors.ts";

/** The files are gone; `code` is that of a missing file. */
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
