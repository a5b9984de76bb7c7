// The support archive requested over HTTP. `ballastd support` makes it as a separate process, one
// at a time, with lower priority. So there is only one way to make it, the check of a large
// database doesn't block others, and the archive passes through this process in pieces.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import os from "node:os";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { IS_EXECUTABLE } from "../ground/assets.ts";
import { SECOND_MS } from "../ground/clock.ts";
import { EXIT, Failure } from "../ground/errors.ts";

/**
 * Maximum time to make an archive. An old PC needs half a minute, much more beside other work;
 * browsers wait for five.
 */
const MADE_MAX_MS = 240 * SECOND_MS;
const NICENESS = 10;

/** The configuration that this process was started with. */
export interface StartConfig {
  /** Path of the file that was read; null without one. */
  readonly file: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface SupportArchive {
  readonly chunks: AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** Stops making the archive, because the client has left. */
  cancel(): void;
}

/** Begins to make the archive; null while another one is made. */
export type StartSupport = () => SupportArchive | null;

export function openAskedSupport({ file, env }: StartConfig): StartSupport {
  let isMaking = false;
  return () => {
    if (isMaking) return null;
    isMaking = true;
    const program = IS_EXECUTABLE ? [] : [process.argv[1]];
    const config = file === null ? [] : ["--config", file];
    const child = spawn(process.execPath, [...program, "support", "-", ...config], {
      ...{ env, timeout: MADE_MAX_MS, killSignal: "SIGKILL" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const done = () => {
      isMaking = false;
    };
    child.once("close", done).once("error", done);
    if (child.pid !== undefined) os.setPriority(child.pid, NICENESS);
    return { chunks: archiveOf(child), cancel: () => child.kill("SIGKILL") };
  };
}

type Pipes = ChildProcessByStdio<null, Readable, Readable>;

/**
 * The archive's bytes. Throws a Failure if the process fails, which it does before the first byte.
 */
async function* archiveOf(child: Pipes) {
  const said = text(child.stderr);
  const ended = once(child, "close");
  for await (const chunk of child.stdout) yield Uint8Array.from<number>(chunk);
  const [code, signal] = await ended;
  if (code === 0) return;
  const reason = (await said).trim().split("\n").at(-1) || `it ended by ${signal ?? code}`;
  throw new Failure(EXIT.temporary, `the archive can't be made: ${reason}`);
}
