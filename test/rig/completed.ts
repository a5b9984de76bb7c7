// Completions that bash offers, through the
// completion script.

import { spawnSync } from "node:child_process";

/**
 * The words that `script` offers after `ballastd` and `words`, of which the last is being typed.
 */
export function completed(script: string, ...words: readonly string[]): readonly string[] {
  const program =
    'source "$1"; shift; COMP_WORDS=(ballastd "$@"); COMP_CWORD=$#; _ballastd; ' +
    `printf "%s\\n" "\${COMPREPLY[@]}"`;
  const args = ["-c", program, "bash", script, ...words];
  const { stdout, stderr } = spawnSync("bash", args, { encoding: "utf8" });
  if (stderr !== "") throw new Error(stderr);
  return stdout.split("\n").filter((word) => word !== "");
}
