// The script that completes ballastd's command line in zsh: a function for compinit, which also
// registers itself where the script is sourced.

import { type HelpedCommand, namesOf, OWN_OPTIONS, wordsAfter } from "./words.ts";

export function zshCompletion(commands: readonly HelpedCommand[]): string {
  const names = namesOf(commands);
  const cases = wordsAfter(commands).map(
    ({ pattern, words, keys, options, paths, takesFile }) =>
      `    ${pattern}) offered=(${words.join(" ")}) keys=(${keys.join(" ")}) ` +
      `options=(${options.join(" ")}) paths=(${paths.join(" ")}) ` +
      `file=${takesFile ? "yes" : '""'} ;;`,
  );
  return `#compdef ballastd
# Completion of ballastd(1) for zsh.

_ballastd() {
  local before=$words[CURRENT-1] second="" file=""
  local -a offered keys options paths
  ((CURRENT > 3)) && second=$words[3]
  case $((CURRENT - 1)):$words[2]:$second in
    1:*) offered=(${names} help) options=(${OWN_OPTIONS.join(" ")}) ;;
    2:help:*) offered=(${names}) ;;
${cases.join("\n")}
  esac
  ((CURRENT > 3)) && offered=($keys)
  if ((\${paths[(Ie)$before]})); then
    _files
    return
  fi
  if [[ $words[CURRENT] == -* || -z $offered$file ]]; then
    offered=($options) file=""
  fi
  compadd -- $offered
  [[ -z $file ]] || _files
}

if [[ $funcstack[1] == _ballastd ]]; then
  _ballastd "$@"
else
  compdef _ballastd ballastd
fi
`;
}
