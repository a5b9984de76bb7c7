// Writes a command's result to the standard output, or to a file that gets its name only when it is
// complete: half a file must not look like a whole one.

import { closeSync, existsSync, lstatSync, rmSync, statSync, write } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { openNew, partOf, placeFile } from "../ground/durable.ts";
import { codeOf, EXIT, Failure, messageOf } from "../ground/errors.ts";
import { atPath } from "../ground/owner.ts";
import { tellWhenInterrupted } from "./interrupted.ts";

/** The standard output, as `--output` names it. */
export const STDOUT = "-";

/** Throws a Failure if the file exists and must not be overwritten. */
export function refuseOverwriting(output: string, { force }: { readonly force: boolean }): void {
  if (output === STDOUT) return;
  if (!force && atPath(path.dirname(output), () => existsSync(output)))
    throw new Failure(EXIT.cannot_create, `${output}: is there already; --force overwrites it`);
  refuseOdd(output);
}

/** Refuses devices, pipes and links, because renaming the finished file would replace them. */
function refuseOdd(output: string): void {
  try {
    const found = atPath(path.dirname(output), () => lstatSync(output, { throwIfNoEntry: false }));
    if (found === undefined || found.isFile()) return;
  } catch (error) {
    throw new Failure(EXIT.cannot_create, `${output}: ${messageOf(error)}`);
  }
  const expected = `expected a file, a new one, or ${STDOUT} for the standard output`;
  throw new Failure(EXIT.cannot_create, `${output}: isn't a plain file; ${expected}`);
}

/**
 * Refuses a folder that doesn't exist: a stick isn't mounted, and a new folder would be on the PC's
 * own disk.
 */
export function refuseMissing(folder: string): void {
  if (atPath(folder, () => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true))
    return;
  throw new Failure(EXIT.cannot_create, `${folder}: there is no such folder; is it mounted?`);
}

/** Writes texts one after the other. */
export async function writeTexts(
  output: string,
  texts: Iterable<string | Uint8Array>,
): Promise<void> {
  if (output === STDOUT) await pipeline(Readable.from(texts), process.stdout, { end: false });
  else await writeFile(output, ({ handle }) => writeAll(handle, texts));
}

/** Removes a file that was written. */
export function removeFile(output: string): void {
  atPath(path.dirname(output), () => rmSync(output, { force: true }));
}

/** Size from which collected texts are written in one piece. */
const PIECE_BYTES = 64 * 1024;

/**
 * Writes the texts one after the other. Not a stream: a failing stream closes the file, whose
 * number may belong to another file by then.
 */
async function writeAll(handle: number, texts: Iterable<string | Uint8Array>): Promise<void> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  const flush = async () => {
    const bytes = Buffer.concat(waiting);
    waiting = [];
    size = 0;
    for (let done = 0; done < bytes.length; )
      done += (await writePart(handle, bytes, done)).bytesWritten;
  };
  for (const text of texts) {
    const bytes = typeof text === "string" ? Buffer.from(text) : text;
    waiting.push(bytes);
    size += bytes.length;
    if (size >= PIECE_BYTES) await flush();
  }
  await flush();
}

const writePart = promisify(write);

/** An open, empty file to be written. */
export interface OpenOutput {
  readonly handle: number;
  readonly file: string;
}

/** Mode of a file that needs no secrecy; the umask removes its bits. */
const USUAL_MODE = 0o666;

/**
 * Lets `fill` write a temporary file, which gets the name `output` when it is complete and on disk.
 */
export async function writeFile(
  output: string,
  fill: (part: OpenOutput) => Promise<void>,
  mode = USUAL_MODE,
): Promise<void> {
  const folder = path.dirname(output);
  const part = partOf(output);
  let handle: number | null = null;
  const remove = () => {
    if (handle !== null) atPath(folder, () => rmSync(part, { force: true }));
  };
  refuseOdd(output);
  const unheard = tellWhenInterrupted(`${output}: interrupted, nothing was written`);
  process.once("exit", remove);
  try {
    handle = atPath(folder, () => openNew(part, mode));
    await fill({ handle, file: part });
    // The folder is synced too, because users pull the stick out as soon as the command ends.
    atPath(folder, () => placeFile(part, output));
  } catch (error) {
    if (codeOf(error) === null) throw error;
    throw new Failure(EXIT.cannot_create, `${output}: ${messageOf(error)}`);
  } finally {
    if (handle !== null) closeSync(handle);
    remove();
    process.off("exit", remove);
    unheard();
  }
}
