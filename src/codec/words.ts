// The dictionary of a column: its texts and booleans, each once, in order of first appearance. A
// text with lone surrogates, which UTF-8 can't express, is kept in UTF-16. An integer that no
// double holds is kept as its digits.

import type { Scalar } from "../bwts/reading.ts";
import { ByteReader, ByteWriter, DamagedError } from "./bytes.ts";

const WORD = { false: 0, true: 1, utf8: 2, utf16: 3, digits: 4 } as const;

const DIGITS = /^-?\d+$/;

export function writeWords(words: readonly Scalar[]): Uint8Array {
  const to = new ByteWriter();
  for (const word of words) {
    if (typeof word === "boolean") to.byte(word ? WORD.true : WORD.false);
    else {
      const text = String(word);
      const isDigits = typeof word === "bigint";
      const encoding = text.isWellFormed() ? "utf8" : "utf16le";
      const bytes = Buffer.from(text, encoding);
      to.byte(isDigits ? WORD.digits : encoding === "utf8" ? WORD.utf8 : WORD.utf16);
      to.varint(bytes.length);
      to.bytes(bytes);
    }
  }
  return to.finish();
}

/** Reads `count` words; they must fill `bytes`. */
export function readWords(bytes: Uint8Array, count: number): Scalar[] {
  const from = new ByteReader(bytes);
  const words: Scalar[] = [];
  for (let word = 0; word < count; word += 1) words.push(readWord(from));
  if (from.left > 0) throw new DamagedError(`dictionary: ${from.left} bytes left over`);
  return words;
}

function readWord(from: ByteReader): Scalar {
  const kind = from.byte();
  switch (kind) {
    case WORD.false:
      return false;
    case WORD.true:
      return true;
    case WORD.utf8:
      return from.text();
    case WORD.utf16:
      return from.bytes(from.varint()).toString("utf16le");
    case WORD.digits: {
      const text = from.text();
      if (DIGITS.test(text)) return BigInt(text);
      throw new DamagedError(`word: got ${text.slice(0, 40)}, expected digits`);
    }
    default:
      throw new DamagedError(`word kind ${kind}: expected 0 to 4`);
  }
}
