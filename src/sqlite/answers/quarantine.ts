// Quarantined messages, for /admin/quarantine: a page of them without payloads, and one with the
// beginning of its payload. Pages go by number, so that new entries shift nothing.

import {
  PAYLOAD_SHOWN_BYTES,
  type QuarantineContent,
  QuarantineItem,
  type SetAside,
} from "../../bwts/quarantine.ts";
import { printTime, SECOND_MS } from "../../ground/clock.ts";
import { damageOf } from "../file/damage.ts";
import { type Connection, prepare, type RowOf } from "../file/open.ts";
import { closed, type Range } from "../file/query.ts";
import { shownTime } from "../sealed/segment-proof.ts";

export interface QuarantineQuery {
  /** Null for all reasons. */
  readonly reason: string | null;
  /** Only entries with a smaller number; null for the newest. */
  readonly before: number | null;
  readonly limit: number;
}

export function quarantineJson(db: Connection, { reason, before, limit }: QuarantineQuery): string {
  const rows = prepare(db, "quarantine.page").all({
    ...{ reason, limit },
    before: before ?? Number.MAX_SAFE_INTEGER,
  });
  const next = rows.length < limit ? null : (rows.at(-1)?.id ?? null);
  return JSON.stringify({ data: rows.map((row) => itemOf(db, row)), next });
}

/** Number of quarantined messages in a range, by reason, as JSON. */
export function setAsideJson(db: Connection, { range }: { readonly range: Range }): string {
  const rows = prepare(db, "system.set_aside").all(closed(range));
  return JSON.stringify(
    rows.map(
      ({ reason, messages, newest_ms, unsure }): SetAside => ({
        ...{ reason, messages: Number(messages), exact: Number(unsure) === 0 },
        newest: printTime(Number(newest_ms)),
      }),
    ),
  );
}

/** One entry with the beginning of its payload, as JSON; null if there is no such entry. */
export function quarantineEntryJson(db: Connection, id: number): string | null {
  const [row] = prepare(db, "quarantine.page").all({ reason: null, before: id + 1, limit: 1 });
  if (row?.id !== id) return null;
  const stored = prepare(db, "quarantine.payload").get({ id, limit: PAYLOAD_SHOWN_BYTES });
  const head = stored?.head instanceof Uint8Array ? Buffer.from(stored.head) : null;
  const content: QuarantineContent = {
    ...itemOf(db, row),
    payload: head === null ? null : textOf(head),
    payload_base64: head?.toString("base64") ?? null,
    is_whole: head !== null && head.length === row.payload_bytes,
  };
  return JSON.stringify(content);
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * An entry of a page. A row that can't be an entry is named in its place, and the damage reported.
 */
function itemOf(db: Connection, row: RowOf<"quarantine.page">): QuarantineItem {
  const told = QuarantineItem.safeParse(readItem(row));
  if (told.success) return told.data;
  const { id } = row;
  damageOf(db).note(`entry ${id} of the quarantine is damaged`);
  const unknown = { first_received: shownTime(0), last_received: shownTime(0), replay: null };
  return {
    ...{ id, topic: "", reason: "damaged", detail: "this entry is damaged on disk" },
    ...{ count: 0, ...unknown, clock_trusted: false, payload_bytes: 0, is_kept: false },
  };
}

function readItem(row: RowOf<"quarantine.page">): QuarantineItem {
  const { id, topic, reason, detail, count, payload_bytes, replayed_ms } = row;
  return {
    ...{ id, topic, reason, detail, count, payload_bytes },
    first_received: shownTime(row.first_received_ms),
    last_received: shownTime(row.last_received_ms),
    clock_trusted: row.clock_trusted === 1,
    is_kept: row.is_kept === 1,
    replay:
      replayed_ms === null
        ? null
        : {
            at: shownTime(replayed_ms),
            shift_seconds: (row.shift_ms ?? 0) / SECOND_MS,
            stored: row.stored,
            left: row.left_reason,
            detail: row.left_detail,
          },
  };
}
