// Completions that bash, zsh and fish offer, through the completion script of each.

import { spawnSync } from "node:child_process";
import type { Shell } from "../../src/cli/words.ts";

/** Each takes the script, and then the words, of which the last is being typed. */
const PROGRAMS: Readonly<Record<Shell, string>> = {
  bash:
    'source "$1"; shift; COMP_WORDS=(ballastd "$@"); COMP_CWORD=$#; _ballastd; ' +
    `printf "%s\\n" "\${COMPREPLY[@]}"`,
  // Without a terminal there is no completion system: what the script hands to it is printed.
  zsh:
    "compdef() { :; }; _files() { print -l -- $words[CURRENT]*(N); }; " +
    'compadd() { shift; print -l -- "$' +
    '{(M)@:#$words[CURRENT]*}"; }; ' +
    'source "$1"; shift; words=(ballastd "$@"); CURRENT=$#words; _ballastd',
  fish: 'source $argv[1]; complete -C "ballastd $argv[2..]"',
};

const OPTIONS: Readonly<Record<Shell, readonly string[]>> = {
  bash: ["--norc"],
  zsh: ["--no-rcs"],
  fish: ["--no-config"],
};

/** The words that `script` offers after `ballastd` and `words`, each once, in their order. */
export function completed(
  shell: Shell,
  script: string,
  ...words: readonly string[]
): readonly string[] {
  const name = shell === "fish" ? [] : [shell];
  const args = [...OPTIONS[shell], "-c", PROGRAMS[shell], ...name, script, ...words];
  const { error, stdout, stderr } = spawnSync(shell, args, { encoding: "utf8" });
  if (error !== undefined || stderr !== "") throw error ?? new Error(stderr);
  // fish describes a word behind a tab.
  const offered = stdout.split("\n").map((line) => line.split("\t", 1)[0] ?? "");
  return [...new Set(offered.filter((word) => word !== ""))].sort();
}
