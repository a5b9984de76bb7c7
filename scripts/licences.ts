// The licences of the packages that are inside of the bundles: most ask that their text goes along
// with every copy. All run-time packages of the lock file are listed, whether or not a part of them
// was left out of the bundle.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string(),
      license: z.string().default("no licence named"),
      dev: z.boolean().default(false),
    }),
  ),
});

/** One text: each package's name, version and licence, then the licence files it brings. */
export function licences(root: string): string {
  const lock = Lock.parse(JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")));
  return Object.entries(lock.packages)
    .filter(([folder, { dev }]) => folder !== "" && !dev)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([folder, { version, license }]) => {
      const name = folder.replace(/^.*node_modules\//, "");
      return [`${name} ${version} (${license})`, ...licenceTexts(path.join(root, folder))];
    })
    .map((parts) => `${parts.join("\n\n")}\n`)
    .join(`\n${"-".repeat(80)}\n\n`);
}

function licenceTexts(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
    .sort()
    .map((name) => readFileSync(path.join(folder, name), "utf8").trim());
}
