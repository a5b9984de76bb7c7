// The plant's newest values, for /metrics and the overview. PLCs that send each lamp with a time of
// its own make many readings a cycle: so each field's newest value of the last minutes counts, not
// the newest reading alone. A field that none of them has is null.

import { type AlertStanding, alertStateOf, codeIn } from "../../bwts/alerts/alarm.ts";
import { aboutAlert } from "../../bwts/alerts/alert.ts";
import type { AlertState, Priority } from "../../bwts/alerts/priority.ts";
import { silenceLimit } from "../../bwts/idle-plant.ts";
import type { LampConfig } from "../../bwts/lamps/outlook.ts";
import { gatheredValues } from "../../bwts/merge.ts";
import type { Value } from "../../bwts/reading.ts";
import { TAGS } from "../../bwts/tags.ts";
import { isTreating } from "../../bwts/treating.ts";
import { DAY_MS, MINUTE_MS } from "../../ground/clock.ts";
import { presentOperation } from "../derived/gaps.ts";
import { type Connection, prepare } from "../file/open.ts";
import { timeline, UNDAMAGED } from "../sealed/timeline.ts";
import { newestHealth } from "./health.ts";

/** A field's newest value is looked for this far back, in at most so many readings. */
const BACK_MS = 15 * MINUTE_MS;
const READINGS_MAX = 64;
/** Alarms of the treatment system's last day that are counted. */
const ALARMS_MAX = 1000;
/** Characters of a code: it becomes a label, and the treatment system may send any text. */
const CODE_CHARS = 64;

export interface PlantNow {
  readonly at_ms: number;
  /** Longer without a reading is a silence, ms. */
  readonly silence_ms: number;
  readonly isTreating: boolean;
  readonly values: Readonly<Record<string, Value>>;
  /** Names of the fields whose value is as new as the newest reading, but for a silence. */
  readonly fresh: readonly string[];
  readonly health: Readonly<Record<string, number | null>> | null;
}

/** An alert that isn't closed. */
export interface AlertNow {
  readonly source: "ballastd" | "plc";
  readonly code: string;
  readonly priority: Priority;
  readonly alert_state: AlertState;
  readonly shelved_until_ms: number | null;
}

export interface AlarmsNow {
  /** Codes of ballastd's own alarms that are active, each as often as it is. */
  readonly own: readonly string[];
  /** Codes of what the treatment system raised in the day up to its newest reading. */
  readonly plc: readonly (string | null)[];
  readonly open: readonly AlertNow[];
}

export function plantNowJson(db: Connection, { limits }: LampConfig): string {
  return db.transaction(() => {
    const { newest, cadence_ms } = presentOperation(db, limits);
    const at_ms = newest === null ? null : newest.at_ms;
    const silence_ms = silenceLimit(cadence_ms);
    const plant = at_ms === null ? null : plantAt(db, { at_ms, silence_ms }, limits);
    const own = prepare(db, "alarm.active").all({});
    const received = prepare<"alarm.received_codes", { code: string | null; description: string }>(
      db,
      "alarm.received_codes",
    ).all({ start_ms: (at_ms ?? 0) - DAY_MS, chars: CODE_CHARS, limit: ALARMS_MAX });
    const plc = received.map(({ code, description }) => code ?? codeIn(description));
    const alarms: AlarmsNow = { own: own.map(({ code }) => code), plc, open: openAlerts(db) };
    return JSON.stringify({ plant, alarms });
  })();
}

interface OpenAlarm extends AlertStanding {
  readonly code: string;
  readonly shelved_until_ms: number | null;
}

function openAlerts(db: Connection): readonly AlertNow[] {
  const rows = prepare<"alarm.open", OpenAlarm>(db, "alarm.open").all({});
  return rows.map((row) => {
    const { source, code, shelved_until_ms } = row;
    const { priority } = aboutAlert(source, code);
    return { source, code, priority, alert_state: alertStateOf(row), shelved_until_ms };
  });
}

function plantAt(
  db: Connection,
  { at_ms, silence_ms }: { readonly at_ms: number; readonly silence_ms: number },
  limits: LampConfig["limits"],
): PlantNow {
  const found = newestValues(db, at_ms);
  const { values } = found;
  const [health] = newestHealth(db, 1);
  const scores = health && { overall: health.overall_score, ...health.components };
  return {
    ...{ at_ms, silence_ms, isTreating: isTreating({ values }, limits) },
    values: Object.fromEntries(TAGS.map(({ name }, index) => [name, values[index]])),
    fresh: TAGS.filter((_, index) => isFresh(found, index, silence_ms)).map(({ name }) => name),
    health: scores ?? null,
  };
}

/** The newest value of each field, and its time; null where none has one. */
export interface NewestValues {
  /** Time of the newest reading. */
  readonly at_ms: number;
  readonly values: readonly Value[];
  readonly times: readonly (number | null)[];
}

/** A number that came with the newest reading, or at most a silence before it. */
export function freshNumber(found: NewestValues, index: number, silence_ms: number): number | null {
  const value = found.values[index];
  return typeof value === "number" && isFresh(found, index, silence_ms) ? value : null;
}

function isFresh({ at_ms, times }: NewestValues, index: number, silence_ms: number): boolean {
  const time_ms = times[index];
  return time_ms !== null && at_ms - time_ms <= silence_ms;
}

/** The newest values up to the reading at `at_ms`. */
export function newestValues(db: Connection, at_ms: number): NewestValues {
  const readings = [];
  for (const { block, from, to } of timeline(
    db,
    { start_ms: at_ms - BACK_MS, end_ms: at_ms },
    UNDAMAGED,
  ))
    for (let index = Math.max(from, to - READINGS_MAX); index < to; index += 1)
      readings.push(block.reading(index));
  const newest = gatheredValues(readings.slice(-READINGS_MAX).reverse());
  return {
    at_ms,
    values: newest.map(({ value }) => value),
    times: newest.map(({ reading }) => reading?.at_ms ?? null),
  };
}
