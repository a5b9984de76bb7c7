// A value as it is typed behind a key: as in an environment variable, or as TOML in quotes or
// brackets. It becomes the value that the file then has; the key's type judges it later.

import { parse as parseToml, TomlError } from "smol-toml";
import type { ConfigKey } from "./config.ts";
import type { WrittenValue } from "./edit.ts";

/** The value to be written for what was typed; one of another type stays text, to be refused. */
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
    // An IPv6 address in brackets, for example.
    if (error instanceof TomlError) return undefined;
    throw error;
  }
}
