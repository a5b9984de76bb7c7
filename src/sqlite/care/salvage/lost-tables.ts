// Recreates lost small tables. Voids come from the audit log, which records each of them: a wrong
// reading that was hidden must not return with the damage. Alarms of the treatment system come from
// its events, and who acknowledged them from the audit log. Health and gaps are made from the
// readings, by the jobs of the next start.

import * as z from "zod";
import type { EventSource } from "../../../bwts/event.ts";
import { DERIVATIONS } from "../../derived/derivations.ts";
import { addAllDue } from "../../derived/derived-repair.ts";
import { type Connection, prepare, type RowOf } from "../../file/open.ts";
import { acknowledgeAlarm, shelveAlarm } from "../../records/alarm-acts.ts";
import { openAlarms } from "../../records/alarms.ts";
import { type EventRow, provenData } from "../../records/event-proof.ts";
import { UNDO_VOID, VOIDABLE } from "../../sealed/voids.ts";
import type { Loss } from "./loss.ts";

/** The audit log's entry of a void, as void-writes.ts writes it. */
const VoidTold = z.object({
  id: z.number().int(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  what: z.enum(VOIDABLE).default("readings"),
  reason: z.string().default(""),
  undone: z.boolean().default(false),
});

/** Recreates the voids that are in the audit log and not in the table. */
export function recreateVoids(db: Connection): void {
  for (const { at_ms, detail } of prepare(db, "salvage.voids_told").all({})) {
    const { id, from, to, what, reason, undone } = VoidTold.parse(JSON.parse(detail));
    if (undone) prepare(db, UNDO_VOID[what]).run({ id, undone_ms: at_ms });
    else {
      const span = { start_ms: Date.parse(from), end_ms: Date.parse(to) };
      prepare(db, what === "events" ? "salvage.void_of_events" : "salvage.void").run({
        id,
        ...span,
        reason,
        made_ms: at_ms,
      });
    }
  }
}

/** The audit log's entry of an act on an alert, as alarm-acts.ts writes it. */
const AlarmActTold = z.object({
  id: z.string(),
  note: z.string().nullable().default(null),
  until: z.iso.datetime().nullable().default(null),
  reason: z.string().nullable().default(null),
});

/** Events that are read at a time. */
const PAGE = 1000;

/**
 * After a loss of alerts makes those of the treatment system again: of its events, and of what
 * people did with them, in order of time. ballastd's own that last are raised by the next start.
 */
export function recreateAlerts(db: Connection, losses: readonly Loss[]): void {
  const isLost = losses.some(
    ({ what, name }) => what === "table" && (name === null || name === "alarm"),
  );
  if (!isLost) return;
  prepare(db, "salvage.forget_received").run({});
  const alarms = openAlarms(db);
  const acts = prepare(db, "salvage.alarm_acts").all({});
  const actsUntil = (at_ms: number) => {
    while (acts.length > 0 && acts[0].at_ms <= at_ms) actAgain(db, acts.shift());
  };
  const next = prepare<"salvage.received_alarms", ReceivedAlarm>(db, "salvage.received_alarms");
  for (let after = 0; ; ) {
    const rows = next.all({ id: after, limit: PAGE });
    for (const row of rows) {
      actsUntil(row.received_ms);
      alarms.received({ ...row, event_type: "ALARM_TRIGGERED", data: provenData(row) });
      after = row.id;
    }
    if (rows.length < PAGE) break;
  }
  actsUntil(Number.POSITIVE_INFINITY);
}

interface ReceivedAlarm extends EventRow {
  readonly id: number;
  readonly source: EventSource;
  readonly received_ms: number;
}

type StoredAct = RowOf<"salvage.alarm_acts">;

function actAgain(db: Connection, stored: StoredAct | undefined): void {
  if (stored === undefined) return;
  const { kind, detail, ...act } = stored;
  const { id, note, until, reason } = AlarmActTold.parse(JSON.parse(detail));
  // The entry is there already.
  const append = () => {};
  if (kind === "alarm_acknowledged") acknowledgeAlarm(db, append, { id, note, act });
  else {
    const until_ms = until === null ? null : Date.parse(until);
    shelveAlarm(db, append, { id, until_ms, reason, act });
  }
}

/** After a loss of small tables, makes the next start compute all that is made of readings. */
export function markAllDue(db: Connection, losses: readonly Loss[]): void {
  if (losses.some(({ what }) => what === "table")) addAllDue(db, DERIVATIONS);
}
