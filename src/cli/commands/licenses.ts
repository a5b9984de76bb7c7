// `ballastd licenses`: prints the licences of all parts inside. Most licences require their text
// with every copy, and a single executable has no other file for it. --sbom prints the list of
// parts that a scanner for known vulnerabilities reads.

import { parseArgs } from "node:util";
import { readAsset } from "../../ground/assets.ts";

export const summary = "print the licences of all software inside";

export const help = `usage: ballastd licenses [--sbom]

Prints the licences of ballastd and of all software inside it: Node, SQLite, and the packages of the
build.

  --sbom  one CycloneDX document (JSON) instead, for a scanner: everything inside, with versions`;

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { sbom: { type: "boolean", default: false } },
  });
  if (values.sbom) process.stdout.write(readAsset("ballastd.cdx.json"));
  else process.stdout.write(`${readAsset("LICENSE")}\n${readAsset("THIRD-PARTY.txt")}`);
}
