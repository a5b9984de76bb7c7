// Keeps simulated data apart from a ship's. The folder of `ballastd demo` has a mark; `serve`
// refuses a folder with it, and `demo` refuses a folder with data but without it.

import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { EXIT, Failure } from "../ground/errors.ts";
import { databaseFile } from "../sqlite/file/open.ts";

const MARK = "SIMULATED";

/** True if the data folder is one of `ballastd demo`. */
export function isSimulatedFolder(dir: string): boolean {
  return existsSync(path.join(dir, MARK));
}

/** Throws if the folder is of the other kind; marks a new one for simulated data. */
export function refuseForeignFolder(dir: string, wanted: { readonly isSimulated: boolean }): void {
  const mark = path.join(dir, MARK);
  const isMarked = existsSync(mark);
  if (isMarked && !wanted.isSimulated)
    throw new Failure(
      EXIT.config,
      `data folder ${dir}: holds simulated data of ballastd demo; set storage.dir to another`,
    );
  if (isMarked || !wanted.isSimulated) return;
  if (existsSync(databaseFile(dir)))
    throw new Failure(
      EXIT.config,
      `data folder ${dir}: holds real data, the demo would mix simulated data into it`,
    );
  writeFileSync(mark, "The data in this folder is simulated by ballastd demo.\n");
}
