// Runs each statement of `ballastd sql` in a process of its own: SQLite can't be interrupted from
// the thread that runs it, but killing the process ends any statement at once. The shell sets the
// limits of memory and processor time, which hold even if this process is killed.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import os from "node:os";
import { text } from "node:stream/consumers";
import { IS_EXECUTABLE } from "../ground/assets.ts";
import { EXIT, exitCodeOf, Failure } from "../ground/errors.ts";
import { actingOwner, asCaller } from "../ground/owner.ts";
import { runStatement, STATEMENT_MIB, TOO_LARGE } from "../sqlite/answers/statement.ts";
import { STDOUT, writeTexts } from "./output-file.ts";
import { type ResultLayout, resultText } from "./sql-layout.ts";

/** A statement to run. */
export interface Order {
  /** Path of the database. */
  readonly file: string;
  readonly statement: string;
  readonly layout: ResultLayout;
}

/** The option that makes the command carry out one order from its standard input. */
export const CHILD = "child";

/** A running statement. */
export interface RunningStatement {
  /** Rejects with a Failure if the statement fails, takes too long or is ended. */
  readonly done: Promise<void>;
  /** Ends the statement. */
  end(): void;
}

/** Starts a statement. Its result goes to the standard output. */
export function startStatement(order: Order, timeout_s: number): RunningStatement {
  const child = spawnLimited(timeout_s);
  let ended: Failure | null = null;
  const end = (failure: Failure) => {
    ended ??= failure;
    child.kill("SIGKILL");
  };
  const wall_s = ELAPSED_FACTOR * timeout_s;
  const late = `the statement took longer than ${wall_s} s, all waiting included, and was ended`;
  const timer = setTimeout(
    () => end(new Failure(EXIT.failed, `${late}; see --timeout`)),
    wall_s * 1000,
  );
  // The process may end before it has read the whole order.
  child.stdin?.on("error", () => {}).end(JSON.stringify(order));
  return {
    done: endOf(child, timeout_s, () => ended).finally(() => clearTimeout(timer)),
    end: () => end(new Failure(EXIT.failed, "the statement was ended")),
  };
}

async function endOf(
  child: ChildProcess,
  timeout_s: number,
  ended: () => Failure | null,
): Promise<void> {
  const stderr = child.stderr === null ? "" : text(child.stderr);
  const [code, signal] = await once(child, "close");
  const failure = ended();
  if (failure !== null) throw failure;
  if (signal !== null) throw new Failure(EXIT.failed, messageOfSignal(signal, timeout_s));
  if (code !== EXIT.ok) throw new Failure(exitCodeOf(code, EXIT.failed), messageIn(await stderr));
}

/**
 * Message for a signal. SIGXCPU means the limit of processor time; Node aborts if it gets no
 * memory.
 */
function messageOfSignal(signal: string, timeout_s: number): string {
  if (signal === "SIGXCPU")
    return `the statement took more than ${timeout_s} s of processor time; see --timeout`;
  if (ABORTS.has(signal)) return `${TOO_LARGE} (${signal})`;
  return `the statement was ended from outside (${signal}); the system's log may tell by whom`;
}

const ABORTS: ReadonlySet<string> = new Set(["SIGABRT", "SIGTRAP", "SIGILL", "SIGSEGV", "SIGBUS"]);

function messageIn(stderr: string): string {
  return stderr.trim().replace(/^ballastd: /, "");
}

/**
 * The shell line that sets the limits. The soft limit of processor time ends the process with
 * SIGXCPU, by which the reason is known, and holds even if this process is gone.
 */
const LIMITED =
  '{ ulimit -c 0; ulimit -d "$1"; ulimit -S -t "$2"; } 2>/dev/null; shift 2; exec "$@"';

/** Processor time for the start of the process, in seconds. */
const START_S = 1;

/** Maximum running time as a multiple of the processor time allowed: a computer may be loaded. */
export const ELAPSED_FACTOR = 10;

function spawnLimited(timeout_s: number): ChildProcess {
  const program = IS_EXECUTABLE ? [process.execPath] : [process.execPath, process.argv[1]];
  const limits = [ownKib() + STATEMENT_MIB * 1024, timeout_s + START_S].map(String);
  const account = actingOwner();
  return asCaller(() =>
    spawn("/bin/sh", ["-c", LIMITED, "sh", ...limits, ...program, "sql", `--${CHILD}`], {
      stdio: ["pipe", "inherit", "pipe"],
      ...(account === null ? {} : { uid: account.uid, gid: account.gid }),
    }),
  );
}

/** Memory of this process in KiB as `ulimit -d` counts it: reserved memory included. */
function ownKib(): number {
  const [, kib] = /^VmData:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return Number(kib);
}

/** Priority below the running instance, which must not wait for a statement. */
const NICENESS = 10;

/** Carries out the order on the standard input, in the started process. */
export async function carryOut(): Promise<void> {
  os.setPriority(NICENESS);
  const { file, statement, layout }: Order = JSON.parse(await text(process.stdin));
  await writeTexts(STDOUT, resultText(layout, runStatement(file, statement)));
}
