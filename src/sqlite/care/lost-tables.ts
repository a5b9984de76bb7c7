// Recreates lost small tables. Voids come from the audit log, which records each of them: a hidden
// wrong reading must not reappear because of the damage. Alarms of the treatment system come from
// its events, and their acknowledgements from the audit log. Health and gaps are recomputed from
// the readings by the jobs of the next start.

import * as z from "zod";
import type { Act } from "../../bwts/audit.ts";
import type { ALARM_CLEARED, EventSource } from "../../bwts/event.ts";
import { alarmId } from "../../bwts/present/alarm.ts";
import { DERIVATIONS } from "../derived/derivations.ts";
import { addAllDue } from "../derived/derived-repair.ts";
import { type Connection, prepare } from "../file/open.ts";
import { acknowledgeAlarm, alarmOfName, shelveAlarm, storedAlarm } from "../records/alarm-acts.ts";
import { openAlarms } from "../records/alarms.ts";
import { type EventRow, provenData } from "../records/event-proof.ts";
import { toldVoids } from "../records/told-voids.ts";
import { UNDO_VOID } from "../sealed/voids.ts";
import type { Loss } from "./loss.ts";

/**
 * Recreates the voids recorded in the audit log. If the log lost entries, the voids found in the
 * table stay, together with their undoing.
 */
export function recreateVoids(db: Connection, losses: readonly Loss[]): void {
  const isLogWhole =
    !losses.some(({ what }) => what === "audit") && prepare(db, "audit.lost").get({}) === undefined;
  if (isLogWhole) {
    prepare(db, "salvage.forget_voids").run({});
    prepare(db, "salvage.forget_voids_of_events").run({});
  }
  for (const { what, undone_ms, ...row } of toldVoids(db)) {
    prepare(db, what === "events" ? "salvage.void_of_events" : "salvage.void").run(row);
    if (undone_ms !== null) prepare(db, UNDO_VOID[what]).run({ id: row.id, undone_ms });
  }
}

/** The audit log's entry of an act on an alert, as alarm-acts.ts writes it. */
const AlarmActTold = z.object({
  id: z.string(),
  count: z.number(),
  last_raised: z.iso.datetime(),
  note: z.string().nullable().default(null),
  until: z.iso.datetime().nullable().default(null),
  reason: z.string().nullable().default(null),
});

interface PastAct extends z.infer<typeof AlarmActTold> {
  readonly kind: string;
  readonly act: Act;
}

/** Number of events read at a time. */
const PAGE = 1000;

/**
 * After a loss of alerts, recreates those of the treatment system from its events, and people's
 * acts on them. An act is repeated when its alert has risen as often as at the act: times of acts
 * and of events come from different clocks. The next start raises ballastd's own alerts that still
 * last. `plc_offset_ms` is the PLC's clock minus the box's.
 */
export function recreateAlerts(
  db: Connection,
  { losses, plc_offset_ms }: { readonly losses: readonly Loss[]; readonly plc_offset_ms: number },
): void {
  const isLost = losses.some(
    ({ what, name }) => what === "log" || (what === "table" && (name === null || name === "alarm")),
  );
  if (!isLost) return;
  prepare(db, "salvage.forget_received").run({});
  prepare(db, "salvage.forget_alarm_past").run({});
  const alarms = openAlarms(db, () => plc_offset_ms);
  const acts = pastActs(db);
  const next = prepare<"salvage.received_alarms", ReceivedAlarm>(db, "salvage.received_alarms");
  for (let after = 0; ; ) {
    const rows = next.all({ id: after, limit: PAGE });
    for (const row of rows) {
      const event = { ...row, data: provenData(row) };
      const id = alarms.received(event, { ...row, clock_trusted: row.clock_trusted === 1 });
      const alarm = id === null ? null : storedAlarm(db, id);
      const due = alarm === null ? [] : (acts.get(alarmId(alarm)) ?? []);
      while (alarm !== null && due.length > 0 && due[0].count <= alarm.count)
        actAgain(db, due.shift());
      after = row.id;
    }
    if (rows.length < PAGE) break;
  }
  // The rest: acts on ballastd's own alerts, and on alerts that lost an event.
  for (const due of acts.values()) for (const past of due) actAgain(db, past);
}

interface ReceivedAlarm extends EventRow {
  readonly event_type: "ALARM_TRIGGERED" | typeof ALARM_CLEARED;
  readonly id: number;
  readonly source: EventSource;
  readonly received_ms: number;
  readonly clock_trusted: number;
}

/** The acts on each alert, in order. */
function pastActs(db: Connection): ReadonlyMap<string, PastAct[]> {
  const acts = new Map<string, PastAct[]>();
  for (const { kind, detail, ...act } of prepare(db, "salvage.alarm_acts").all({})) {
    const told = AlarmActTold.parse(JSON.parse(detail));
    acts.set(told.id, [...(acts.get(told.id) ?? []), { ...told, kind, act }]);
  }
  return acts;
}

function actAgain(db: Connection, past: PastAct | undefined): void {
  if (past === undefined) return;
  const { id, kind, note, until, reason, last_raised, act } = past;
  // No new entry: the audit log already has the act.
  const append = () => {};
  if (kind !== "alarm_acknowledged") {
    const until_ms = until === null ? null : Date.parse(until);
    shelveAlarm(db, append, { id, until_ms, reason, act });
    return;
  }
  const alarm = alarmOfName(db, id);
  // An alert that has risen again since must be acknowledged again.
  if (alarm === null || alarm.last_ms > Date.parse(last_raised)) return;
  acknowledgeAlarm(db, append, { id, note, act });
}

/** After a loss of small tables, makes the next start recompute all data derived from readings. */
export function markAllDue(db: Connection, losses: readonly Loss[]): void {
  if (losses.some(({ what }) => what === "table" || what === "log")) addAllDue(db, DERIVATIONS);
}
