// Texts of others in a message, in a reason and on a terminal: cut to a bounded length, and without
// characters that move a cursor or turn the direction of writing.

/** Maximum length of a quoted text in characters: enough to recognise it, and a short answer. */
const QUOTED_MAX = 80;

/** Characters that move a cursor, begin a line, or turn text round. */
export const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A text of others, quoted, for a message. */
export function quoted(given: string): string {
  return escapedJson(JSON.stringify(cut(given, QUOTED_MAX)));
}

/** A text of others without quotes, of at most about `max` characters. */
export function bounded(given: string, max = QUOTED_MAX): string {
  return escapedJson(cut(given, max));
}

function cut(given: string, max: number): string {
  return given.length > max ? `${given.slice(0, max)}...`.toWellFormed() : given;
}

/** The text of a JSON value with such characters escaped as in JSON: it keeps its meaning. */
export function escapedJson(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
