// The command line: finds the command in the table and runs it. The thrown error decides the end of
// the process: a Failure is one line and its exit code, wrong arguments are a usage error, system
// errors and damage are one line too, anything else is our own mistake and ends with a stack.

import "./ground/node-version.ts";
import "./ground/garbage-collection.ts";
import { allCommands, COMMANDS, type Command, loadHelp } from "./cli/commands/commands.ts";
import * as version from "./cli/commands/version.ts";
import { escapedLines, printLastDocument } from "./cli/document.ts";
import { codeOf, EXIT, Failure, messageOf, shortened } from "./ground/errors.ts";
import { errorPriority } from "./ground/log.ts";
import { damageFailure } from "./sqlite/file/damage.ts";

process.stdout.on("error", endOnLostOutput);
main(process.argv.slice(2)).catch(endOnFailure);

async function main([name, ...rest]: readonly string[]): Promise<void> {
  if (name === undefined) throw new Failure(EXIT.usage, `a command is missing\n\n${await usage()}`);
  if (name === "--help" || name === "-h") return print(await usage());
  if (name === "--version") return version.run([]);
  if (name === "help") return help(rest);
  const command = await commandOf(name);
  if (asksForHelp(rest)) return print(command.help);
  try {
    return await command.run(rest, loadHelp);
  } catch (thrown) {
    if (!isOfArguments(thrown)) throw thrown;
    const { withAdvice } = await import("./cli/advice.ts");
    throw withAdvice(thrown, { name, help: command.help });
  }
}

async function help([name, ...more]: readonly string[]): Promise<void> {
  if (more.length > 0)
    throw new Failure(EXIT.usage, `help: got ${more.length + 1} names, expected one command`);
  print(name === undefined ? await usage() : (await commandOf(name)).help);
}

async function commandOf(name: string): Promise<Command> {
  const load = COMMANDS.get(name);
  if (load !== undefined) return load();
  const { adviceFor } = await import("./cli/advice.ts");
  const advice = adviceFor(name, COMMANDS.keys());
  throw new Failure(EXIT.usage, `unknown command ${name}${advice}, expected ${commandNames()}`);
}

function asksForHelp(args: readonly string[]): boolean {
  const options = withoutOperands(args);
  return options.includes("--help") || options.includes("-h");
}

/** Options, as far as `--`. */
function withoutOperands(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  return end === -1 ? args : args.slice(0, end);
}

async function usage(): Promise<string> {
  const width = Math.max(...[...COMMANDS.keys()].map((name) => name.length));
  const commands = (await allCommands()).map(
    ([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`,
  );
  return [
    "usage: ballastd <command> [options]",
    "",
    ...commands,
    "",
    "ballastd help <command> explains a command, ballastd --version prints the version.",
    "The manual is at /manual of its page, and in /usr/share/doc/ballastd.",
  ].join("\n");
}

function commandNames(): string {
  return [...COMMANDS.keys()].join(", ");
}

function print(text: string): void {
  process.stdout.write(`${text.trimEnd()}\n`);
}

function endOnFailure(thrown: unknown): void {
  const failure = damageFailure(thrown) ?? (thrown instanceof Failure ? thrown : null);
  if (failure !== null) end(failure.exitCode, failure.message);
  else if (isOfArguments(thrown)) end(EXIT.usage, argumentsMessage(messageOf(thrown)));
  else if (/^(E[A-Z0-9]+|SQLITE_[A-Z_]+)$/.test(codeOf(thrown) ?? ""))
    end(EXIT.io, messageOf(thrown));
  else {
    tellFailure(EXIT.failed, "a fault of ballastd itself");
    throw thrown;
  }
}

const isOfArguments = (thrown: unknown) => codeOf(thrown)?.startsWith("ERR_PARSE_ARGS_") === true;

/** Node's message without its advice on names that begin with a dash, and the way to the help. */
function argumentsMessage(message: string): string {
  const [problem] = message.split(". To specify a positional argument", 1);
  return `${problem.replace(/\.$/, "")}; see ballastd ${process.argv[2]} --help`;
}

/** With --json stdout has a document in any case. */
function tellFailure(error: number, message: string): void {
  const [, ...rest] = process.argv.slice(2);
  if (withoutOperands(rest).includes("--json")) printLastDocument({ error, message });
}

// A reader that closes early (`| head`)
// is no failure; an output file on a full disk is one.
function endOnLostOutput(error: Error): void {
  if (codeOf(error) === "EPIPE") process.exit(EXIT.ok);
  end(EXIT.io, `the output can't be written (${messageOf(error)})`);
}

function end(exitCode: number, message: string): never {
  tellFailure(exitCode, message);
  // Parts of it may come from a stranger's file or database.
  process.stderr.write(`${errorPriority()}ballastd: ${escapedLines(shortened(message))}\n`);
  process.exit(exitCode);
}
