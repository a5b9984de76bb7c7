// Reads the words of a command line that several commands share: an action, such as `add` in
// `ballastd token add`, an option's value that has the type of a configuration key, and --from and
// --to, which are ISO 8601 with both ends included.

import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import type * as z from "zod";
import { endOf, type ParsedTime, parseTime, printTime } from "../ground/clock.ts";
import { EXIT, Failure } from "../ground/errors.ts";
import { bounded } from "../ground/quoted.ts";
import { type ClosedRange, closed } from "../sqlite/file/query.ts";

/** The options that nearly every command has. */
const COMMON = {
  json: { type: "boolean", default: false },
  config: { type: "string" },
} as const satisfies ParseArgsOptionsConfig;

/** The values of a command's options, --json and --config among them. Other words are refused. */
export function readOptions<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
) {
  return parseArgs({ args: [...args], options: { ...COMMON, ...options } }).values;
}

/** As `readOptions`, but with the words beside the options. */
export function readLine<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
) {
  return parseArgs({ args: [...args], allowPositionals: true, options: { ...COMMON, ...options } });
}

/** A usage Failure that names the words after `command` and the expected actions. */
export function wrongAction(command: string, given: string | undefined, expected: string): Failure {
  return new Failure(EXIT.usage, `${[command, given].join(" ").trim()}: expected ${expected}`);
}

/** The value of `--name`. Throws a Failure with the given value and the expected one. */
export function optionValue<Type extends z.ZodType>(
  name: string,
  type: Type,
  given: unknown,
): z.output<Type> {
  const read = type.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  // A URL may have a password in it.
  const isUrl = issue.code === "custom" && issue.params?.form === "url";
  const shown = isUrl ? "" : ` ${bounded(String(given))}`;
  throw new Failure(EXIT.usage, `--${name}${shown}: ${issue.message}`);
}

/**
 * The word given to `option`; null if none was. Throws a Failure with the given word and the
 * allowed ones.
 */
export function optionWord<const Word extends string>(
  option: string,
  given: string | undefined,
  words: readonly Word[],
): Word | null {
  if (given === undefined) return null;
  const word = words.find((allowed) => allowed === given);
  if (word === undefined)
    throw new Failure(EXIT.usage, `${option} ${given}: expected ${words.join(", ")}`);
  return word;
}

/**
 * The range of --from and --to, open on the sides not given; a date alone as the end means the end
 * of that day. Throws a Failure for an invalid time.
 */
export function readRange(from: string | undefined, to: string | undefined): ClosedRange {
  const start = from === undefined ? null : readTime("--from", from);
  const end = to === undefined ? null : readTime("--to", to);
  const range = closed({
    start_ms: start?.at_ms ?? null,
    end_ms: end === null ? null : endOf(end),
  });
  if (range.start_ms <= range.end_ms) return range;
  const after = `${printTime(range.start_ms)} is after --to ${printTime(range.end_ms)}`;
  throw new Failure(EXIT.usage, `--from ${after}, expected a start at or before the end`);
}

function readTime(option: string, text: string): ParsedTime {
  const time = parseTime(text);
  if (time !== null) return time;
  const expected = "ISO 8601, such as 2026-05-01 or 2026-05-01T06:30:00Z";
  throw new Failure(EXIT.usage, `${option} ${text}: expected ${expected}`);
}
