// Whether the open database is still the one under its name. SQLite writes on into a file that was
// deleted or replaced, and all of it is gone when the process ends: nothing may be acknowledged
// then.

import { statSync } from "node:fs";
import { EXIT, Failure } from "../errors.ts";

/** The files are gone; its `code` is that of a file that isn't there. */
class Gone extends Failure {
  readonly code = "ENOENT";
}

/**
 * A check, made while the files are there, that throws when one of them no longer is, and passes
 * again when it has come back.
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
