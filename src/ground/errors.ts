// Errors that end a command. A problem of the outside world that a command can't handle is thrown
// as a Failure: its message is one line for a person, with the next step, and its exit code follows
// sysexits; `reasons` are the same for pages in other languages. Any other error is our own mistake
// and ends the process with a stack.

import { escapedJson } from "./quoted.ts";
import type { RefusalReason } from "./reasons.ts";

export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  unavailable: 69,
  cannot_create: 73,
  io: 74,
  temporary: 75,
  permission: 77,
  config: 78,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit code of another process or thread; `otherwise` if it isn't one of EXIT. */
export function exitCodeOf(given: number | null, otherwise: ExitCode): ExitCode {
  return Object.values(EXIT).find((code) => code === given) ?? otherwise;
}

/** An expected failure: `message` is shown unchanged, and the process ends with `exitCode`. */
export class Failure extends Error {
  readonly exitCode: ExitCode;
  readonly reasons: readonly RefusalReason[];

  constructor(exitCode: ExitCode, message: string, ...reasons: readonly RefusalReason[]) {
    super(shortened(message));
    this.name = "Failure";
    this.exitCode = exitCode;
    this.reasons = reasons;
  }
}

/** A request that contradicts the stored data; its sender can correct it. */
export class Declined extends Failure {
  constructor(problem: string, ...reasons: readonly RefusalReason[]) {
    super(EXIT.failed, problem, ...reasons);
  }
}

/** Another process uses the data folder for now. */
export class FolderBusy extends Failure {
  constructor(dir: string) {
    super(
      EXIT.temporary,
      `data folder ${dir}: another ballastd uses it; stop that one, or set storage.dir`,
    );
  }
}

/** Maximum length of a line of a message, in characters. */
const LINE_MAX = 1000;

/**
 * A message for people; lines made long by a given value are cut in the middle, and characters that
 * move a cursor or turn the direction of writing are escaped.
 */
export function shortened(message: string): string {
  const shortLine = (line: string) =>
    line.length <= LINE_MAX ? line : `${line.slice(0, LINE_MAX / 2)} ... ${line.slice(-300)}`;
  return message
    .split("\n")
    .map((line) => escapedJson(shortLine(line)))
    .join("\n");
}

/** The text of any thrown value, on one line. */
export function messageOf(thrown: unknown): string {
  if (isUnknownHost(thrown)) return `the host's name can't be resolved (${codeOf(thrown)})`;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return shortened(text.replace(/\s+/g, " ").trim());
}

/**
 * True for the failed look-up of a host's name. Node's message has the name, which may be a
 * password that was typed in its place.
 */
export function isUnknownHost(thrown: unknown): boolean {
  return thrown instanceof Error && "syscall" in thrown && thrown.syscall === "getaddrinfo";
}

/** The system's code of a failed call (`EADDRINUSE`, `SQLITE_FULL`), or null. */
export function codeOf(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || !("code" in thrown)) return null;
  return typeof thrown.code === "string" ? thrown.code : null;
}
