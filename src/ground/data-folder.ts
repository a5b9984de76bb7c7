// Names of files of the data folder that modules other than the database's need: whether there is
// data is part of the checks of the configuration.

import path from "node:path";

/** Path of the database in the data folder. */
export function databaseFile(dir: string): string {
  return path.join(dir, "ballastd.db");
}
