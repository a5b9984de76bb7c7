// A ZIP archive of a few small files, as every desktop opens it. fflate makes it, in 12 kB of the
// bundle and 0.3 s a megabyte; only times need care.

import { zipSync } from "fflate";

/** ZIP has no earlier and no later times: a box whose clock is wrong makes its archive too. */
const FIRST_MS = Date.UTC(1980, 0, 2);
const LAST_MS = Date.UTC(2099, 11, 30);

/** The archive of `files`, by name; their time is `at_ms`, or the nearest that ZIP has. */
export function zipOf(files: ReadonlyMap<string, string>, at_ms: number): Uint8Array {
  const entries = [...files].map(([name, text]) => [name, Buffer.from(text)] as const);
  const mtime = Math.min(Math.max(at_ms, FIRST_MS), LAST_MS);
  return zipSync(Object.fromEntries(entries), { mtime });
}
