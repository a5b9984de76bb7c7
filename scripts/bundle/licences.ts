// The licences of what is inside of the program: most ask that their text goes along with every
// copy. Node's own text holds those of everything that Node is made of.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Package } from "./packages.ts";

/** Nothing of it is installed: values of colours were taken over, some of them changed. */
const OPENBRIDGE = [
  "@oicl/openbridge-webcomponents 1.0.1 (Apache-2.0), https://www.openbridge.no",
  "The dashboard's colours are values of its palettes, some changed for contrast; none of its code",
  "is inside. The text of the licence is that of @prometheus-io/client, above.",
].join("\n");

/** One text: each package's name, version and licence, then the licence files it brings. */
export function licences(root: string, packages: readonly Package[]): string {
  return packages
    .map(({ folder, name, version, license }) =>
      [`${name} ${version} (${license})`, ...licenceTexts(path.join(root, folder))].join("\n\n"),
    )
    .concat("SQLite, inside of better-sqlite3, is in the public domain", OPENBRIDGE)
    .map((text) => `${text}\n`)
    .join(`\n${"-".repeat(80)}\n\n`);
}

function licenceTexts(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
    .sort()
    .map((name) => readFileSync(path.join(folder, name), "utf8").trim());
}
