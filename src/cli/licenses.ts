// `ballastd licenses`: whose work is inside. Most licences ask that their text goes along with
// every copy, and of one executable nothing else goes along.

import { parseArgs } from "node:util";
import { readAsset } from "../assets.ts";

export const summary = "print the licences of everything inside";

export const help = `usage: ballastd licenses

Prints the licence of ballastd and those of everything that is inside of it: Node, SQLite, and the
packages of the build.`;

export async function run(args: readonly string[]): Promise<void> {
  parseArgs({ args: [...args], options: {} });
  process.stdout.write(`${readAsset("LICENSE")}\n${readAsset("THIRD-PARTY.txt")}`);
}
