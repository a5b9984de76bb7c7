// The draft of the record book as plain text, for a terminal and for paper: each entry with its
// letter and items, empty boxes for the officer's facts, and the mark that it is a draft.

import { printable } from "../../ground/columns.ts";
import { printRecordTime } from "./draft-items.ts";
import { BOXES } from "./phrases.ts";
import type { RecordBook } from "./record-book.ts";

type BookDraft = RecordBook["entries"][number];

/** Facts about the ship at the head of a printed draft; null if not configured. */
export interface RecordShip {
  readonly system_id: string;
  readonly vessel: string | null;
  readonly imo: string | null;
}

/** An empty box, wide enough for handwriting. */
const BOX = "____________";

export function* recordBookLines(book: RecordBook, ship: RecordShip): Generator<string> {
  const { vessel, imo, system_id } = ship;
  const names = [vessel, imo === null ? null : `IMO ${imo}`, system_id];
  yield `${printable(names.filter((one) => one !== null).join(", "))}\n`;
  yield `${book.mark}\n`;
  yield `${book.form.resolution}, ${book.form.effective}\n`;
  for (const entry of book.entries) yield entryText(entry, book);
  if (book.entries.length > 0) yield `\n${book.mark}\n`;
}

function entryText(entry: BookDraft, book: RecordBook): string {
  const { code, items, notes, operation_id, version } = entry;
  const title = book.form.codes.find((one) => one.code === code)?.title ?? null;
  const letter = code ?? `[${BOXES.code[book.language]}: ____]`;
  const lines = items.map(({ item, title: asked, text, boxes }) => {
    const parts = [text, ...boxes.map((box) => `[${box}: ${BOX}]`)];
    return `  ${code ?? "_"}.${item}  ${asked}: ${parts.filter((one) => one !== null).join("  ")}`;
  });
  const told = [
    `${printRecordTime(entry.start)}  ${letter}${title === null ? "" : `  ${title}`}`,
    ...lines,
    ...notes.map((note) => `  (${note})`),
    `  [${book.signature}: ${BOX}]  #${operation_id}, v${version}`,
  ];
  return `\n${told.map(printable).join("\n")}\n`;
}
