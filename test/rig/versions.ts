// Versions to be updated between: the program as it is built, under another version's number, with
// a migration more or with a fault, each as the one executable file that an update holds.

import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { newestSchema } from "../../src/sqlite/file/migrate.ts";

export interface VersionSpec {
  readonly version: string;
  /** A migration that the program before doesn't know. */
  readonly migrates?: boolean;
  /** A question that it can't answer any more: what a trial finds. */
  readonly isBroken?: boolean;
}

/** Makes a version of `program` (dist/main.cjs) in `folder`; returns its executable. */
export function makeVersion(program: string, folder: string, spec: VersionSpec): string {
  const home = path.join(folder, `ballastd-${spec.version}`);
  cpSync(path.dirname(program), home, { recursive: true });
  rewrite(path.join(home, "build.json"), (text) =>
    JSON.stringify({ ...JSON.parse(text), version: spec.version }),
  );
  if (spec.migrates) {
    const name = `${String(newestSchema() + 1).padStart(3, "0")}-more.sql`;
    const migration = path.join(home, "sql", "migrations", name);
    writeFileSync(migration, "alter table plant add column more text;\n");
  }
  if (spec.isBroken)
    rewrite(path.join(home, "sql", "prediction.sql"), (text) =>
      text.replaceAll(/\bfrom prediction\b/g, "from no_such_table"),
    );
  const executable = path.join(folder, `ballastd-${spec.version}.sh`);
  const main = path.join(home, "main.cjs");
  writeFileSync(executable, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
  chmodSync(executable, 0o755);
  return executable;
}

/** Lays `executable` out under `prefix` as the installed and current version. */
export function installFirst(prefix: string, version: string, executable: string): void {
  const home = path.join(prefix, "versions", version);
  mkdirSync(home, { recursive: true });
  cpSync(executable, path.join(home, "ballastd"));
}

function rewrite(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, "utf8")));
}
