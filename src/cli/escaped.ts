// What came from outside, as it may be shown on a terminal: nothing in it moves the cursor, changes
// a colour, or turns the direction in which is read.

const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * The text with control and direction characters, and the backslash itself, as JSON escapes them.
 */
export function escaped(text: string): string {
  return escapedJson(text.replaceAll("\\", "\\\\"));
}

/** Lines for a terminal: nothing in one of them does more than print. */
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
