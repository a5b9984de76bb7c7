// Files that are there as a whole or not at all, also after a power cut: written under another
// name, brought to the disk, renamed, and the folder brought to the disk as well.

import {
  chownSync,
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

/** Gives the complete file `part` its name. What stood under the name before is replaced. */
export function placeFile(part: string, file: string): void {
  syncPath(part);
  renameSync(part, file);
  syncPath(path.dirname(file));
}

/** Writes a small file as a whole. */
export function writeWhole(file: string, content: string | Uint8Array, mode = 0o600): void {
  const part = `${file}.part`;
  writeFileSync(part, content, { mode });
  placeFile(part, file);
}

/** Brings a file's content, or a folder's names, to the disk. */
export function syncPath(file: string): void {
  const handle = openSync(file, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** What root writes into the service's folder has to be the service's. */
export function giveToOwnerOf(folder: string, file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  chownSync(file, uid, gid);
}
