// Finds members that an object of a JSON text has twice. JSON doesn't define which of them counts,
// and JSON.parse silently takes the last: data from people or machines mustn't be read by chance.

/** Prefix of a repeated name before its number; no sender uses a lone surrogate. */
const AGAIN = "\ud800again ";
const NAME_AGAIN = new RegExp(`^${AGAIN}\\d+ (.*)$`, "s");

/** The original name of a repeated member of `withNamesApart`; null for any other. */
export function nameAgain(name: string): string | null {
  return NAME_AGAIN.exec(name)?.[1] ?? null;
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}]/g;

/**
 * Renames repeated members in `text`, the JSON of `value`; null if there are none. It recurses once
 * for each level of `value`.
 */
export function withNamesApart(text: string, value: unknown): string | null {
  if (namesIn(text) === membersOf(value)) return null;
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

const AGAIN_IN_TEXT = /"\\ud800again \d+ ([^"\\]*(?:\\.[^"\\]*)*)"/;

/** The first member that an object of `text`, the JSON of `value`, has twice; null if none. */
export function memberTwice(text: string, value: unknown): string | null {
  const renamed = withNamesApart(text, value);
  const again = renamed === null ? null : AGAIN_IN_TEXT.exec(renamed);
  return again === null ? null : JSON.parse(`"${again[1]}"`);
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
