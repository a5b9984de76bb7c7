// Files that are there as a whole or not at all, also after a power cut: written under another
// name, brought to the disk, renamed, and the folder brought to the disk as well.

import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { EXIT, Failure } from "./errors.ts";

/** Gives the complete file `part` its name. What stood under the name before is replaced. */
export function placeFile(part: string, file: string): void {
  syncPath(part);
  renameSync(part, file);
  syncPath(path.dirname(file));
}

interface Belonging {
  readonly mode?: number;
  /** The file's owner; null for the account that writes it. */
  readonly account?: { readonly uid: number; readonly gid: number } | null;
}

/** Writes a small file as a whole, through no link. */
export function writeWhole(
  file: string,
  content: string | Uint8Array,
  { mode = 0o600, account = null }: Belonging = {},
): void {
  const part = partOf(file);
  const handle = openNew(part, mode);
  try {
    writeFileSync(handle, content);
    // Whatever the umask says.
    fchmodSync(handle, mode);
    if (account !== null) fchownSync(handle, account.uid, account.gid);
    fsyncSync(handle);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
  syncPath(path.dirname(file));
}

/** A name beside `file`, for what becomes it, that nobody can know before. */
export function partOf(file: string): string {
  return `${file}.${randomBytes(6).toString("hex")}.part`;
}

/** Makes a file where nothing is, not even a link, and opens it to be written. */
export function openNew(file: string, mode: number): number {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  return openSync(file, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, mode);
}

/** Opens a file to be read; throws for what isn't one, at which opening would wait for ever. */
export function openFile(file: string): number {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  if (fstatSync(handle).isFile()) return handle;
  closeSync(handle);
  throw new Failure(EXIT.failed, `${file}: is not a file`);
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
