// Notes and handovers, as entries of the audit log: each is written once per key in one
// transaction, and listed with the entry that corrects it. A stored correction names the key of the
// corrected entry, because ids are renumbered if a salvage loses entries. A damaged entry is shown
// as damaged.

import type { Act, AuditDetail } from "../../bwts/audit.ts";
import type { HandoverAnswer, NoteAnswer, NoteBody, WrittenOutcome } from "../../bwts/note.ts";
import { parseTime, printTime } from "../../ground/clock.ts";
import { damageOf } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import { closed, type Newest } from "../file/query.ts";
import { type Append, type AuditRow, answerOf } from "./audit.ts";

type NoteKind = "note" | "handover";

interface Written {
  readonly kind: NoteKind;
  readonly said: AuditDetail & { readonly key: string; readonly corrects?: number };
  readonly act: Act;
}

/** Appends the entry, unless there is one with the same key. */
export function writeNote(
  db: Connection,
  append: Append,
  { kind, said, act }: Written,
): WrittenOutcome {
  const { corrects, ...rest } = said;
  const corrected = corrects === undefined ? null : entryOf(db, kind, corrects);
  const correctedKey = textOf(corrected?.detail.key);
  const detail = corrected === null ? rest : { ...rest, corrects: correctedKey };
  const same = entryOfKey(db, kind, said.key);
  if (same !== null) {
    const isSame = JSON.stringify(same.detail) === JSON.stringify(detail);
    return isSame ? { outcome: "done", id: same.id } : { outcome: "key_used" };
  }
  if (corrects !== undefined) {
    if (correctedKey === "") return { outcome: "unknown" };
    if (keysOf(db, kind).correctedBy.has(correctedKey)) return { outcome: "corrected" };
  }
  append({ ...act, kind, detail });
  return { outcome: "done", id: entryOfKey(db, kind, said.key)?.id ?? 0 };
}

/** A note as stored: its times are in UTC, so that their texts sort in order of time. */
export function inUtc({ from, to, ...said }: NoteBody): NoteBody {
  return { from: timeOf(from) ?? from, ...(to && { to: timeOf(to) ?? to }), ...said };
}

type LoggedNote = ReturnType<typeof answerOf>;

function entryOf(db: Connection, kind: NoteKind, id: number): LoggedNote | null {
  const row = prepare<"audit.of_kind_and_id", AuditRow>(db, "audit.of_kind_and_id").get({
    ...{ kind, id },
  });
  return row === undefined ? null : answerOf(db, row);
}

function entryOfKey(db: Connection, kind: NoteKind, key: string): LoggedNote | null {
  const row = prepare<"audit.of_key", AuditRow>(db, "audit.of_key").get({ kind, key });
  return row === undefined ? null : answerOf(db, row);
}

/** The entry of each key, and for corrected keys the later entry that corrects them. */
interface NoteKeys {
  readonly idOf: ReadonlyMap<string, number>;
  readonly correctedBy: ReadonlyMap<string, number>;
}

function keysOf(db: Connection, kind: NoteKind): NoteKeys {
  const rows = prepare<"audit.keys", { id: number; key: string | null; corrects: string | null }>(
    db,
    "audit.keys",
  ).all({ kind });
  const byKey = (of: (row: (typeof rows)[number]) => string | null) =>
    new Map(rows.flatMap((row) => (of(row) === null ? [] : [[String(of(row)), row.id] as const])));
  return { idOf: byKey(({ key }) => key), correctedBy: byKey(({ corrects }) => corrects) };
}

/** The last time whose year has four digits, so that texts up to it sort in order of time. */
const LAST_MS = Date.UTC(9999, 11, 31);

/** Notes that touch a range, the latest moment first. */
export function noteTexts(db: Connection, { range, limit }: Newest): readonly string[] {
  const { start_ms, end_ms } = closed(range);
  const text = (at_ms: number) => printTime(Math.min(Math.max(at_ms, 0), LAST_MS));
  const keys = keysOf(db, "note");
  return prepare<"audit.notes", AuditRow>(db, "audit.notes")
    .all({ start: text(start_ms), end: text(end_ms), limit })
    .map((row) => {
      const one = answerOf(db, row);
      const note: NoteAnswer = {
        ...aboutEntry(db, one, keys),
        from: timeOf(one.detail.from) ?? one.timestamp,
        to: timeOf(one.detail.to),
        ...{ text: textOf(one.detail.text), who: textOf(one.detail.who) },
      };
      return JSON.stringify(note);
    });
}

/** Handovers of a range, the newest first. */
export function handoverTexts(db: Connection, { range, limit }: Newest): readonly string[] {
  const keys = keysOf(db, "handover");
  return prepare<"audit.page_of_kind", AuditRow>(db, "audit.page_of_kind")
    .all({ ...closed(range), kind: "handover", offset: 0, limit })
    .map((row) => {
      const one = answerOf(db, row);
      const { remark, handed_over_by, taken_over_by } = one.detail;
      const handover: HandoverAnswer = {
        ...aboutEntry(db, one, keys),
        remark: textOf(remark),
        handed_over_by: textOf(handed_over_by),
        taken_over_by: textOf(taken_over_by),
      };
      return JSON.stringify(handover);
    });
}

function aboutEntry(db: Connection, one: LoggedNote, { idOf, correctedBy }: NoteKeys) {
  const { id, timestamp, actor, detail } = one;
  const isChanged = "damaged" in detail || "unreadable" in detail;
  if (isChanged) damageOf(db).note(`entry ${id} of the audit log is damaged`);
  const corrected = typeof detail.corrects === "string" ? detail.corrects : null;
  const corrects = corrected === null ? null : (idOf.get(corrected) ?? null);
  return {
    ...{ id, written_at: timestamp, by: actor, corrects },
    corrected_by: correctedBy.get(textOf(detail.key)) ?? null,
    damaged: isChanged || (corrected !== null && corrects === null),
  };
}

const textOf = (given: unknown) => (typeof given === "string" ? given : "");

function timeOf(given: unknown): string | null {
  const at = typeof given === "string" ? parseTime(given) : null;
  return at === null ? null : printTime(at.at_ms);
}
