// Changes keys in the text of a configuration file and nothing else: comments, order, blank lines
// and line ends stay. It doesn't use the TOML parser to write, because that keeps no comments. The
// result is parsed and compared with the intended one; any other difference is refused.

import { parse as parseToml, TomlError } from "smol-toml";
import { EXIT, Failure } from "../ground/errors.ts";
import type { ConfigKey } from "./config.ts";
import { inlinePairs, type TextSpan, type TomlPair, tomlStatements } from "./toml-text.ts";
import { isTable } from "./values.ts";

/** A value that can be written; lists contain texts only. */
export type WrittenValue = string | number | boolean | readonly string[];

/** A key that changes. */
export interface KeyChange {
  readonly key: Pick<ConfigKey, "section" | "name" | "fallback">;
  /** The new value; null removes the key and writes its default as a comment in its place. */
  readonly value: WrittenValue | null;
}

/**
 * The text with these changes. Throws a Failure (exit 78) if it can't be changed so that only these
 * keys differ.
 */
export function withKeys(text: string, changes: readonly KeyChange[]): string {
  const edited = changes.reduce(withKey, text);
  const expected = tomlLeaves(parseToml(text));
  for (const { key, value } of changes) {
    const { section, name } = key;
    const path = JSON.stringify([section, name]).slice(0, -1);
    for (const leaf of expected.keys())
      if (leaf === `${path}]` || leaf.startsWith(`${path},`)) expected.delete(leaf);
    if (value !== null) tomlLeaves(value, [section, name], expected);
  }
  if (!haveSameLeaves(leavesIn(edited), expected)) throw oddForm(changes);
  return edited;
}

const oddForm = (changes: readonly KeyChange[]) =>
  new Failure(
    EXIT.config,
    `configuration: ${changes.map(({ key }) => `${key.section}.${key.name}`).join(", ")} can't ` +
      "be changed without changing something else of the file: change it there by hand",
  );

/** A value as TOML, on one line. */
export function writtenToml(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value).replaceAll("\x7f", "\\u007f");
  if (isTable(value)) {
    const pairs = Object.entries(value).map(
      ([name, inner]) => `${writtenToml(name)} = ${writtenToml(inner)}`,
    );
    return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
  }
  return Array.isArray(value) ? `[${value.map(writtenToml).join(", ")}]` : String(value);
}

/** The leaves of a document by their path; empty tables are left out. */
export function tomlLeaves(
  value: unknown,
  path: readonly (string | number)[] = [],
  leaves = new Map<string, string>(),
): Map<string, string> {
  const isNamed = isTable(value) && !(value instanceof Date);
  const items = Array.isArray(value) && value.length > 0 ? [...value.entries()] : null;
  const parts = isNamed ? Object.entries(value) : items;
  if (parts === null)
    leaves.set(JSON.stringify(path), `${typeof value} ${Array.isArray(value) ? "[]" : value}`);
  else for (const [part, inner] of parts) tomlLeaves(inner, [...path, part], leaves);
  return leaves;
}

/** The leaves of a TOML text; null for a text that isn't TOML. */
export function leavesIn(text: string): ReadonlyMap<string, string> | null {
  try {
    return tomlLeaves(parseToml(text));
  } catch (error) {
    if (error instanceof TomlError) return null;
    throw error;
  }
}

export function haveSameLeaves(
  one: ReadonlyMap<string, string> | null,
  other: ReadonlyMap<string, string>,
) {
  return one?.size === other.size && [...one].every(([path, leaf]) => other.get(path) === leaf);
}

/** The text with one change. It is scanned anew for each change, since places move. */
function withKey(text: string, change: KeyChange): string {
  const { value } = change;
  const { section, name } = change.key;
  const pairs = tomlStatements(text).filter((one) => one.kind === "pair");
  const own = pairs.find(({ path }) => isPath(path, [section, name]));
  if (own !== undefined)
    return value === null
      ? withoutPair(text, own, change)
      : replaced(text, own, writtenToml(value));
  const inline = pairs.find(({ path }) => isPath(path, [section]));
  if (inline !== undefined) return withInline(text, inline, change);
  return value === null ? text : withNew(text, change, writtenToml(value));
}

function isPath(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}

/** The text with another value for the key; comments within the old value move above it. */
function replaced(text: string, pair: TomlPair, value: string): string {
  const line = text.slice(pair.start, pair.value.start) + value;
  return text.slice(0, pair.start) + commentsAbove(text, pair) + line + text.slice(pair.value.end);
}

function commentsAbove(text: string, { start, key, comments }: TomlPair): string {
  const indent = text.slice(start, key.start);
  return comments.map((comment) => indent + comment + lineEndOf(text)).join("");
}

/**
 * The text without the key, with its default as a comment in its place, as in the installed file.
 */
function withoutPair(text: string, pair: TomlPair, change: KeyChange): string {
  const { start, end, key, value } = pair;
  const indent = text.slice(start, key.start);
  const rest = text.slice(value.end, end);
  const fallback = writtenToml(change.key.fallback);
  const shown = `${indent}#${text.slice(key.start, value.start)}${fallback}${rest}`;
  const alone = rest.trim() === "" ? "" : indent + rest.trimStart();
  const left = commentedOut(text, pair.table, change) === undefined ? shown : alone;
  return text.slice(0, start) + commentsAbove(text, pair) + left + text.slice(end);
}

/** The line that shows the default of the key as a comment in `table`. */
function commentedOut(
  text: string,
  table: readonly string[],
  { key: { section, name, fallback } }: KeyChange,
): TextSpan | undefined {
  const rest = [section, name].slice(table.length);
  const shown = tomlLeaves(
    rest.reduceRight<unknown>((inner, part) => ({ [part]: inner }), fallback),
  );
  return tomlStatements(text).find(
    (one) =>
      one.kind === "comment" &&
      isPath(one.table, table) &&
      haveSameLeaves(leavesIn(uncommented(text.slice(one.start, one.end))), shown),
  );
}

const uncommented = (line: string) => line.replace(/^([ \t]*)#[ \t]?/, "$1");

/** The text with a key that isn't in the file yet, in its section or in a new one at the end. */
function withNew(text: string, change: KeyChange, value: string): string {
  const { section, name } = change.key;
  const statements = tomlStatements(text);
  const head = statements.findLast((one) => one.kind === "head" && isPath(one.table, [section]));
  const pairs = statements.filter((one) => one.kind === "pair");
  const last = pairs.findLast((one) =>
    head === undefined
      ? one.table.length === 0 && one.path[0] === section
      : isPath(one.table, [section]),
  );
  const place = last ?? head;
  if (place === undefined) return withSection(text, `[${section}]`, `${name} = ${value}`);
  const shown = commentedOut(text, head === undefined ? [] : [section], change);
  if (shown === undefined)
    return withLineBehind(text, place, `${head ? "" : `${section}.`}${name} = ${value}`);
  const line = uncommented(text.slice(shown.start, shown.end));
  const [own] = tomlStatements(line).filter((one) => one.kind === "pair");
  return text.slice(0, shown.start) + replaced(line, own, value) + text.slice(shown.end);
}

/** The text with another section at the end. */
function withSection(text: string, head: string, line: string): string {
  const end = lineEndOf(text);
  const isEnded = /(^\uFEFF?|\n)$/.test(text);
  const before = text + (isEnded ? "" : end) + (text.trim() === "" ? "" : end);
  return before + [head, line, ""].join(end);
}

/** The text with another line, indented as the statement before it. */
function withLineBehind(text: string, { start, end }: TextSpan, line: string): string {
  const [indent = ""] = /^[ \t]*/.exec(text.slice(start)) ?? [];
  const before = text.slice(0, end);
  // If the last line of a file has no line end, the new one gets none either.
  return before.endsWith("\n")
    ? `${before}${indent}${line}${lineEndOf(text)}${text.slice(end)}`
    : `${before}${lineEndOf(text)}${indent}${line}`;
}

/** The line end of the text's first line. */
export function lineEndOf(text: string): string {
  return /^[^\n]*\r\n/.test(text) ? "\r\n" : "\n";
}

/** The text with the change made within the braces of `section = { ... }`. */
function withInline(text: string, pair: TomlPair, change: KeyChange): string {
  const pairs = inlinePairs(text, pair.value);
  if (pairs === null) throw oddForm([change]);
  const { value } = change;
  const { name } = change.key;
  const written = value === null ? null : `${name} = ${writtenToml(value)}`;
  const place = pairs.findIndex((one) => isPath(one.name, [name]));
  const kept = pairs.map((one) => one.text);
  if (place !== -1) kept.splice(place, 1, ...(written === null ? [] : [written]));
  else if (written !== null) kept.push(written);
  return replaced(text, pair, kept.length === 0 ? "{}" : `{ ${kept.join(", ")} }`);
}
