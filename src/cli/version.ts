// `ballastd version`: which build this is and what it stands on, as a report of a fault needs it.
// It opens no data folder, so it answers where `serve` can't start.

import { parseArgs } from "node:util";
import { readBuild } from "../assets.ts";
import { sqliteVersion } from "../sqlite/open.ts";

export const summary = "print the version of this build, of Node and of SQLite";

export const help = `usage: ballastd version [--json]

Prints the version of this build, the commit it was made from, and the versions of Node and SQLite.

  --json   as one JSON object: version, commit, node, sqlite`;

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { json: { type: "boolean" } } });
  const { version, commit } = readBuild();
  const facts = { version, commit, node: process.versions.node, sqlite: sqliteVersion() };
  const line = `ballastd ${version} (commit ${commit}, Node ${facts.node}, SQLite ${facts.sqlite})`;
  process.stdout.write(`${values.json ? JSON.stringify(facts) : line}\n`);
}
