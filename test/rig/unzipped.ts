// Reads the ZIP files that the program makes.

import { strFromU8, unzipSync } from "fflate";

/** The files of an archive, by name. */
export function unzipped(bytes: Uint8Array): ReadonlyMap<string, string> {
  return new Map(Object.entries(unzipSync(bytes)).map(([name, text]) => [name, strFromU8(text)]));
}
