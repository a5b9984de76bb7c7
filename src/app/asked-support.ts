// The support archive that is asked for over HTTP: `ballastd support` makes it as a process of its
// own, one at a time, below this one in priority. So there is one way to make it, a check of a
// large database holds nobody up, and the archive goes through this process in pieces.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import os from "node:os";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { IS_EXECUTABLE } from "../ground/assets.ts";
import { SECOND_MS } from "../ground/clock.ts";
import { EXIT, Failure } from "../ground/errors.ts";

/** An old PC needs half a minute, and much more beside other work; browsers wait for five. */
const MADE_MAX_MS = 240 * SECOND_MS;
const NICENESS = 10;

/** The configuration as this process was given it. */
export interface GivenConfig {
  /** The file that was read; null for none. */
  readonly file: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface SupportArchive {
  readonly chunks: AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** Nobody takes it any more. */
  cancel(): void;
}

/** Begins to make the archive; null while another one is made. */
export type AskedSupport = () => SupportArchive | null;

export function openAskedSupport({ file, env }: GivenConfig): AskedSupport {
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

/** Throws a Failure if the process fails, which it does before the first byte. */
async function* archiveOf(child: Pipes) {
  const said = text(child.stderr);
  const ended = once(child, "close");
  for await (const chunk of child.stdout) yield Uint8Array.from<number>(chunk);
  const [code, signal] = await ended;
  if (code === 0) return;
  const reason = (await said).trim().split("\n").at(-1) || `it ended by ${signal ?? code}`;
  throw new Failure(EXIT.temporary, `the archive can't be made: ${reason}`);
}
