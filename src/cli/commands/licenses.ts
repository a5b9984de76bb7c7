// `ballastd licenses`: whose work is inside. Most licences ask that their text goes along with
// every copy, and of one executable nothing else goes along. With --sbom it is what a scanner for
// known faults reads.

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
