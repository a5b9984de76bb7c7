// Facts for the files of a package, from the bundle of the executables: version, time, and the help
// texts of its commands.

import { readFileSync } from "node:fs";
import path from "node:path";
import type { HelpedCommand } from "../../src/cli/words.ts";
import { run } from "../run.ts";

export interface Facts {
  readonly version: string;
  readonly built_ms: number;
  /** As package.json names it. */
  readonly homepage: string;
  /** The output of `ballastd --help`. */
  readonly help: string;
  readonly commands: readonly HelpedCommand[];
}

/** Reads dist/, which must be current. */
export function readFacts(root: string): Facts {
  const build = JSON.parse(readFileSync(path.join(root, "dist", "build.json"), "utf8"));
  const { homepage } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const ask = (...args: readonly string[]) =>
    run(process.execPath, [path.join(root, "dist", "main.cjs"), ...args], { cwd: root });
  const help = ask("--help");
  const names = [...help.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = ""]) => name);
  return {
    version: build.version,
    built_ms: build.built_ms,
    homepage,
    help,
    commands: names.map((name) => ({ name, help: ask(name, "--help") })),
  };
}
