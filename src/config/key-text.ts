// A key of the configuration in words, and its value as a file has it: for the commented file, the
// manual's tables and messages.

import type { KeyAbout } from "./key.ts";

/** The description of a key, with its unit and an example. */
export function aboutKey({ description, unit, example }: KeyAbout): string {
  const such = example === undefined ? null : `such as ${configText(example)}`;
  return [description, unit, such].filter((part) => typeof part === "string").join(", ");
}

/** A value as TOML: texts and lists are written as in JSON. */
export function configText(value: unknown): string {
  return JSON.stringify(value).replaceAll('","', '", "');
}
