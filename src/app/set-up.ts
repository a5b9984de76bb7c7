// A new installation that nobody has set up: a file in the data folder says so, which is made with
// the token of the first start and removed once a token was added. An older installation never has
// it, whoever sits at its computer.

import { existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const fileIn = (dir: string) => path.join(dir, "set-up-open");

export function openSetUp(dir: string): void {
  writeFileSync(fileIn(dir), "", { mode: 0o600 });
}

export const isSetUpOpen = (dir: string): boolean => existsSync(fileIn(dir));

export function closeSetUp(dir: string): void {
  rmSync(fileIn(dir), { force: true });
}
