// What the files of a package are made of, taken from the bundle that the executables were built
// from: its version and time, and what each of its commands says of itself.

import { readFileSync } from "node:fs";
import path from "node:path";
import { run } from "../run.ts";

export interface Command {
  readonly name: string;
  /** What `--help` prints of it. */
  readonly help: string;
}

export interface Facts {
  readonly version: string;
  readonly built_ms: number;
  /** What `ballastd --help` prints. */
  readonly help: string;
  readonly commands: readonly Command[];
}

/** Reads dist/, which must be current. */
export function readFacts(root: string): Facts {
  const build = JSON.parse(readFileSync(path.join(root, "dist", "build.json"), "utf8"));
  const ask = (...args: readonly string[]) =>
    run(process.execPath, [path.join(root, "dist", "main.cjs"), ...args], { cwd: root });
  const help = ask("--help");
  const names = [...help.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = ""]) => name);
  return {
    version: build.version,
    built_ms: build.built_ms,
    help,
    commands: names.map((name) => ({ name, help: ask(name, "--help") })),
  };
}

/** The words that may follow the command itself: `add` of `ballastd token add`. */
export function subcommands({ name, help }: Command): readonly string[] {
  const words = help.matchAll(new RegExp(`^(?:usage:| {6}) ballastd ${name} ([a-z]+)`, "gm"));
  return [...new Set([...words].map(([, word = ""]) => word))];
}

/** The options that its help names, in their order. */
export function optionsOf({ help }: Command): readonly string[] {
  return [...new Set([...help.matchAll(/--[a-z][a-z-]*/g)].map(([option]) => option))];
}
