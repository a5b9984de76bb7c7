// Finds members that occur twice in one object. JSON leaves open which counts, and parsers silently
// take the last. If the two differ the member is dropped and reported. Counting shows quickly that
// there is none.

import { exactJson } from "../ground/exact-json.ts";
import { saysNothing, shown } from "./value.ts";

/** A payload's value without contradictory members, and their descriptions. */
export interface Unrepeated {
  readonly value: unknown;
  /** `NAME: got X, before it Y`. */
  readonly conflicts: readonly string[];
}

/** Prefix of a repeated name, before its number; no PLC sends this. */
const AGAIN = "\ud800again ";

/** `value` is `parse` of `text`, which is JSON of limited depth. */
export function withoutRepeated(
  text: string,
  value: unknown,
  parse: (text: string) => unknown,
): Unrepeated {
  if (namesIn(text) === membersOf(value)) return { value, conflicts: [] };
  const renamed = withNamesApart(text);
  if (renamed === null) return { value, conflicts: [] };
  const conflicts: string[] = [];
  return { value: joined(parse(renamed), conflicts), conflicts };
}

/** Number of colons after a quote: one for each member, and hardly any within texts. */
function namesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) <= 0x20) before -= 1;
    if (text[before] === '"') count += 1;
  }
  return count;
}

function membersOf(value: unknown): number {
  if (value === null || typeof value !== "object") return 0;
  const isArray = Array.isArray(value);
  let count = isArray ? 0 : Object.keys(value).length;
  for (const inner of isArray ? value : Object.values(value))
    if (inner !== null && typeof inner === "object") count += membersOf(inner);
  return count;
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}]/g;

/** The text with other names for repeated members of an object; null if there are none. */
function withNamesApart(text: string): string | null {
  const open: Set<string>[] = [];
  let repeated = 0;
  const renamed = text.replace(TOKEN, (token: string, colon?: string) => {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    const names = open.at(-1);
    if (colon === undefined || names === undefined) return token;
    const name: string = JSON.parse(token.slice(0, -colon.length));
    if (!names.has(name)) {
      names.add(name);
      return token;
    }
    repeated += 1;
    return `${JSON.stringify(`${AGAIN}${repeated} ${name}`)}${colon}`;
  });
  return repeated === 0 ? null : renamed;
}

const NAME_AGAIN = new RegExp(`^${AGAIN}\\d+ (.*)$`, "s");

/** The value with the original names, once each. */
function joined(value: unknown, conflicts: string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => joined(item, conflicts));
  if (value === null || typeof value !== "object") return value;
  const members = new Map<string, unknown[]>();
  for (const [key, inner] of Object.entries(value)) {
    const name = NAME_AGAIN.exec(key)?.[1] ?? key;
    const given = members.get(name) ?? [];
    given.push(joined(inner, conflicts));
    members.set(name, given);
  }
  const pairs = [...members].map(([name, given]) => [name, agreed(name, given, conflicts)]);
  return Object.fromEntries(pairs);
}

function agreed(name: string, given: readonly unknown[], conflicts: string[]): unknown {
  const [first = null, ...others] = given.filter((one) => !saysNothing(one));
  const other = others.find((one) => exactJson(one) !== exactJson(first));
  if (other === undefined) return given.length === 1 ? given[0] : first;
  conflicts.push(`${name.slice(0, NAME_MAX)}: got ${shown(other)}, before it ${shown(first)}`);
  // Without its time a message would get that of its receipt: this value can't be read as a time.
  return name === "timestamp" ? [first, other] : null;
}

/** Characters shown of a member's name, which comes from the network. */
const NAME_MAX = 120;
