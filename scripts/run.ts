// Other programs that the scripts call: quiet when they succeed, everything they said when not.
// Without a shell, so that no name of a file can mean something else.

import { spawnSync } from "node:child_process";

/** The command's output on stdout. Throws, with all its output, unless it ends with 0. */
export function run(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    ...options,
    encoding: "utf8",
  });
  if (error !== undefined) throw new Error(`${command} can't be run (${error.message})`);
  if (status !== 0)
    throw new Error(`${command} ended with ${status}, expected 0:\n${stdout}${stderr}`);
  return stdout;
}
