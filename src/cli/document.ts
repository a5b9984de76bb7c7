// The one JSON document that a command prints with --json, whatever happens: its result, a list an
// element a line, or what it failed at. Warnings and progress go to stderr. What is printed may
// come from a stranger: control characters are escaped, so that nothing in it moves a terminal's
// cursor.

import { exactJson } from "../ground/exact-json.ts";

/** True once this process has printed its document. */
let isPrinted = false;

export function printDocument(value: unknown): void {
  isPrinted = true;
  process.stdout.write(`${text(value)}\n`);
}

/** Prints a result: with --json as the document, else as text, which ends with its line. */
export function printResult(isJson: boolean, result: object, text: string): void {
  if (isJson) printDocument(result);
  else process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

/** Prints a document unless there is one: a failure after a result leaves the result alone. */
export function printLastDocument(value: unknown): void {
  if (!isPrinted) printDocument(value);
}

export function printListDocument(values: readonly unknown[]): void {
  isPrinted = true;
  process.stdout.write(`[${values.map(text).join(",\n")}]\n`);
}

/** Prints as a list what `produce` adds, each at once; if it fails, the list still ends. */
export async function listDocument<Result>(
  produce: (add: (value: unknown) => void) => Promise<Result>,
): Promise<Result> {
  let isBegun = false;
  const begin = (): string => {
    if (isBegun) return ",\n";
    isBegun = true;
    isPrinted = true;
    return "[";
  };
  let isDone = false;
  try {
    const result = await produce((value) => process.stdout.write(`${begin()}${text(value)}`));
    isDone = true;
    return result;
  } finally {
    // One that failed before its first element leaves the document to what it failed at.
    if (isDone && !isBegun) process.stdout.write(begin());
    if (isBegun) process.stdout.write("]\n");
  }
}

function text(value: unknown): string {
  return escapedJson(exactJson(value));
}

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
