// A process of a test or a tool: the program, a database server, a command. Its output is kept, it
// is ended by its number, and it is killed when this process ends for whatever reason. The
// machine's own configuration of ballastd, Node and PostgreSQL is kept out of its environment.

import { spawn } from "node:child_process";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { PATIENCE_MS } from "./patience.ts";
import { restBetween } from "./until.ts";

// A worker is ended by SIGTERM, which by itself runs nothing that waits for the exit.
process.once("SIGTERM", () => process.exit());

/** An account of the machine, for servers that refuse to run as root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** Its working folder. */
  readonly folder: string;
  /** Added to the environment; undefined unsets. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly account?: Account | null;
}

/** The end of a process: an exit code, or a signal. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Process {
  readonly pid: number;
  /** Its output so far. */
  stdout(): string;
  stderr(): string;
  /** Resolves when it has ended and all its output is here. Rejects if it can't be started. */
  readonly ended: Promise<Exit>;
  /** Waits until `condition` holds; throws, with its output, if it ends or takes too long. */
  waitUntil(what: string, condition: () => boolean | Promise<boolean>, wait?: Wait): Promise<void>;
  /** Sends the signal and waits for the end. */
  stop(signal: NodeJS.Signals): Promise<Exit>;
}

export interface Wait {
  /** The interval between two tests of the condition. */
  readonly poll_ms?: number;
}

/** Starts a process and returns at once. `input` goes to its stdin. */
export function startProcess(command: Command, input: Iterable<string> | null = null): Process {
  const { file, args, folder, env, account } = command;
  const child = spawn(file, args, {
    ...(account ?? {}),
    cwd: folder,
    env: { ...inherited(), ...env },
    stdio: [input === null ? "ignore" : "pipe", "pipe", "pipe"],
  });
  // One that ends before it has read everything is judged by how it ended.
  if (input !== null && child.stdin !== null)
    pipeline(Readable.from(input), child.stdin).catch(() => undefined);
  const output = { stdout: "", stderr: "", open: true };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  // Before whatever removes the folder at the end.
  const kill = () => void child.kill("SIGKILL");
  process.prependOnceListener("exit", kill);
  const ended = new Promise<Exit>((resolve, reject) => {
    child.once("error", reject);
    // "close" comes after the last byte of output, "exit" may come before it.
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  const close = () => {
    output.open = false;
    process.off("exit", kill);
  };
  ended.then(close, close);
  return {
    pid: child.pid ?? 0,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    ended,
    async waitUntil(what, condition, { poll_ms } = {}) {
      const began_ms = performance.now();
      for (;;) {
        const asked_ms = performance.now();
        if (await condition()) return;
        const now_ms = performance.now();
        const waited_ms = now_ms - began_ms;
        const reason = output.open ? "took too long" : "ended before";
        if (!output.open || waited_ms > PATIENCE_MS)
          throw new Error(`${path.basename(file)} ${reason}: ${what}\n${saidBy(output)}`);
        await sleep(poll_ms ?? restBetween(waited_ms, now_ms - asked_ms));
      }
    },
    stop(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

/** Runs a command that ends by itself and returns its stdout. Throws unless it ends with 0. */
export async function runProcess(
  command: Command,
  input: Iterable<string> | null = null,
): Promise<string> {
  const child = startProcess(command, input);
  const { code, signal } = await child.ended;
  if (code === 0) return child.stdout();
  const name = [path.basename(command.file), ...command.args].join(" ");
  throw new Error(`${name}: ended with ${code ?? signal}, expected 0\n${child.stderr()}`);
}

function saidBy({ stdout, stderr }: { stdout: string; stderr: string }): string {
  return `${stdout.slice(-4000)}\n${stderr.slice(-4000)}`;
}

/** The environment without what would configure the program; the compile cache changes nothing. */
function inherited(): NodeJS.ProcessEnv {
  const own = /^(BALLASTD_|DISK_|STATE_DIRECTORY|NOTIFY_SOCKET|NODE_(?!COMPILE_CACHE$)|PG)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}
