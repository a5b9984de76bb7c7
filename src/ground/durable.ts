// Writes files that exist as a whole or not at all, even after a power cut: under another name,
// synced, renamed, with the folder synced too.

import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { EXIT, Failure } from "./errors.ts";

/** Renames the complete file `part` to its final name, replacing any file of that name. */
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

/** Writes a small file as a whole, without following a link. */
export function writeWhole(
  file: string,
  content: string | Uint8Array,
  { mode = 0o600, account = null }: Belonging = {},
): void {
  const part = partOf(file);
  const handle = openNew(part, mode);
  try {
    writeFileSync(handle, content);
    // Sets the mode regardless of the umask.
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

/** As `writeWhole`, asynchronously, for a thread that must not wait for the disk. */
export async function writeWholeLater(file: string, content: string, mode = 0o600): Promise<void> {
  const part = partOf(file);
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const handle = await open(part, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, mode);
  try {
    await handle.writeFile(content);
    await handle.sync();
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  const folder = await open(path.dirname(file));
  await folder.sync().finally(() => folder.close());
}

/** An unpredictable name beside `file`, for its new version. */
export function partOf(file: string): string {
  return `${file}.${randomBytes(6).toString("hex")}.part`;
}

const PART = /^\.[0-9a-f]{12}\.part$/;

/** Removes unfinished parts of `file` that a killed process left beside it. */
export function removeParts(file: string): void {
  const [folder, name] = [path.dirname(file), path.basename(file)];
  for (const found of readdirSync(folder))
    if (found.startsWith(name) && PART.test(found.slice(name.length)))
      rmSync(path.join(folder, found), { force: true });
}

/** Creates a file for writing; throws if anything of that name exists, even a link. */
export function openNew(file: string, mode: number): number {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  return openSync(file, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, mode);
}

/**
 * Opens a file for reading; throws if it isn't a regular file, since opening a pipe would wait for
 * ever.
 */
export function openFile(file: string): number {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  if (fstatSync(handle).isFile()) return handle;
  closeSync(handle);
  throw new Failure(EXIT.failed, `${file}: is not a file`);
}

/** Maximum size, in bytes, of a file that a person writes, or carries aboard. */
const SMALL_MAX_BYTES = 4 * 1024 * 1024;

/** Reads a small regular file. Throws for anything else, such as a pipe or an endless device. */
export function readSmall(file: string, max_bytes = SMALL_MAX_BYTES): Buffer {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(handle);
    // A folder passes: reading it throws an error that names the cause.
    if (!stats.isFile() && !stats.isDirectory()) throw new Error("is not a file");
    const { size } = stats;
    if (size > max_bytes) throw new Error(`has ${size} bytes, expected at most ${max_bytes}`);
    return readFileSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Syncs a file's content, or a folder's names, to the disk. */
export function syncPath(file: string): void {
  const handle = openSync(file, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
