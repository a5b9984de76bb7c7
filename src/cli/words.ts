// The words of ballastd's command line, taken from each command's help: the words after it, the
// options of each form, and the places of a file's name or a configuration key. The scripts for
// bash, zsh and fish are made from this one table.

import { CONFIG_KEYS } from "../config/config.ts";

/** A command and its help. */
export interface HelpedCommand {
  readonly name: string;
  /** The output of its `--help`. */
  readonly help: string;
}

/** Loads the help of every command, for the command that covers them all. */
export type LoadHelp = () => Promise<readonly HelpedCommand[]>;

/** The words that may follow a command, or a word after it. */
export interface WordsAfter {
  /** Pattern of a script's case: number of words before, the command, the word after it. */
  readonly pattern: string;
  /** Words directly after the command. */
  readonly words: readonly string[];
  /** Words for the further places: keys of the configuration. */
  readonly keys: readonly string[];
  readonly options: readonly string[];
  /** The options whose value is a file. */
  readonly paths: readonly string[];
  /** True if a file may stand without an option. */
  readonly takesFile: boolean;
}

/** The shells that have a script. */
export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** The names of all commands, separated by spaces; `help` takes one of them. */
export const namesOf = (commands: readonly HelpedCommand[]): string =>
  commands.map(({ name }) => name).join(" ");

/** The options of the program itself. */
export const OWN_OPTIONS: readonly string[] = ["--help", "--version"];

/** For each command the entries for the words that may follow it, and one for all other cases. */
export function wordsAfter(commands: readonly HelpedCommand[]): readonly WordsAfter[] {
  return commands.flatMap((command) => {
    const words = subcommands(command);
    const valued = command.help.matchAll(/^ {2}(--[a-z-]+) FILE\b/gm);
    const paths = [...valued].map(([, name = ""]) => name);
    return [...words, null].map((word) => {
      const forms = formsOf(command, word);
      return {
        pattern: `*:${command.name}:${word ?? "*"}`,
        words: word === null ? words : [],
        keys: forms.some(isBeside("KEY")) ? KEYS : [],
        options: [...optionsOf(command, forms), "--help"],
        paths,
        takesFile: forms.some(isBeside("FILE|OUT\\.zip|FOLDER|VALUE")),
      };
    });
  });
}

// Rules of a map have to be changed in the file, so no command takes their key.
const KEYS = CONFIG_KEYS.map(({ key }) => key).filter((key) => key !== "map.rule");

/** Tests if a form has one of `words` on its own, not as the value of an option. */
function isBeside(words: string): (form: string) => boolean {
  const pattern = new RegExp(String.raw`(?<!--[a-z-]+ )\b(${words})\b`);
  return (form) => pattern.test(form);
}

/** The words that may directly follow the command: `add` of `ballastd token add`. */
function subcommands({ name, help }: HelpedCommand): readonly string[] {
  const words = help.matchAll(new RegExp(`^(?:usage:| {6}) ballastd ${name} ([a-z]+)`, "gm"));
  return [...new Set([...words].map(([, word = ""]) => word))];
}

/**
 * The forms in the command's usage, a line each: those that begin with `word`, or, for null, those
 * with no such word.
 */
function formsOf({ name, help }: HelpedCommand, word: string | null): readonly string[] {
  const usage = help.split("\n\n", 1)[0].replace(/\n {8,}/g, " ");
  const forms = usage.split("\n").map((line) => line.replace(/^usage:/, "").trim());
  const wordOf = (form: string) => new RegExp(`^ballastd ${name} ([a-z]+)`).exec(form)?.[1] ?? null;
  return forms.filter((form) => wordOf(form) === word);
}

/** The options of these forms; for a form with `[options]` all options in the help's list. */
function optionsOf({ help }: HelpedCommand, forms: readonly string[]): readonly string[] {
  const listed = [...help.matchAll(/^ {2}(--[a-z][a-z-]*)/gm)].map(([, option = ""]) => option);
  const named = forms.flatMap((form) => form.match(/--[a-z][a-z-]*/g) ?? []);
  const isAll = forms.some((form) => form.includes("[options]"));
  return [...new Set([...named, ...(isAll ? listed : [])])];
}
