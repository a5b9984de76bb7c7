// Where a command's result goes: to the standard output, or to a file that is written under another
// name until all is there: half a file must not pass for the whole.

import {
  closeSync,
  createWriteStream,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
} from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { codeOf, EXIT, Failure, messageOf } from "../errors.ts";

/** The standard output, as `--output` names it. */
export const STDOUT = "-";

/** Throws a Failure when a file is there that wasn't to be overwritten. */
export function refuseOverwriting(output: string, { force }: { readonly force: boolean }): void {
  if (output !== STDOUT && existsSync(output) && !force)
    throw new Failure(EXIT.cannot_create, `${output}: is there already; --force overwrites it`);
}

/** Writes texts one after the other. */
export async function writeTexts(output: string, texts: Iterable<string>): Promise<void> {
  const readable = Readable.from(texts);
  if (output === STDOUT) await pipeline(readable, process.stdout, { end: false });
  else
    await writeFile(output, (part) => pipeline(readable, createWriteStream(part, { flags: "wx" })));
}

/** Has `write` write another file, and gives it its name when it is complete and on disk. */
export async function writeFile(
  output: string,
  write: (part: string) => Promise<void>,
): Promise<void> {
  const part = `${output}.${process.pid}.part`;
  const remove = () => rmSync(part, { force: true });
  const stop = () => process.exit(EXIT.failed);
  process.once("exit", remove).once("SIGINT", stop).once("SIGTERM", stop);
  try {
    await write(part);
    const file = openSync(part, "r+");
    fsyncSync(file);
    closeSync(file);
    renameSync(part, output);
  } catch (error) {
    if (codeOf(error) === null) throw error;
    throw new Failure(EXIT.cannot_create, `${output}: ${messageOf(error)}`);
  } finally {
    remove();
    process.off("exit", remove).off("SIGINT", stop).off("SIGTERM", stop);
  }
}
