// Notes and handovers, which are entries of the audit log: written in one transaction, once for a
// key, and listed with the entry that corrects each. A damaged one is shown as damaged.

import type { Act, AuditDetail } from "../../bwts/audit.ts";
import {
  type HandoverAnswer,
  NOTES_MAX,
  type NoteAnswer,
  type WrittenOutcome,
} from "../../bwts/note.ts";
import { parseTime, printTime } from "../../ground/clock.ts";
import { type Connection, prepare } from "../file/open.ts";
import { type ClosedRange, closed, EVER, type Newest } from "../file/query.ts";
import { type Append, type AuditRow, answerOf } from "./audit.ts";

type NoteKind = "note" | "handover";

interface Written {
  readonly kind: NoteKind;
  readonly said: AuditDetail & { readonly key: string; readonly corrects?: number };
  readonly act: Act;
}

/** Appends the entry, unless one of the same key is there. */
export function writeNote(
  db: Connection,
  append: Append,
  { kind, said, act }: Written,
): WrittenOutcome {
  const before = entriesOf(db, kind);
  const same = before.find((one) => one.detail.key === said.key);
  if (same !== undefined) {
    const isSame = JSON.stringify(same.detail) === JSON.stringify(said);
    return isSame ? { outcome: "done", id: same.id } : { outcome: "key_used" };
  }
  const { corrects } = said;
  if (corrects !== undefined) {
    if (!before.some(({ id }) => id === corrects)) return { outcome: "unknown" };
    if (before.some((one) => one.detail.corrects === corrects)) return { outcome: "corrected" };
  }
  append({ ...act, kind, detail: said });
  return { outcome: "done", id: entriesOf(db, kind, 1)[0]?.id ?? 0 };
}

type LoggedNote = ReturnType<typeof answerOf>;

/** The newest first. */
function entriesOf(db: Connection, kind: NoteKind, limit = NOTES_MAX): readonly LoggedNote[] {
  const rows = prepare<"audit.page_of_kind", AuditRow>(db, "audit.page_of_kind").all({
    ...{ ...closed(EVER), kind, offset: 0, limit },
  });
  return rows.map((row) => answerOf(db, row));
}

/** Notes that touch a range, the latest moment first. */
export function noteTexts(db: Connection, { range, limit }: Newest): readonly string[] {
  const entries = entriesOf(db, "note");
  const given = closed(range);
  const notes = entries.map((one): NoteAnswer => {
    const from = timeOf(one.detail.from) ?? one.timestamp;
    const to = timeOf(one.detail.to);
    const words = { text: textOf(one.detail.text), who: textOf(one.detail.who) };
    return { ...aboutEntry(one, entries), from, to, ...words };
  });
  return notes
    .filter((note) => touches(note, given))
    .sort((one, other) => Date.parse(other.from) - Date.parse(one.from))
    .slice(0, limit)
    .map((note) => JSON.stringify(note));
}

function touches({ from, to }: NoteAnswer, { start_ms, end_ms }: ClosedRange): boolean {
  return Date.parse(from) <= end_ms && Date.parse(to ?? from) >= start_ms;
}

/** Handovers of a range, the newest first. */
export function handoverTexts(db: Connection, { range, limit }: Newest): readonly string[] {
  const { start_ms, end_ms } = closed(range);
  const entries = entriesOf(db, "handover");
  const isIn = ({ timestamp }: LoggedNote) =>
    Date.parse(timestamp) >= start_ms && Date.parse(timestamp) <= end_ms;
  return entries
    .filter(isIn)
    .slice(0, limit)
    .map((one) => {
      const { remark, handed_over_by, taken_over_by } = one.detail;
      const handover: HandoverAnswer = {
        ...aboutEntry(one, entries),
        remark: textOf(remark),
        handed_over_by: textOf(handed_over_by),
        taken_over_by: textOf(taken_over_by),
      };
      return JSON.stringify(handover);
    });
}

function aboutEntry({ id, timestamp, actor, detail }: LoggedNote, entries: readonly LoggedNote[]) {
  const later = entries.find((one) => one.detail.corrects === id);
  return {
    ...{ id, written_at: timestamp, by: actor },
    corrects: typeof detail.corrects === "number" ? detail.corrects : null,
    corrected_by: later?.id ?? null,
    damaged: "damaged" in detail || "unreadable" in detail,
  };
}

const textOf = (given: unknown) => (typeof given === "string" ? given : "");

function timeOf(given: unknown): string | null {
  const at = typeof given === "string" ? parseTime(given) : null;
  return at === null ? null : printTime(at.at_ms);
}
