// Finds the line of a key in the configuration file, for messages. The TOML parser doesn't tell
// lines; they are searched by their form, and an unknown form gets the line of its surroundings, or
// none.

import { shownName, shownVariable } from "./shown.ts";

/** A key as `section.name`, or a key of an item (counted from 0) of a list of tables. */
export interface Spot {
  readonly name: string;
  readonly item?: number;
  readonly key?: string;
}

/** The spot as text, `limits.uv_imo` or `map.rule 3, factor`; invalid names are left out. */
export function spotName({ name, item, key }: Spot): string {
  const shown = name.split(".").map((part) => shownName(part) ?? UNNAMED);
  const whole = shownVariable(name) ?? shown.join(".");
  if (item === undefined) return whole;
  return key === undefined
    ? `${whole} ${item + 1}`
    : `${whole} ${item + 1}, ${shownName(key) ?? UNNAMED}`;
}

/** A user may have written a secret without its key, in the place of a key. */
const UNNAMED = "a name that isn't shown here";

/** `name (file line N)`: the line that sets it, else (for an inline table) that of its section. */
export function place(spot: Spot, text: string, file: string): string {
  const line =
    lineOfItem(spot, text) ?? lineOf(spot.name, text) ?? lineOf(spot.name.split(".")[0], text);
  return line === null ? spotName(spot) : `${spotName(spot)} (${file} line ${line})`;
}

function lineOf(name: string, text: string): number | null {
  let section = "";
  for (const [index, line] of text.split("\n").entries()) {
    const header = /^\s*\[+\s*([^\]]+?)\s*\]/.exec(line)?.[1];
    if (header !== undefined) section = header.replace(/["'\s]/g, "");
    const left = /^\s*([A-Za-z0-9_."'\s-]+?)\s*=/.exec(line)?.[1]?.replace(/["'\s]/g, "");
    const full = left === undefined ? section : section === "" ? left : `${section}.${left}`;
    if (full === name) return index + 1;
  }
  return null;
}

// Strings of every kind, and comments: brackets in them mean nothing.
const OPAQUE = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*/g;

/** The line of an item, or of one of its keys, in `[[name]]` tables or in `name = [{...}, ...]`. */
function lineOfItem({ name, item, key }: Spot, text: string): number | null {
  if (item === undefined) return null;
  const bare = text.replace(OPAQUE, (part) => part.replace(/[^\n"']/g, "_"));
  const heads = [...bare.matchAll(/^[ \t]*\[+[^\]\n]*\]/gm)].map(({ index }) => index);
  const items = itemStarts(name, bare, heads);
  const start = items[item];
  if (start === undefined) return null;
  const end = [...heads, ...items].filter((at) => at > start).sort((a, b) => a - b)[0];
  const found = key === undefined ? -1 : keyIn(bare.slice(start, end), key);
  return lineAt(text, found === -1 ? start : start + found);
}

function itemStarts(name: string, bare: string, heads: readonly number[]): readonly number[] {
  const isHead = (at: number) => /^[ \t]*\[\[([^\]\n]*)\]/.exec(bare.slice(at))?.[1];
  const tables = heads.filter((at) => isHead(at)?.replace(/\s/g, "") === name);
  if (tables.length > 0) return tables;
  const line = lineOf(name, bare);
  if (line === null) return [];
  const from = bare
    .split("\n")
    .slice(0, line - 1)
    .join("\n").length;
  const starts: number[] = [];
  let depth = 0;
  for (const { 0: bracket, index } of bare.slice(from).matchAll(/[{}]/g)) {
    if (bracket === "{" && depth === 0) starts.push(from + index);
    depth += bracket === "{" ? 1 : -1;
  }
  return starts;
}

function keyIn(part: string, key: string): number {
  const keys = [...part.matchAll(/[A-Za-z0-9_-]+(?=\s*=)/g)];
  return keys.find(([name]) => name === key)?.index ?? -1;
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
