// Changes the configuration's file for commands: one at a time, as a whole or not at all, keeping
// the previous file beside it. The lock is an abstract socket, which the system frees however the
// process ends: no stale lock must be deleted by hand.

import { createHash } from "node:crypto";
import { closeSync, existsSync, lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openFile, removeParts, writeWhole } from "../ground/durable.ts";
import { codeOf, EXIT, Failure, messageOf } from "../ground/errors.ts";
import { asCaller, atPath } from "../ground/owner.ts";
import { reason } from "../ground/reasons.ts";
import { foreignBytes } from "./read.ts";
import { refused } from "./shown.ts";

/** Maximum wait for another command; it holds the lock for some milliseconds. */
const LOCK_WAIT_MS = 10_000;
const LOCK_AGAIN_MS = 20;

/** Runs `work` while no other command changes the file at `place`. */
export async function withConfigLock<Result>(place: string, work: () => Result): Promise<Result> {
  const file = asCaller(() => (existsSync(place) ? realpathSync(place) : path.resolve(place)));
  const name = `\0ballastd-config-${createHash("sha256").update(file).digest("hex")}`;
  const end_ms = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    const server = await listening(name);
    if (server !== null)
      try {
        return work();
      } finally {
        server.close();
      }
    if (performance.now() > end_ms)
      throw new Failure(
        EXIT.temporary,
        `another command is changing ${place}: try again`,
        reason("file_busy", {}),
      );
    await sleep(LOCK_AGAIN_MS);
  }
}

/** Opens the lock: a server listening by this name. Null while another process has it. */
function listening(name: string) {
  const server = createServer((socket) => socket.destroy());
  return new Promise<typeof server | null>((resolve, reject) => {
    server.once("error", (error) =>
      codeOf(error) === "EADDRINUSE" ? resolve(null) : reject(error),
    );
    server.listen(name, () => resolve(server));
  });
}

/** The text of the file. Throws a Failure if it can't be read, or isn't UTF-8. */
export function configTextAt(place: string): string {
  return atConfig(place, () => textOf(place));
}

function textOf(file: string): string {
  let bytes: Buffer;
  try {
    const handle = openFile(file);
    try {
      bytes = readFileSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (codeOf(error) === "ENOENT") throw refused(file, "isn't there: make a file of that name");
    throw refused(file, `can't be read (${codeOf(error) ?? messageOf(error)})`);
  }
  const problem = foreignBytes(bytes, file);
  if (problem !== null) throw problem;
  return bytes.toString("utf8");
}

/** The path of the copy of the file from before the latest change. */
export function beforeOf(place: string): string {
  return `${asCaller(() => realpathSync(place))}.before`;
}

/**
 * Writes `text` in place of the file, with its owner and mode; if `place` is a link, in place of
 * its target. `before` is the text read earlier. Throws a Failure if the file has changed since.
 */
export function replaceConfig(place: string, before: string, text: string): void {
  atConfig(place, () => {
    const file = realpathSync(place);
    if (textOf(file) !== before)
      throw new Failure(
        EXIT.temporary,
        `${file} was changed by another meanwhile: try again`,
        reason("file_busy", {}),
      );
    const kept = `${file}.before`;
    const older = existsSync(kept) && statSync(kept).isFile() ? readFileSync(kept) : null;
    try {
      const { mode, uid, gid } = statSync(file);
      const belonging = { mode: mode & 0o777, account: { uid, gid } };
      removeParts(file);
      removeParts(kept);
      writeWhole(kept, before, belonging);
      try {
        writeWhole(file, text, belonging);
      } catch (error) {
        // The copy must again be the one from before the previous change.
        if (older !== null) writeWhole(kept, older, belonging);
        throw error;
      }
    } catch (error) {
      throw failureOf(file, textOf(file) === before, error);
    }
  });
}

function failureOf(file: string, isUnchanged: boolean, error: unknown): unknown {
  const code = codeOf(error);
  if (code === null) return error;
  const isForbidden = code === "EACCES" || code === "EPERM";
  return new Failure(
    isForbidden ? EXIT.permission : EXIT.io,
    isUnchanged
      ? `${file} can't be replaced (${messageOf(error)}): nothing was changed`
      : `${file} was changed, but may not be on the disk yet (${messageOf(error)})`,
    ...(isUnchanged ? [reason("file_unwritten", { file, error: code })] : []),
  );
}

/**
 * Runs `work` with the rights of the user who typed the command, or of the data folder's owner if
 * that account could have put a link on the path. The file itself may belong to that account:
 * replacing a file needs rights on its folder only.
 */
function atConfig<Result>(place: string, work: () => Result): Result {
  const isLink = asCaller(() => lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink());
  return atPath(isLink ? place : path.dirname(path.resolve(place)), work);
}
