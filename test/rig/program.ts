// The built program as a process: dist/ run by Node, or the executable that TEST_PROGRAM names. It
// is started in a folder of its own, on free ports, out of reach of the machine's own
// configuration. `await using program = startProgram(...)` ends it and removes what it wrote,
// however the test ends.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";

export const PROGRAM = path.resolve(import.meta.dirname, "..", "..", "dist", "main.cjs");

/** The executable to test instead, and how either is started. */
export const EXECUTABLE = process.env.TEST_PROGRAM ? path.resolve(process.env.TEST_PROGRAM) : null;
const COMMAND = EXECUTABLE ?? process.execPath;
const COMMAND_ARGS = EXECUTABLE === null ? [PROGRAM] : [];

// Beyond any start on a busy machine, and below the time limit of a test.
const WAIT_MAX_MS = 60_000;
/** Slow conditions are tested less often: many of them cost the program an answer. */
const POLL_MIN_MS = 25;
const POLL_MAX_MS = 250;

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

/** The end of a process: an exit code, or a signal. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Program extends AsyncDisposable {
  readonly pid: number;
  readonly folder: string;
  /** Its output so far. */
  stdout(): string;
  stderr(): string;
  /** Resolves when it has ended by itself or by a signal. */
  readonly ended: Promise<Exit>;
  /**
   * Waits until `pattern` is in stdout or stderr and returns its groups (the whole match first).
   * Throws, with all output, when the program ends or a minute passes before.
   */
  waitForOutput(pattern: RegExp): Promise<readonly string[]>;
  /** As `waitForOutput`, until `condition` is true; `what` names it in the error. */
  waitUntil(what: string, condition: () => boolean | Promise<boolean>): Promise<void>;
  /** Sends the signal and waits for the end. */
  stop(signal: "SIGTERM" | "SIGINT" | "SIGKILL"): Promise<Exit>;
}

/** Starts the program and returns at once; nothing is known to be ready yet. */
export function startProgram(options: ProgramOptions): Program {
  const problem = inject("bundleProblem");
  if (problem !== null) throw new Error(problem);
  const folder = options.folder ?? temporaryFolder();
  const words = [...(options.through ?? []), COMMAND, ...COMMAND_ARGS, ...options.args];
  const [command, ...args] = words;
  const child = spawn(command, args, {
    cwd: folder,
    env: environment(folder, options.env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = endOf(child);
  const dispose = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
  };
  return { folder, ended, ...watched(child, ended), [Symbol.asyncDispose]: dispose };
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

function environment(folder: string, env: ProgramOptions["env"]): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) =>
      !name.startsWith("BALLASTD_") && !/^(STATE_DIRECTORY|NOTIFY_SOCKET|NODE_)/.test(name),
  );
  const config = path.join(folder, "ballastd.toml");
  writeFileSync(config, "", { flag: "a" });
  return {
    ...Object.fromEntries(inherited),
    BALLASTD_CONFIG: config,
    BALLASTD_HTTP_LISTEN: "127.0.0.1:0",
    BALLASTD_MQTT_LISTEN: "127.0.0.1:0",
    ...env,
  };
}

function endOf(child: ChildProcess): Promise<Exit> {
  // If this process is ended from outside, its children must not outlive it.
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    // "close" comes after the last byte of output, "exit" may come before it.
    child.once("close", (code, signal) => {
      process.off("exit", kill);
      resolve({ code, signal });
    });
  });
}

function watched(child: ChildProcess, ended: Promise<Exit>) {
  const output = { stdout: "", stderr: "", open: true };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output.stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    output.stderr += text;
  });
  const close = (): void => {
    output.open = false;
  };
  ended.then(close, close);
  const waitUntil: Program["waitUntil"] = async (what, condition) => {
    const began_ms = performance.now();
    while (!(await condition())) {
      const waited_ms = performance.now() - began_ms;
      const reason = output.open ? "took too long" : "ended before";
      if (!output.open || waited_ms > WAIT_MAX_MS)
        throw new Error(`${reason}: ${what}\n${output.stdout}\n${output.stderr}`);
      await sleep(Math.min(POLL_MAX_MS, Math.max(POLL_MIN_MS, waited_ms / 10)));
    }
  };
  return {
    pid: child.pid ?? 0,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    waitUntil,
    waitForOutput: async (pattern: RegExp): Promise<readonly string[]> => {
      const match = () => pattern.exec(output.stdout) ?? pattern.exec(output.stderr);
      await waitUntil(`output ${pattern}`, () => match() !== null);
      return match() ?? [];
    },
    stop: (signal: "SIGTERM" | "SIGINT" | "SIGKILL"): Promise<Exit> => {
      child.kill(signal);
      return ended;
    },
  };
}
