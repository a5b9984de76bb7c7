// Facts for the files of a package, from the bundle of the executables: version, time, and the help
// texts of its commands.

import { readFileSync } from "node:fs";
import path from "node:path";
import { run } from "../run.ts";

export interface Command {
  readonly name: string;
  /** The output of its `--help`. */
  readonly help: string;
}

export interface Facts {
  readonly version: string;
  readonly built_ms: number;
  /** As package.json names it. */
  readonly homepage: string;
  /** The output of `ballastd --help`. */
  readonly help: string;
  readonly commands: readonly Command[];
}

/** Reads dist/, which must be current. */
export function readFacts(root: string): Facts {
  const build = JSON.parse(readFileSync(path.join(root, "dist", "build.json"), "utf8"));
  const { homepage } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const ask = (...args: readonly string[]) =>
    run(process.execPath, [path.join(root, "dist", "main.cjs"), ...args], { cwd: root });
  const help = ask("--help");
  const names = [...help.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = ""]) => name);
  return {
    version: build.version,
    built_ms: build.built_ms,
    homepage,
    help,
    commands: names.map((name) => ({ name, help: ask(name, "--help") })),
  };
}

/** The words that may follow the command itself: `add` of `ballastd token add`. */
export function subcommands({ name, help }: Command): readonly string[] {
  const words = help.matchAll(new RegExp(`^(?:usage:| {6}) ballastd ${name} ([a-z]+)`, "gm"));
  return [...new Set([...words].map(([, word = ""]) => word))];
}

/**
 * The forms of its usage, a line each: those of a word that may follow it, or, for null, others.
 */
export function formsOf({ name, help }: Command, word: string | null): readonly string[] {
  const usage = help.split("\n\n", 1)[0].replace(/\n {8,}/g, " ");
  const forms = usage.split("\n").map((line) => line.replace(/^usage:/, "").trim());
  const wordOf = (form: string) => new RegExp(`^ballastd ${name} ([a-z]+)`).exec(form)?.[1] ?? null;
  return forms.filter((form) => wordOf(form) === word);
}

/** The options of these forms; where they say no more than `[options]`, all in the list of them. */
export function optionsOf({ help }: Command, forms: readonly string[]): readonly string[] {
  const listed = [...help.matchAll(/^ {2}(--[a-z][a-z-]*)/gm)].map(([, option = ""]) => option);
  const named = forms.flatMap((form) => form.match(/--[a-z][a-z-]*/g) ?? []);
  const isAll = forms.some((form) => form.includes("[options]"));
  return [...new Set([...named, ...(isAll ? listed : [])])];
}
