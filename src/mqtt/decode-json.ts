// From payload bytes to JSON values, as PLCs really send them: a byte-order mark, trailing NULs of
// a fixed-length string, Latin-1 where UTF-8 was meant, NaN and infinities as bare tokens.

/** Deeper than any telemetry; a nest of a million brackets must not exhaust the stack later on. */
const DEPTH_MAX = 32;

/** Stands for a bare NaN or infinity until the parser's reviver makes it NaN; nobody sends this. */
const NOT_FINITE = "\ud800 not a finite number";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The payload's JSON value, or what is wrong with it. */
export type ParsedPayload = { readonly value: unknown } | { readonly problem: string };

/** Reads a payload as JSON. Never throws. */
export function parsePayload(payload: Uint8Array): ParsedPayload {
  const text = textOf(payload);
  if (text === "") return { problem: "the payload is empty" };
  const parsed = parseJson(text) ?? parseJson(withoutBareTokens(text), notFiniteToNaN);
  if (parsed === null) return { problem: "not JSON" };
  return depthOf(parsed.value) > DEPTH_MAX
    ? { problem: `nested deeper than ${DEPTH_MAX} levels` }
    : parsed;
}

function textOf(payload: Uint8Array): string {
  return decoded(payload).replace(/[\0\s]+$/, "");
}

function decoded(payload: Uint8Array): string {
  try {
    return utf8.decode(payload);
  } catch {
    const text = Buffer.from(payload.buffer, payload.byteOffset, payload.length).toString("latin1");
    return text.replace(/^ï»¿/, "");
  }
}

type Reviver = (name: string, value: unknown) => unknown;

function parseJson(text: string, reviver?: Reviver): { value: unknown } | null {
  try {
    return { value: JSON.parse(text, reviver) };
  } catch {
    return null;
  }
}

// A whole string (left alone), or a token that some printf writes for a number that isn't finite.
const STRING_OR_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[+-]?(?:\b(?:nan|inf(?:inity)?)\b|1\.#[a-z]+)/gi;

function withoutBareTokens(text: string): string {
  return text.replace(STRING_OR_TOKEN, (match) =>
    match.startsWith('"') ? match : JSON.stringify(NOT_FINITE),
  );
}

function notFiniteToNaN(_name: string, value: unknown): unknown {
  return value === NOT_FINITE ? Number.NaN : value;
}

function depthOf(value: unknown): number {
  let level: unknown[] = [value];
  let depth = 0;
  while (level.length > 0 && depth <= DEPTH_MAX) {
    level = level.flatMap((item) =>
      item !== null && typeof item === "object" ? Object.values(item) : [],
    );
    depth += 1;
  }
  return depth;
}
