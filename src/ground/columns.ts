// Formats text for a terminal of 80 columns, or a plain printer. Much of it comes from strangers: a
// character that moves a cursor, begins a line, or turns text round is replaced by a mark.

import { UNPRINTABLE } from "./quoted.ts";

const COLUMNS = 80;

export function printable(text: string): string {
  return text.replace(UNPRINTABLE, "\ufffd");
}

/** Characters two columns wide: Chinese, Japanese and Korean letters, and pictures. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/u;
/** Accents over the letter before, which take no column. */
const OVER = /\p{Mn}/u;

function widthOf(letter: string): number {
  if (OVER.test(letter)) return 0;
  return WIDE.test(letter) || letter.length > 1 ? 2 : 1;
}

function columnsOf(text: string): number {
  return [...text].reduce((sum, letter) => sum + widthOf(letter), 0);
}

/** Printable text filled with spaces to a width, or cut with `cut` as its last letter. */
export function fitted(text: string, width: number, cut = ""): string {
  const whole = printable(text);
  const isCut = columnsOf(whole) > width;
  const room = isCut ? width - columnsOf(cut) : width;
  let [kept, used] = ["", 0];
  for (const letter of whole) {
    if (used + widthOf(letter) > room) break;
    kept += letter;
    used += widthOf(letter);
  }
  return kept + (isCut ? cut : "") + " ".repeat(room - used);
}

/** Printable text in lines of at most 80 columns; further lines are indented by two columns. */
export function wrapped(given: string): string[] {
  const text = printable(given).trimEnd();
  if (columnsOf(text) <= COLUMNS) return [text];
  const indent = " ".repeat((/^ */.exec(text)?.[0].length ?? 0) + 2);
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/(?<= )/).flatMap(pieces)) {
    if (columnsOf(line + word.trimEnd()) > COLUMNS && line.trim() !== "") {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += word;
  }
  return [...lines, line.trimEnd()];
}

/** A word in pieces of at most 36 characters, so that each fits into a line. */
function pieces(word: string): string[] {
  const most = COLUMNS / 2 - 4;
  const letters = [...word];
  if (letters.length <= most) return [word];
  return [letters.slice(0, most).join(""), ...pieces(letters.slice(most).join(""))];
}
