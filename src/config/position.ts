// Finds the line of a key in the configuration file, for messages, because the TOML parser doesn't
// give lines. One pass over the text notes the first line of every key. A key in an unknown form
// gets the line of its surroundings, or none.

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

/** Text for a name that isn't shown: a user may have written a secret in the place of a key. */
const UNNAMED = "a name that isn't shown here";

/**
 * Makes a function that prints a spot as `name (file line N)`: the line of the key, or of the table
 * around it.
 */
export function positionsIn(text: string, file: string): (spot: Spot) => string {
  const lines = linesOf(text);
  return (spot) => {
    const { name, item, key } = spot;
    const paths = [`${name}.${item}.${key}`, `${name}.${item}`, name, name.split(".")[0]];
    const line = paths.map((path) => lines.get(path)).find((found) => found !== undefined);
    return line === undefined ? spotName(spot) : `${spotName(spot)} (${file} line ${line})`;
  };
}

// Matches a key before its =, a string or comment (whose brackets mean nothing), a table's head, or
// a bracket.
const KEY = String.raw`(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')`;
const TOKEN = new RegExp(
  [
    String.raw`(?<key>${KEY}(?:[ \t]*\.[ \t]*${KEY})*)(?=[ \t]*=)`,
    String.raw`"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*`,
    String.raw`^[ \t]*(?<head>\[{1,2}[^[\]\n]*\]{1,2})`,
    String.raw`(?<bracket>[[\]{}])`,
  ].join("|"),
  "gm",
);

/** The first line of every path: `map`, `map.rule`, `map.rule.2`, `map.rule.2.factor`. */
function linesOf(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  const items = new Map<string, number>();
  /** The paths of the open brackets, innermost last. */
  const open: { readonly path: string; readonly isList: boolean }[] = [];
  let [table, path, line, counted] = ["", "", 1, 0];
  const note = (next: string) => {
    path = next;
    if (!lines.has(path)) lines.set(path, line);
  };
  const itemOf = (list: string) => {
    const item = items.get(list) ?? 0;
    items.set(list, item + 1);
    return `${list}.${item}`;
  };
  for (const { index, groups = {} } of text.matchAll(TOKEN)) {
    for (; counted < index; counted += 1) if (text[counted] === "\n") line += 1;
    const { key, head, bracket } = groups;
    const within = open.at(-1);
    if (head !== undefined && within === undefined) {
      const name = head.replace(/["'\s[\]]/g, "");
      note(name);
      table = head.startsWith("[[") ? itemOf(name) : name;
      note(table);
    } else if (key !== undefined) {
      const parent = within?.path ?? table;
      note([parent, key.replace(/["'\s]/g, "")].filter((part) => part !== "").join("."));
    } else if (bracket === "{" || bracket === "[") {
      if (within?.isList && bracket === "{") note(itemOf(within.path));
      open.push({ path, isList: bracket === "[" });
    } else if (bracket !== undefined) path = open.pop()?.path ?? "";
  }
  return lines;
}
