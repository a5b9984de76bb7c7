// The script that completes ballastd's command line in bash: a case for each command and word, from
// the table in words.ts.

import { type HelpedCommand, namesOf, OWN_OPTIONS, wordsAfter } from "./words.ts";

export function bashCompletion(commands: readonly HelpedCommand[]): string {
  const names = namesOf(commands);
  const cases = wordsAfter(commands).map(
    ({ pattern, words, keys, options, paths, takesFile }) =>
      `    ${pattern}) words="${words.join(" ")}" keys="${keys.join(" ")}" ` +
      `options="${options.join(" ")}" paths="${paths.join(" ")}" ` +
      `file=${takesFile ? "yes" : '""'} ;;`,
  );
  return `# Completion of ballastd(1) for bash.

_ballastd() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} second=""
  local words="" keys="" options="" paths="" file=""
  ((COMP_CWORD > 2)) && second=\${COMP_WORDS[2]}
  case \${COMP_CWORD}:\${COMP_WORDS[1]}:$second in
    1:*) words="${names} help" options="${OWN_OPTIONS.join(" ")}" ;;
    2:help:*) words="${names}" ;;
${cases.join("\n")}
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
