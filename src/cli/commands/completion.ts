// `ballastd completion`: prints the script with which a shell completes the command line, made from
// the help of every command.

import { parseArgs } from "node:util";
import { EXIT, Failure } from "../../ground/errors.ts";
import { bashCompletion } from "../bash.ts";
import { fishCompletion } from "../fish.ts";
import { type HelpedCommand, type LoadHelp, SHELLS, type Shell } from "../words.ts";
import { zshCompletion } from "../zsh.ts";

export const summary = "print the script with which bash, zsh or fish completes commands";

export const help = `usage: ballastd completion bash
       ballastd completion zsh
       ballastd completion fish

Prints the script with which a shell completes the commands of ballastd, their words, options, keys
of the configuration and files. The packages install it for all three; of the executable alone:

  bash   source <(ballastd completion bash)     in ~/.bashrc
  zsh    source <(ballastd completion zsh)      in ~/.zshrc, after compinit
  fish   ballastd completion fish | source      in ~/.config/fish/config.fish`;

const SCRIPTS: Readonly<Record<Shell, (commands: readonly HelpedCommand[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

export async function run(args: readonly string[], load: LoadHelp): Promise<void> {
  const { positionals } = parseArgs({ args: [...args], options: {}, allowPositionals: true });
  const [given, ...more] = positionals;
  const shell = SHELLS.find((one) => one === given);
  if (shell === undefined || more.length > 0) {
    const was = positionals.length === 0 ? "is missing" : `${positionals.join(" ")} was given`;
    throw new Failure(EXIT.usage, `completion: the shell ${was}, expected ${SHELLS.join(", ")}`);
  }
  process.stdout.write(SCRIPTS[shell](await load()));
}
