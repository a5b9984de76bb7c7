// Shared by scripts with options: reads the options, reports errors in them, ends at once when
// stopped or on failure, and writes results as JSON.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { EXIT, Failure, messageOf } from "../src/ground/errors.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;
type Values<Given extends Options> = ReturnType<typeof parseArgs<{ options: Given }>>["values"];

interface Script<Given extends Options> {
  /** As in `npm run <name>`. */
  readonly name: string;
  readonly usage: string;
  /** As `parseArgs` takes them; with `--help` the usage is printed and nothing is run. */
  readonly options: Given & { readonly help: { readonly type: "boolean" } };
  /** Words beside the options are taken; otherwise they are errors. */
  readonly takesWords?: boolean;
}

/**
 * Runs a script with its options. A Failure ends it with the usage and the Failure's exit code,
 * anything else that is thrown with its stack, both at once: what was started meanwhile listens for
 * the process's "exit" and is ended by it, as by SIGINT and SIGTERM.
 */
export async function runScript<const Given extends Options>(
  { name, usage, options, takesWords = false }: Script<Given>,
  main: (values: Values<Given>, words: readonly string[]) => Promise<void>,
): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => process.exit(EXIT.failed));
  try {
    const { values, positionals } = parsed(options, takesWords);
    if ("help" in values && values.help === true) process.stdout.write(`${usage}\n`);
    else await main(values, positionals);
  } catch (error) {
    const expected = error instanceof Failure;
    const stack = error instanceof Error ? error.stack : messageOf(error);
    process.stderr.write(`${name}: ${expected ? `${error.message}\n\n${usage}` : stack}\n`);
    process.exit(expected ? error.exitCode : EXIT.failed);
  }
}

function parsed<const Given extends Options>(options: Given, allowPositionals: boolean) {
  try {
    return parseArgs({ options, allowPositionals });
  } catch (error) {
    throw new Failure(EXIT.usage, messageOf(error));
  }
}

/**
 * The result of `read`, which reads a command line; whatever it throws ends the script with that
 * sentence and the usage.
 */
export function orUsage<Read>(usage: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n\n${usage}\n`);
    process.exit(EXIT.usage);
  }
}

/** An integer within bounds. Throws a Failure that names the option and what it may be. */
export function integerOf(
  name: string,
  text: string,
  { low, high }: { readonly low: number; readonly high: number },
): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= low && value <= high) return value;
  throw new Failure(EXIT.usage, `--${name}: got ${text}, expected ${low} to ${high}`);
}

/** Writes a report as JSON, with the folders that its file needs. */
export function writeReport(file: string, report: unknown): void {
  mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
}
