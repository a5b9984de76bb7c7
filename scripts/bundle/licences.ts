// The licences of what is inside of the program: most ask that their text goes along with every
// copy. Node's own text holds those of everything that Node is made of.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Package } from "./packages.ts";

/** One text: each package's name, version and licence, then the licence files it brings. */
export function licences(root: string, packages: readonly Package[]): string {
  return packages
    .map(({ folder, name, version, license }) =>
      [`${name} ${version} (${license})`, ...licenceTexts(path.join(root, folder))].join("\n\n"),
    )
    .concat("SQLite, inside of better-sqlite3, is in the public domain")
    .map((text) => `${text}\n`)
    .join(`\n${"-".repeat(80)}\n\n`);
}

function licenceTexts(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
    .sort()
    .map((name) => readFileSync(path.join(folder, name), "utf8").trim());
}
