// The script that completes ballastd's command line in fish: a case for each command and word, from
// the table in words.ts.

import { type HelpedCommand, namesOf, OWN_OPTIONS, wordsAfter } from "./words.ts";

export function fishCompletion(commands: readonly HelpedCommand[]): string {
  const names = namesOf(commands);
  const cases = wordsAfter(commands).flatMap(
    ({ pattern, words, keys, options, paths, takesFile }) => [
      `        case '${pattern}'`,
      `            set offered ${words.join(" ")}`.trimEnd(),
      `            set keys ${keys.join(" ")}`.trimEnd(),
      `            set options ${options.join(" ")}`,
      `            set paths ${paths.join(" ")}`.trimEnd(),
      ...(takesFile ? ["            set file yes"] : []),
    ],
  );
  return `# Completion of ballastd(1) for fish.

function __ballastd_words
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    set -l position (count $typed)
    set -l second ""
    set -l offered
    set -l keys
    set -l options
    set -l paths
    set -l file
    test $position -gt 2; and set second $typed[3]
    switch "$position:$typed[2]:$second"
        case '1:*'
            set offered ${names} help
            set options ${OWN_OPTIONS.join(" ")}
        case '2:help:*'
            set offered ${names}
${cases.join("\n")}
    end
    test $position -gt 2; and set offered $keys
    if contains -- $typed[-1] $paths
        set offered
        set file yes
    else if string match -q -- '-*' "$current"; or test -z "$offered$file"
        set offered $options
        set file
    end
    set -q offered[1]; and printf '%s\\n' $offered
    set -q file[1]; and __fish_complete_path "$current"
end

complete -c ballastd -f -a '(__ballastd_words)'
`;
}
