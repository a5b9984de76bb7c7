// Reads a value typed after a key on a command line: as in an environment variable, or as TOML in
// quotes or brackets. The result is the value for the file; the key's type checks it later.

import { parse as parseToml, TomlError } from "smol-toml";
import type { ConfigKey } from "./config.ts";
import type { WrittenValue } from "./edit.ts";

/**
 * The value to write for the typed text. A text that doesn't fit the key's type stays a text, which
 * is refused later.
 */
export function givenValue({ fallback, type }: ConfigKey, typed: string): WrittenValue {
  const toml = asToml(typed);
  const plain = typeof toml === "string" ? toml : typed;
  if (Array.isArray(fallback)) {
    const items = Array.isArray(toml) ? toml.map(String) : plain.split(",");
    return items.map((item) => item.trim()).filter((item) => item !== "");
  }
  if (typeof fallback === "string" || !type.safeParse(plain).success) return plain;
  return typeof fallback === "number" ? Number(plain) : plain === "true";
}

/** A text or a list in the form of TOML; undefined for any other text. */
function asToml(typed: string): unknown {
  if (!/^(\[[\s\S]*\]|"(\\.|[^"\\\n])*"|'[^'\n]*')$/.test(typed.trim())) return undefined;
  try {
    const { value, ...others } = parseToml(`value = ${typed.trim()}`);
    return Object.keys(others).length === 0 ? value : undefined;
  } catch (error) {
    // For example an IPv6 address in brackets.
    if (error instanceof TomlError) return undefined;
    throw error;
  }
}
