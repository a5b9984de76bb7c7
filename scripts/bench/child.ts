// Processes of the benchmark (the program under test, database servers): started with their output
// in a file, ended by id, and killed when the benchmark itself ends for whatever reason.

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS } from "../../src/ground/clock.ts";
import { messageOf } from "../../src/ground/errors.ts";

/** An account of the machine, for servers that refuse to run as root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** Its working folder, which also gets its output. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly account?: Account | null;
}

export interface Child {
  readonly pid: number;
  /** Waits until `condition` holds; throws, with its output, if it ends or takes too long. */
  until(what: string, condition: () => Promise<boolean>, poll_ms?: number): Promise<void>;
  /** Sends the signal and waits; throws when the child ends otherwise than with code 0. */
  stop(signal: "SIGTERM" | "SIGINT"): Promise<void>;
}

/** A server that recovers 6.3 million readings gets this long to come up, or to stop. */
const WAIT_MAX_MS = 10 * MINUTE_MS;

/** Starts a process that runs until it is stopped. */
export function startChild(command: Command): Child {
  const { file, args, folder, env, account } = command;
  const name = path.basename(file);
  const log = path.join(folder, `${name}.log`);
  const output = openSync(log, "a");
  const child = spawn(file, args, {
    cwd: folder,
    env: { ...inherited(), ...env },
    stdio: ["ignore", output, output],
    ...(account ?? {}),
  });
  closeSync(output);
  const ended = endOf(child);
  let how: string | null = null;
  ended.then(
    (end) => {
      how = end;
    },
    (error) => {
      how = messageOf(error);
    },
  );
  const said = (problem: string) =>
    new Error(`${name}: ${problem}\n${readFileSync(log, "utf8").slice(-2000)}`);
  return {
    pid: child.pid ?? 0,
    async until(what, condition, poll_ms = 50) {
      const deadline_ms = Date.now() + WAIT_MAX_MS;
      while (!(await condition())) {
        if (how !== null) throw said(`ended (${how}), expected: ${what}`);
        if (Date.now() > deadline_ms) throw said(`took too long: ${what}`);
        await sleep(poll_ms);
      }
    },
    async stop(signal) {
      child.kill(signal);
      const late = setTimeout(() => child.kill("SIGKILL"), WAIT_MAX_MS);
      const end = await ended.finally(() => clearTimeout(late));
      if (end !== "code 0") throw said(`ended (${end}), expected code 0 after ${signal}`);
    },
  };
}

/** Resolves to how it ended: `code 0`, `SIGKILL`. */
function endOf(child: ChildProcess): Promise<string> {
  const kill = (): void => void child.kill("SIGKILL");
  // Before whatever removes the folder at the end.
  process.prependOnceListener("exit", kill);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      process.off("exit", kill);
      resolve(signal ?? `code ${code}`);
    });
  });
}

/** Runs a command that ends by itself, `input` on its stdin, and returns its stdout. */
export function runCommand(command: Command, input: Iterable<string> = []): Promise<string> {
  const { file, args, folder, env, account } = command;
  const child = spawn(file, args, {
    cwd: folder,
    env: { ...inherited(), ...env },
    stdio: ["pipe", "pipe", "pipe"],
    ...(account ?? {}),
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  // One that ends before it has read everything is judged by how it ended.
  const fed = pipeline(Readable.from(input), child.stdin).catch(() => undefined);
  return endOf(child).then(async (end) => {
    await fed;
    if (end !== "code 0") throw new Error(`${path.basename(file)}: ended (${end})\n${stderr}`);
    return stdout;
  });
}

/** A port that nobody listens on now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = address !== null && typeof address === "object" ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/** The environment without what would configure the program. */
function inherited(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(BALLASTD_|STATE_DIRECTORY|NOTIFY_SOCKET|NODE_|PG)/.test(name),
  );
  return Object.fromEntries(kept);
}
