// The command or option that was probably meant by a mistyped one. A word is taken for a slip of
// the finger if it is short and few of its letters differ.

import { codeOf, EXIT, Failure, messageOf } from "../ground/errors.ts";
import { differencesBetween } from "../payload/similar-field.ts";

/** Maximum length of a slip of the finger. */
const NAME_MAX = 20;
/** Letters that may differ: two that changed places are two. */
const DIFFERENCES_MAX = 2;

/** ` (did you mean serve?)`, for the nearest of `names`; "" if none is near. */
export function adviceFor(given: string, names: Iterable<string>): string {
  if (given.length > NAME_MAX) return "";
  const [near] = [...names]
    .map((name) => ({ name, differences: differencesBetween(given, name) }))
    .filter(({ differences }) => differences <= Math.min(DIFFERENCES_MAX, given.length / 2))
    .toSorted((one, other) => one.differences - other.differences);
  return near === undefined ? "" : ` (did you mean ${near.name}?)`;
}

/** `thrown`, or, if it is about an unknown option, a Failure with the nearest one of `help`. */
export function withAdvice(thrown: unknown, { name, help }: { name: string; help: string }) {
  if (codeOf(thrown) !== "ERR_PARSE_ARGS_UNKNOWN_OPTION") return thrown;
  // Node goes on with its advice on names that begin with a dash.
  const [problem] = messageOf(thrown).split(". ", 1);
  const given = /'(--[^' ]+)/.exec(problem)?.[1] ?? "";
  const options = new Set(help.match(/(?<![\w-])--[a-z][a-z0-9-]*/g));
  const advice = adviceFor(given, options);
  return new Failure(EXIT.usage, `${problem}${advice}; see ballastd ${name} --help`);
}
