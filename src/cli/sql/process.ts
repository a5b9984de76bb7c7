// Each statement of `ballastd sql` runs in a process of its own, since SQLite can't be interrupted
// from the thread that runs it: killing the process ends it at once, whatever it does. The shell
// sets the limits of memory and of processor time, which hold even if this process is killed.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import os from "node:os";
import { text } from "node:stream/consumers";
import { IS_EXECUTABLE } from "../../ground/assets.ts";
import { EXIT, exitCodeOf, Failure } from "../../ground/errors.ts";
import { asCaller, ownerTaken } from "../../ground/owner.ts";
import { runStatement, STATEMENT_MIB, TOO_LARGE } from "../../sqlite/answers/statement.ts";
import { STDOUT, writeTexts } from "../output-file.ts";
import { type ResultLayout, resultText } from "./layout.ts";

/** One statement to be run. */
export interface Order {
  /** The database. */
  readonly file: string;
  readonly statement: string;
  readonly layout: ResultLayout;
}

/** The option that makes the command carry out one order from its standard input. */
export const CHILD = "child";

/** A statement that runs. */
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
  const late = `the statement took longer than ${timeout_s} s and was ended; see --timeout`;
  const timer = setTimeout(() => end(new Failure(EXIT.failed, late)), timeout_s * 1000);
  // It may end before it has read all of it.
  child.stdin?.on("error", () => {}).end(JSON.stringify(order));
  return {
    done: endOf(child, () => ended).finally(() => clearTimeout(timer)),
    end: () => end(new Failure(EXIT.failed, "the statement was ended")),
  };
}

async function endOf(child: ChildProcess, ended: () => Failure | null): Promise<void> {
  const stderr = child.stderr === null ? "" : text(child.stderr);
  const [code, signal] = await once(child, "close");
  const failure = ended();
  if (failure !== null) throw failure;
  if (signal !== null) throw new Failure(EXIT.failed, `${TOO_LARGE} (${signal})`);
  if (code !== EXIT.ok) throw new Failure(exitCodeOf(code, EXIT.failed), messageIn(await stderr));
}

function messageIn(stderr: string): string {
  return stderr.trim().replace(/^ballastd: /, "");
}

/** The limit of processor time is only for a process that nobody ends any more. */
const LIMITED = '{ ulimit -c 0; ulimit -d "$1"; ulimit -t "$2"; } 2>/dev/null; shift 2; exec "$@"';

function spawnLimited(timeout_s: number): ChildProcess {
  const program = IS_EXECUTABLE ? [process.execPath] : [process.execPath, process.argv[1]];
  const limits = [ownKib() + STATEMENT_MIB * 1024, 2 * timeout_s + 10].map(String);
  const account = ownerTaken();
  return asCaller(() =>
    spawn("/bin/sh", ["-c", LIMITED, "sh", ...limits, ...program, "sql", `--${CHILD}`], {
      stdio: ["pipe", "inherit", "pipe"],
      ...(account === null ? {} : { uid: account.uid, gid: account.gid }),
    }),
  );
}

/** Memory of this process as `ulimit -d` counts it: with what is only reserved. */
function ownKib(): number {
  const [, kib] = /^VmData:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return Number(kib);
}

/** Below the running instance, which must not wait for a statement. */
const NICENESS = 10;

/** Carries out the order on the standard input: what the started process does. */
export async function carryOut(): Promise<void> {
  os.setPriority(NICENESS);
  const { file, statement, layout }: Order = JSON.parse(await text(process.stdin));
  await writeTexts(STDOUT, resultText(layout, runStatement(file, statement)));
}
