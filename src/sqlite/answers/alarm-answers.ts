// Answers about the appliance's own alarms and the treatment system's,
// and about clock steps.

import type { AlarmAnswer, AlarmState } from "../../bwts/alarm.ts";
import { type ClockStep, stepAnswer } from "../../bwts/clock-step.ts";
import { printTime } from "../../ground/clock.ts";
import { exactJson } from "../../ground/exact-json.ts";
import { type Connection, prepare } from "../file/open.ts";
import { closed, type Newest } from "../file/query.ts";
import { provenData, storedJson } from "../records/event-proof.ts";
import { printedTime } from "../sealed/segment-proof.ts";

export interface AlarmRow {
  readonly at_ms: number;
  readonly cleared_ms: number | null;
  readonly source: "ballastd" | "plc";
  readonly state: AlarmState;
  readonly description: string;
  readonly data: string;
  /** Identity of the event, for alarms of the treatment system; null for ballastd's own. */
  readonly identity: unknown;
}

interface AlarmPlace {
  readonly source: "ballastd" | "plc";
  readonly id: number;
}

/** Alarms that rose in a range, newest first, one text each. */
export function* alarmTexts(
  db: Connection,
  { range, state, limit }: Newest & { readonly state: AlarmState | null },
): Generator<string> {
  const newest = prepare<object, AlarmPlace>(db, "alarm.newest");
  const own = prepare<{ id: number }, AlarmRow>(db, "alarm.own");
  const received = prepare<{ id: number }, AlarmRow>(db, "alarm.received");
  for (const { source, id } of newest.all({ ...closed(range), state, limit })) {
    const row = (source === "ballastd" ? own : received).get({ id });
    // It may have cleared, or expired, since.
    if (row !== undefined && (state === null || row.state === state)) yield exactJson(alarmOf(row));
  }
}

export function alarmOf(row: AlarmRow): AlarmAnswer {
  const data = dataOf(row);
  const text = (given: unknown) => (typeof given === "string" ? given : null);
  const number = (given: unknown) => (typeof given === "number" ? given : null);
  return {
    code: text(data.code) ?? codeIn(row.description),
    description: row.description,
    source: row.source,
    state: row.state,
    since: printTime(row.at_ms),
    cleared_at: row.cleared_ms === null ? null : printTime(row.cleared_ms),
    parameter: text(data.parameter),
    value: number(data.value),
    limit: number(data.limit),
    unit: text(data.unit),
    data: { ...data, source: row.source },
  };
}

/** The alarm's data. Throws a DamagedError if its proof shows that it was altered. */
function dataOf(row: AlarmRow) {
  if (row.source === "plc") return provenData({ ...row, event_type: "ALARM_TRIGGERED" });
  return storedJson(row.data, `the alarm of ${printedTime(row.at_ms)}`);
}

/** The code of a description such as `UV_LOW: below the limit`; null if it has none. */
export function codeIn(description: string): string | null {
  return /^([A-Z][A-Z0-9_]+)(?::|$)/.exec(description)?.[1] ?? null;
}

/** Clock steps found in a range, newest first. */
export function clockStepsJson(db: Connection, { range, limit }: Newest): string {
  const rows = prepare<object, ClockStep>(db, "clock.steps").all({ ...closed(range), limit });
  return JSON.stringify(rows.map(stepAnswer));
}
