// The mark of a new installation that nobody has set up: a file beside the database. It is made
// with the token of the first start, before there is a database, and removed with the first token
// of a maintainer. An installation that has data never gets it.

import { existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Connection } from "./open.ts";

const fileIn = (dir: string) => path.join(dir, "set-up-open");

export function openSetUp(dir: string): void {
  writeFileSync(fileIn(dir), "", { mode: 0o600 });
}

export const isSetUpOpen = (dir: string): boolean => existsSync(fileIn(dir));

export function closeSetUp({ name }: Pick<Connection, "name">): void {
  rmSync(fileIn(path.dirname(name)), { force: true });
}
