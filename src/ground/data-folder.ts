// The names of the data folder's files that more than the database's own room must know.

import path from "node:path";

/** Path of the database in the data folder. */
export function databaseFile(dir: string): string {
  return path.join(dir, "ballastd.db");
}
