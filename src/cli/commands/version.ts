// `ballastd version`: prints the build and the versions of its parts, for a fault report. It opens
// no data folder, so it works where `serve` can't start.

import { parseArgs } from "node:util";
import { readBuild } from "../../ground/assets.ts";
import { newestSchema } from "../../sqlite/file/migrate.ts";
import { printDocument } from "../document.ts";

export const summary = "print the version of this build, of Node and of SQLite";

export const help = `usage: ballastd version [--json]

Prints the version of this build, its commit, the versions of Node and SQLite, and the SHA-256 over
the built files, which is equal for two builds of one commit.

  --json   as one JSON object: version, commit, node, sqlite, schema (the number of the newest
           migration), build`;

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { json: { type: "boolean" } } });
  const { version, commit, sqlite, build } = readBuild();
  const { node } = process.versions;
  const facts = { version, commit, node, sqlite, schema: newestSchema(), build };
  const made = `commit ${commit}, Node ${node}, SQLite ${sqlite}, build ${build}`;
  const line = `ballastd ${version} (${made})`;
  if (values.json) printDocument(facts);
  else process.stdout.write(`${line}\n`);
}
