// Splits a small CSV text into records of cells, with the separator given. The reader of import
// (sqlite/exchange/import-csv.ts) streams files that ballastd wrote; this one takes a bounded text
// as any spreadsheet saves it, and never refuses: a line with unbalanced quotes is marked, and the
// next one is read.

export interface CsvRecord {
  /** Number of its first line, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** True if its quotes are unbalanced: it wasn't read as a whole. */
  readonly isOpen: boolean;
}

export const SEPARATORS = [",", ";", "\t", "|"] as const;
export type Separator = (typeof SEPARATORS)[number];

/** First line of an Excel file that names the separator. */
const SEP_LINE = /^sep=(.)\r?\n/i;

/** The separator that the text names, or null; and where its records begin. */
export function separatorLine(text: string): { named: Separator | null; skipped: number } {
  const match = SEP_LINE.exec(text);
  const named = SEPARATORS.find((one) => one === match?.[1]) ?? null;
  return { named, skipped: match === null ? 0 : match[0].length };
}

/** Maximum length of a cell in quotes, in characters: this bounds the time for hostile text. */
const QUOTED_MAX = 4_000;

// A cell in quotes, with doubled quotes inside, up to its separator or the line's end.
const QUOTED = /^ *"([^"]*(?:""[^"]*)*)" *(?=[,;\t|\r\n]|$)/;

/** The records of a text without empty lines. */
export function* csvCells(text: string, separator: Separator): Generator<CsvRecord> {
  const plain = new RegExp(`[^${separator}\r\n]*`, "y");
  let [at, line] = [0, 1];
  while (at < text.length) {
    const first = line;
    const cells: string[] = [];
    let isOpen = false;
    for (;;) {
      const rest = text.slice(at, at + QUOTED_MAX);
      const quoted = QUOTED.exec(rest);
      if (quoted === null) {
        plain.lastIndex = at;
        const cell = plain.exec(text)?.[0] ?? "";
        isOpen ||= cell.trimStart().startsWith('"');
        cells.push(cell.trim());
        at += cell.length;
      } else {
        cells.push(quoted[1].replaceAll('""', '"').trim());
        line += quoted[1].split("\n").length - 1;
        at += quoted[0].length;
      }
      if (text[at] !== separator) break;
      at += 1;
    }
    // After a quoted cell that doesn't end at the separator, the rest of the line is left out.
    if (at < text.length && !/[\r\n]/.test(text[at])) {
      isOpen = true;
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end;
    }
    if (text[at] === "\r") at += 1;
    if (text[at] === "\n") at += 1;
    line += 1;
    if (cells.some((cell) => cell !== "")) yield { line: first, cells, isOpen };
  }
}
