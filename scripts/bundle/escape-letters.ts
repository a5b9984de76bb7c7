// Escapes what isn't ASCII in a file of JavaScript, as esbuild does in strings, but not in regular
// expressions. One such letter makes V8 keep two bytes of each letter of the file, in every thread.

import { readFileSync, writeFileSync } from "node:fs";

export function escapeLetters(file: string): void {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace(/[\u0080-\uffff]/g, escaped));
}
