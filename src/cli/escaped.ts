// Escapes foreign text for a terminal, so that it can't move the cursor, change a colour, or turn
// the reading direction.

const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * The text with control and direction characters, and the backslash itself, as JSON escapes them.
 */
export function escaped(text: string): string {
  return escapedJson(text.replaceAll("\\", "\\\\"));
}

/** Escapes each line of a text for a terminal. */
export function escapedLines(text: string): string {
  return text.split("\n").map(escapedJson).join("\n");
}

/** As `escaped`, for the text of a JSON value: it stays that value. */
export function escapedJson(text: string): string {
  return text.replace(UNSAFE, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
