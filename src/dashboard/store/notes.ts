// Reads notes and handovers. Entries that a later one corrects are left out, and so are notes
// without a text, which were withdrawn.

import type { HandoverAnswer, NoteAnswer } from "../../bwts/note.ts";
import type { Read } from "./checks.ts";
import { aFlag, aNumber, aText, aTime, each, membersOf, orNull, type ValueOf } from "./shapes.ts";

const entry = {
  ...{ id: aNumber, written_at_ms: aTime, by: aText, corrects: orNull(aNumber) },
  ...{ corrected_by: orNull(aNumber), damaged: aFlag },
};

const note = membersOf<NoteAnswer>()({
  ...{ ...entry, from_ms: aTime, to_ms: orNull(aTime), text: aText, who: aText },
});
export type ShownNote = ValueOf<typeof note>;

const handover = membersOf<HandoverAnswer>()({
  ...{ ...entry, remark: aText, handed_over_by: aText, taken_over_by: aText },
});
export type ShownHandover = ValueOf<typeof handover>;

const allNotes = each(note);
const allHandovers = each(handover);

/** Reads the valid notes: neither corrected nor withdrawn. */
export const readNotes: Read<readonly ShownNote[]> = (body) => {
  const known = allNotes(body);
  const counts = ({ corrected_by, text, damaged }: ShownNote) =>
    corrected_by === null && (text.trim() !== "" || damaged);
  return known === null ? null : { value: known.value.filter(counts) };
};

/** Reads the handovers that weren't corrected, the newest first. */
export const readHandovers: Read<readonly ShownHandover[]> = (body) => {
  const known = allHandovers(body);
  const counts = ({ corrected_by }: ShownHandover) => corrected_by === null;
  return known === null ? null : { value: known.value.filter(counts) };
};

/** The path of the notes that overlap a range. */
export function notesPath(from_ms: number, to_ms: number): string {
  const [from, to] = [from_ms, to_ms].map((at_ms) => new Date(at_ms).toISOString());
  return `/api/notes?startDate=${from}&endDate=${to}&limit=200`;
}
