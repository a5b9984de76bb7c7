// The built program as a process: dist/ run by Node, or the executable that TEST_PROGRAM names. It
// is started in a folder of its own, on ports that it gets from the kernel and prints, out of reach
// of the machine's own configuration. `await using program = startProgram(...)` ends it and removes
// what it wrote, however the test ends.

import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { inject } from "vitest";
import { type Exit, type Process, startProcess } from "./process.ts";
import { ownConfig } from "./served.ts";

export const PROGRAM = path.resolve(import.meta.dirname, "..", "..", "dist", "main.cjs");

/** The executable to test instead, and how either is started. */
export const EXECUTABLE = process.env.TEST_PROGRAM ? path.resolve(process.env.TEST_PROGRAM) : null;
const COMMAND = EXECUTABLE === null ? [process.execPath, PROGRAM] : [EXECUTABLE];

export interface ProgramOptions {
  /** The command and its arguments. */
  readonly args: readonly string[];
  /** Set over the test's defaults; undefined unsets. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Its working folder (with data in data/), to start again on another's data. */
  readonly folder?: string;
  /** A command that becomes the program, such as `nsenter` with its options. */
  readonly through?: readonly string[];
}

export interface Program extends Process, AsyncDisposable {
  readonly folder: string;
  /**
   * Waits until `pattern` is in stdout or stderr and returns its groups (the whole match first).
   * Throws, with its output, when the program ends before, or it never comes.
   */
  waitForOutput(pattern: RegExp): Promise<readonly string[]>;
}

/** Starts the program and returns at once; nothing is known to be ready yet. */
export function startProgram(options: ProgramOptions): Program {
  const problem = inject("bundleProblem");
  if (problem !== null) throw new Error(problem);
  const folder = options.folder ?? temporaryFolder();
  const [file, ...args] = [...(options.through ?? []), ...COMMAND, ...options.args];
  const child = startProcess({ file, args, folder, env: environment(folder, options.env) });
  return {
    ...child,
    folder,
    async waitForOutput(pattern) {
      const match = () => pattern.exec(child.stdout()) ?? pattern.exec(child.stderr());
      await child.waitUntil(`output ${pattern}`, () => match() !== null);
      return match() ?? [];
    },
    async [Symbol.asyncDispose]() {
      await child.stop("SIGKILL");
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs a command that ends by itself. */
export async function runProgram(
  options: ProgramOptions,
): Promise<Exit & { readonly stdout: string; readonly stderr: string }> {
  await using program = startProgram(options);
  const exit = await program.ended;
  return { ...exit, stdout: program.stdout(), stderr: program.stderr() };
}

/** A new folder under the system's temporary one; whoever asks for it removes it. */
export function temporaryFolder(): string {
  return mkdtempSync(path.join(os.tmpdir(), "ballastd-test-"));
}

function environment(folder: string, env: ProgramOptions["env"]): ProgramOptions["env"] {
  return {
    ...ownConfig(folder),
    BALLASTD_HTTP_LISTEN: "127.0.0.1:0",
    BALLASTD_MQTT_LISTEN: "127.0.0.1:0",
    // Otherwise an alarm more, where a busy machine takes minutes for a test.
    BALLASTD_ALARMS_NO_DATA_SECONDS: "86400",
    ...env,
  };
}
