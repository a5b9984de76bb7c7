// Writes answers step by step, so that a long one is sent while it is made, and stops
// when its client leaves.

import type { JsonWriter } from "../../codec/json-writer.ts";

/** Writes an answer step by step. Between two steps the caller may take the text written so far. */
export type Steps = Generator<void>;

/** Writes one or more items of an array. */
export type AnswerPiece = () => void;

export function* wholeText(out: JsonWriter, text: string): Steps {
  out.text(text, 0);
  yield;
}

export function* eachText(out: JsonWriter, texts: Iterable<string>): Steps {
  for (const text of texts) yield* wholeText(out, text);
}

/** An array of what the pieces write, with commas between them. */
export function* arrayOf(out: JsonWriter, pieces: Iterable<AnswerPiece>): Steps {
  let before = "[";
  for (const write of pieces) {
    out.text(before, 0);
    write();
    before = ",";
    yield;
  }
  out.text(before === "[" ? "[]" : "]", 0);
  yield;
}

/** An array of JSON texts. */
export function arrayOfTexts(out: JsonWriter, texts: Iterable<string>): Steps {
  return arrayOf(out, piecesOf(out, texts));
}

function* piecesOf(out: JsonWriter, texts: Iterable<string>): Generator<AnswerPiece> {
  for (const text of texts) yield () => out.text(text, 0);
}
