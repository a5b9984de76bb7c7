// Finds the places of the statements in a TOML text, which the parser doesn't give: heads of
// tables, keys with their values, comments. The text must have been parsed before: invalid TOML
// isn't detected here.

import { parse as parseToml } from "smol-toml";
import { isTable } from "./values.ts";

/** A stretch of the text, by its offsets. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** The head of a table, or a comment on a line of its own. */
interface TomlLine extends TextSpan {
  readonly kind: "head" | "comment";
  /** The table that the head begins, or that contains the comment. */
  readonly table: readonly string[];
}

/** A key with its value; `start` and `end` are those of its whole lines, line end included. */
export interface TomlPair extends TextSpan {
  readonly kind: "pair";
  readonly table: readonly string[];
  /** Path from the top of the document: the table's and the key's. */
  readonly path: readonly string[];
  readonly key: TextSpan;
  readonly value: TextSpan;
  /** Comments within the value. */
  readonly comments: readonly string[];
}

export type TomlStatement = TomlLine | TomlPair;

const PART = String.raw`(?:[A-Za-z0-9_-]+|"(?:\\.|[^"\\\n])*"|'[^'\n]*')`;
const NAME = String.raw`${PART}(?:[ \t]*\.[ \t]*${PART})*`;
const BLANKS = /[ \t]*/y;
const HEAD = new RegExp(String.raw`\[\[?[ \t]*(${NAME})[ \t]*\]`, "y");
const KEY = new RegExp(NAME, "y");
const EQUALS = /[ \t]*=[ \t]*/y;
const REST = /[^\n]*\n?/y;

/** The statements in their order, without empty lines. */
export function tomlStatements(text: string): readonly TomlStatement[] {
  const found: TomlStatement[] = [];
  let table: readonly string[] = [];
  let start = text.startsWith("\uFEFF") ? 1 : 0;
  while (start < text.length) {
    const at = endOfMatch(BLANKS, text, start);
    const head = matchAt(HEAD, text, at);
    const pair = head === null && text[at] !== "#" ? pairAt(text, at) : null;
    const end = endOfMatch(REST, text, pair?.value.end ?? at);
    if (head !== null) {
      table = partsOf(head[1]);
      found.push({ kind: "head", table, start, end });
    } else if (text[at] === "#") found.push({ kind: "comment", table, start, end });
    else if (pair !== null)
      found.push({ ...pair, kind: "pair", table, path: [...table, ...pair.name], start, end });
    start = end;
  }
  return found;
}

/** The keys in the braces of an inline table; null for another value, or one with comments. */
export function inlinePairs(text: string, value: TextSpan) {
  if (text[value.start] !== "{") return null;
  const pairs: { readonly name: readonly string[]; readonly text: string }[] = [];
  for (let at = value.start + 1; ; ) {
    at = endOfMatch(/[\s,]*/y, text, at);
    if (text[at] === "}") return pairs;
    const pair = pairAt(text, at);
    if (pair === null || pair.comments.length > 0) return null;
    pairs.push({ name: pair.name, text: text.slice(at, pair.value.end) });
    at = pair.value.end;
  }
}

/** The key and value that begin at `at`; null if there are none. */
function pairAt(text: string, at: number) {
  const end = endOfMatch(KEY, text, at);
  const start = endOfMatch(EQUALS, text, end);
  if (end === at || start === end) return null;
  const key = { start: at, end };
  return { key, name: partsOf(text.slice(at, end)), ...valueAt(text, start) };
}

// Matches strings of four kinds, a comment, a bracket, the end of a value, or any other character.
const TOKEN = new RegExp(
  [
    String.raw`"""(?:\\[\s\S]|[^\\])*?""""{0,2}|'''[\s\S]*?''''{0,2}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'`,
    String.raw`(?<comment>#[^\r\n]*)|(?<open>[[{])|(?<close>[\]}])|(?<stop>[,\n])`,
    "[\\s\\S]",
  ].join("|"),
  "y",
);

/** The value that begins at `start`, without trailing blanks, and the comments within it. */
function valueAt(text: string, start: number) {
  const comments: string[] = [];
  let [depth, at] = [0, start];
  while (at < text.length) {
    const { 0: token, groups = {} } = matchAt(TOKEN, text, at) ?? { 0: text[at] };
    const { comment, open, close, stop } = groups;
    if (depth === 0 && (comment ?? close ?? stop) !== undefined) break;
    if (comment !== undefined) comments.push(comment);
    depth += (open === undefined ? 0 : 1) - (close === undefined ? 0 : 1);
    at += token.length;
  }
  return { value: { start, end: start + text.slice(start, at).trimEnd().length }, comments };
}

/** The parts of a key as it is written: `a."b c"` has two. */
function partsOf(written: string): readonly string[] {
  const parts: string[] = [];
  let inner: unknown = parseToml(`${written} = 0`);
  while (isTable(inner)) {
    const [[part, next]] = Object.entries(inner);
    parts.push(part);
    inner = next;
  }
  return parts;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function endOfMatch(pattern: RegExp, text: string, at: number): number {
  return at + (matchAt(pattern, text, at)?.[0].length ?? 0);
}
