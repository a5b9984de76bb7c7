// Completion for bash, made of what each command's help says: its words, the options of each form
// of it, and where a file's name belongs.

import { type Command, formsOf, optionsOf, subcommands } from "./facts.ts";

/** The script that bash loads. */
export function completion(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  return `# Completion of ballastd(1) for bash.

_ballastd() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} second=""
  local words="" options="" paths="" file=""
  ((COMP_CWORD > 2)) && second=\${COMP_WORDS[2]}
  case \${COMP_CWORD}:\${COMP_WORDS[1]}:$second in
    1:*) words="${names} help" options="--help --version" ;;
    2:help:*) words="${names}" ;;
${commands.flatMap(casesOf).join("\n")}
  esac
  ((COMP_CWORD > 2)) && words=""
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

/** A case for each word that may follow the command, and one for the command itself. */
function casesOf(command: Command): readonly string[] {
  const words = subcommands(command);
  return [...words, null].map((word) => {
    const forms = formsOf(command, word);
    const options = [...optionsOf(command, forms), "--help"].join(" ");
    const paths = [...command.help.matchAll(/^ {2}(--[a-z-]+) FILE\b/gm)].map(([, name]) => name);
    const file = forms.some((form) => /(?<!--[a-z-]+ )\b(FILE|OUT\.zip|FOLDER)\b/.test(form));
    const after = word === null ? words : [];
    return (
      `    *:${command.name}:${word ?? "*"}) words="${after.join(" ")}" options="${options}" ` +
      `paths="${paths.join(" ")}" file=${file ? "yes" : '""'} ;;`
    );
  });
}
