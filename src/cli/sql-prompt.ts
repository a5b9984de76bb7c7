// The lines that `ballastd sql` reads: from a terminal, with a prompt, or from a pipe. Statements
// end with a semicolon, commands of the prompt begin with a point. At the prompt a fault is shown
// and the next line read; in a pipe it ends the command.

import { createInterface } from "node:readline";
import { EXIT, Failure } from "../ground/errors.ts";
import { linesOf } from "../ground/lines.ts";
import { splitStatements, tokensOf } from "../sqlite/answers/sql-text.ts";
import { escapedLines } from "./document.ts";

/** Maximum size of a line in bytes, and of a statement in characters. */
const STATEMENT_MAX = 65_536;

/** Carries out statements and commands. */
export interface Dialogue {
  /** Runs a statement without its semicolon. Rejects with a Failure. */
  run(statement: string): Promise<void>;
  /** Carries out a command of the prompt; false ends the dialogue. Throws a Failure. */
  command(line: string): boolean;
  /** Ends the running statement; false if none runs. */
  end(): boolean;
}

/** Reads the standard input to its end. */
export function readDialogue(dialogue: Dialogue): Promise<void> {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  return isTerminal ? readTerminal(dialogue) : readPipe(dialogue);
}

async function readPipe(dialogue: Dialogue): Promise<void> {
  const entry = openEntry(dialogue);
  for await (const line of linesOf(process.stdin, STATEMENT_MAX)) {
    if ("problem" in line)
      throw new Failure(EXIT.usage, `standard input, line ${line.number}: ${line.problem}`);
    if (!(await entry.add(line.text))) return;
  }
  await entry.finish();
}

const PROMPT = "ballastd> ";
const CONTINUED = "     ...> ";
const OPENING =
  "SQL that reads. Readings are in reading('2026-05-01', '2026-05-31'), their hours and days in\n" +
  "reading_hour and reading_day; .help explains, .quit ends\n";

async function readTerminal(dialogue: Dialogue): Promise<void> {
  const entry = openEntry(dialogue);
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: PROMPT });
  const ask = () => {
    lines.setPrompt(entry.isEmpty() ? PROMPT : CONTINUED);
    lines.prompt();
  };
  lines.on("SIGINT", () => {
    if (dialogue.end()) return;
    entry.clear();
    process.stdout.write("\n");
    // Cleared directly, because sending the key for it doesn't work on every terminal.
    Object.assign(lines, { line: "", cursor: 0 });
    ask();
  });
  process.stdout.write(OPENING);
  ask();
  for await (const line of lines) {
    const goesOn = await entry.add(`${line}\n`).catch(tell);
    if (!goesOn) break;
    ask();
  }
  lines.close();
}

function tell(error: unknown): true {
  if (!(error instanceof Failure)) throw error;
  process.stderr.write(`${escapedLines(error.message)}\n`);
  return true;
}

interface StatementEntry {
  /** Adds a line with its end, and carries out complete statements; false ends the dialogue. */
  add(line: string): Promise<boolean>;
  /** Runs a last statement that has no semicolon. */
  finish(): Promise<void>;
  clear(): void;
  isEmpty(): boolean;
}

/** Takes the lines of a dialogue one by one; a pasted text of several lines counts as one. */
export function openEntry({ run, command }: Dialogue): StatementEntry {
  let pending = "";
  const isEmpty = () => tokensOf(pending).length === 0;
  return {
    async add(line) {
      if (isEmpty() && line.trimStart().startsWith(".")) return command(line.trim());
      const { statements, rest } = splitStatements(pending + line);
      pending = "";
      for (const statement of statements) await run(statement);
      if (rest.length > STATEMENT_MAX)
        throw new Failure(
          EXIT.usage,
          `a statement of ${rest.length} characters, expected at most ${STATEMENT_MAX}`,
        );
      pending = rest;
      return true;
    },
    async finish() {
      if (!isEmpty()) await run(pending.trim());
    },
    clear() {
      pending = "";
    },
    isEmpty,
  };
}
