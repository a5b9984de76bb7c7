// The names of the data folder's files that more rooms than the database's own must know: the
// configuration is judged by whether there is data.

import path from "node:path";

/** Path of the database in the data folder. */
export function databaseFile(dir: string): string {
  return path.join(dir, "ballastd.db");
}
