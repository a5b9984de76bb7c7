// Completion for bash: the commands, and after each its own words and options as its help names
// them. What takes a file falls back to bash's own completion of names.

import { type Command, optionsOf, subcommands } from "./facts.ts";

/** The script that bash loads. */
export function completion(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  const cases = commands.map((command) => {
    const words = [...subcommands(command), ...optionsOf(command), "--help"];
    return `    ${command.name}) words="${[...new Set(words)].join(" ")}" ;;`;
  });
  return `# Completion of ballastd(1) for bash.

_ballastd() {
  local words="${names} --help --version" current=\${COMP_WORDS[COMP_CWORD]}
  if ((COMP_CWORD > 1)); then
    case \${COMP_WORDS[1]} in
${cases.join("\n")}
    *) words="" ;;
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _ballastd ballastd
`;
}
