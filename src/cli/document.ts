// Prints the one JSON document of a command with --json, whatever happens: its result, a list with
// one element a line, or its failure. Warnings and progress go to stderr. Printed texts may come
// from a stranger: control characters are escaped, so that none can move a terminal's cursor.

import { exactJson } from "../ground/exact-json.ts";
import { escapedJson } from "../ground/quoted.ts";

/** True once this process has printed its document. */
let isPrinted = false;

export function printDocument(value: unknown): void {
  isPrinted = true;
  process.stdout.write(`${text(value)}\n`);
}

/** Prints a result: as the document with --json, else as `text`, which ends with a line end. */
export function printResult(isJson: boolean, result: object, text: string): void {
  if (isJson) printDocument(result);
  else process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

/** Prints a document unless one was printed: a failure after a result adds nothing to it. */
export function printLastDocument(value: unknown): void {
  if (!isPrinted) printDocument(value);
}

export function printListDocument(values: readonly unknown[]): void {
  isPrinted = true;
  process.stdout.write(`[${values.map(text).join(",\n")}]\n`);
}

/**
 * Prints the values that `produce` adds as a list, each at once. If `produce` fails after the first
 * one, the list is still closed.
 */
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
    // If it failed before the first element, the document is the failure.
    if (isDone && !isBegun) process.stdout.write(begin());
    if (isBegun) process.stdout.write("]\n");
  }
}

function text(value: unknown): string {
  return escapedJson(exactJson(value));
}

/** The text with control and direction characters, and the backslash, escaped as in JSON. */
export function escaped(text: string): string {
  return escapedJson(text.replaceAll("\\", "\\\\"));
}

/** Escapes each line of a text for a terminal. */
export function escapedLines(text: string): string {
  return text.split("\n").map(escapedJson).join("\n");
}
