// Completion for bash, made of what each command's help says: its words, the options of each form
// of it, and where a file's name or a key of the configuration belongs.

import { CONFIG_KEYS } from "../../src/config/config.ts";
import { type Command, formsOf, optionsOf, subcommands } from "./facts.ts";

/** The script that bash loads. */
export function completion(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  return `# Completion of ballastd(1) for bash.

_ballastd() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} second=""
  local words="" keys="" options="" paths="" file=""
  ((COMP_CWORD > 2)) && second=\${COMP_WORDS[2]}
  case \${COMP_CWORD}:\${COMP_WORDS[1]}:$second in
    1:*) words="${names} help" options="--help --version" ;;
    2:help:*) words="${names}" ;;
${commands.flatMap(casesOf).join("\n")}
  esac
  ((COMP_CWORD > 2)) && words=$keys
  if [[ " $paths " == *" $before "* ]]; then
    words="" file=yes
  elif [[ $current == -* || -z $words$file ]]; then
    words=$options file=""
  fi
  mapfile -t COMPREPLY < <(
    compgen -W "$words" -- "$current"
    [[ -z $file ]] || compgen -f -- "$current"
  )
  [[ -z $file ]] || compopt -o filenames 2> /dev/null
}
complete -o default -F _ballastd ballastd
`;
}

// Rules of a map are changed in the file.
const KEYS = CONFIG_KEYS.map(({ key }) => key).filter((key) => key !== "map.rule");

/** A case for each word that may follow the command, and one for the command itself. */
function casesOf(command: Command): readonly string[] {
  const words = subcommands(command);
  return [...words, null].map((word) => {
    const forms = formsOf(command, word);
    const options = [...optionsOf(command, forms), "--help"].join(" ");
    const paths = [...command.help.matchAll(/^ {2}(--[a-z-]+) FILE\b/gm)].map(([, name]) => name);
    const file = forms.some(isBeside("FILE|OUT\\.zip|FOLDER|VALUE"));
    const keys = forms.some(isBeside("KEY")) ? KEYS : [];
    const after = word === null ? words : [];
    return (
      `    *:${command.name}:${word ?? "*"}) words="${after.join(" ")}" keys="${keys.join(" ")}" ` +
      `options="${options}" paths="${paths.join(" ")}" file=${file ? "yes" : '""'} ;;`
    );
  });
}

/** True for a form in which one of these stands for itself, not for the value of an option. */
function isBeside(words: string): (form: string) => boolean {
  const pattern = new RegExp(String.raw`(?<!--[a-z-]+ )\b(${words})\b`);
  return (form) => pattern.test(form);
}
