// The plant's newest values and its alerts, for /metrics: values of the day up to the newest
// reading, and open alerts.

import { silenceLimit } from "../../bwts/idle-plant.ts";
import type { LampConfig } from "../../bwts/lamps/outlook.ts";
import { alertStateOf, codeIn } from "../../bwts/present/alarm.ts";
import { aboutAlert } from "../../bwts/present/alert.ts";
import type { LampCondition } from "../../bwts/present/lamp-condition.ts";
import { treatingNow } from "../../bwts/present/present.ts";
import type { AlertState, Priority } from "../../bwts/present/priority.ts";
import type { Value } from "../../bwts/reading.ts";
import { indexOfTag, TAGS } from "../../bwts/tags.ts";
import { totaliserRises, withState } from "../../bwts/treating.ts";
import { DAY_MS } from "../../ground/clock.ts";
import { presentOperation, presentValuesEnd } from "../derived/gaps.ts";
import { newestValues, toldNumber, withoutLost } from "../derived/newest-values.ts";
import { type Connection, prepare } from "../file/open.ts";
import { newestHealth } from "./health.ts";
import { lampForecasts, lampHours } from "./lamp-hours.ts";
import { lampCounters, type OpenPlace, openPlaces } from "./overview-alerts.ts";
import { overviewLamps } from "./overview-lamps.ts";

/** Maximum number of the treatment system's alarms of the last day that are counted. */
const ALARMS_MAX = 1000;
/**
 * Maximum length of a code, in characters: it becomes a label, and the treatment system may send
 * any text.
 */
const CODE_CHARS = 64;

const FLOW = indexOfTag("SYS_FLOW_RATE");

export interface PlantNow {
  readonly at_ms: number;
  /** Time without a reading after which data counts as missing, ms. */
  readonly silence_ms: number;
  /** Null if the newest values don't show it. */
  readonly isTreating: boolean | null;
  readonly values: Readonly<Record<string, Value>>;
  /** Hours by lamp position; null without a counter; empty if the counters' unit is unknown. */
  readonly lamp_hours: readonly (number | null)[];
  readonly lamp_conditions: readonly LampCondition[];
  /** Names of the fields whose number is current. */
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
  /** Codes of ballastd's active alarms; a code appears as often as it is active. */
  readonly own: readonly string[];
  /** Codes of the treatment system's alarms raised in the day up to its newest reading. */
  readonly plc: readonly (string | null)[];
  readonly open: readonly AlertNow[];
}

export function plantNowJson(db: Connection, config: LampConfig): string {
  return db.transaction(() => {
    const present = presentOperation(db, config.limits);
    const { newest, cadence_ms, since_ms } = present;
    const at_ms = newest === null ? null : newest.at_ms;
    const silence_ms = silenceLimit(cadence_ms);
    const own = prepare(db, "alarm.active").all({});
    const places = openPlaces(db, null);
    const { areCountersFast: areFast, isSuspended } = lampCounters(db, places, null);
    const asked = { silence_ms, since_ms, areFast, isSuspended, end_ms: presentValuesEnd(present) };
    const plant = at_ms === null ? null : plantAt(db, { at_ms, ...asked }, config);
    const received = prepare<"alarm.received_codes", { code: string | null; description: string }>(
      db,
      "alarm.received_codes",
    ).all({ start_ms: (at_ms ?? 0) - DAY_MS, chars: CODE_CHARS, limit: ALARMS_MAX });
    const plc = received.map(({ code, description }) => code ?? codeIn(description));
    const alarms: AlarmsNow = { own: own.map(({ code }) => code), plc, open: places.map(alertNow) };
    return JSON.stringify({ plant, alarms });
  })();
}

function alertNow(place: OpenPlace): AlertNow {
  const { source, code, shelved_until_ms } = place;
  const { priority } = aboutAlert(source, code);
  return { source, code, priority, alert_state: alertStateOf(place), shelved_until_ms };
}

interface PlantAsked extends Pick<PlantNow, "at_ms" | "silence_ms"> {
  readonly since_ms: number;
  readonly end_ms: number;
  readonly areFast: boolean;
  readonly isSuspended: boolean;
}

function plantAt(
  db: Connection,
  { at_ms, end_ms, silence_ms, since_ms, areFast, isSuspended }: PlantAsked,
  config: LampConfig,
): PlantNow {
  const found = withoutLost(newestValues(db, end_ms, since_ms), silence_ms);
  const { values } = found;
  const forecasts = isSuspended ? [] : lampForecasts(db, at_ms);
  const asked = { end_ms: at_ms, forecasts, isSuspended, areCountersFast: areFast, config };
  const [health] = newestHealth(db, 1);
  const told = TAGS.map((_, index) => toldNumber(found, index, silence_ms));
  const isRising = totaliserRises(withState(found.readings), config.limits);
  const isTreating = treatingNow(values, { flow: told[FLOW], isRising }, config.limits);
  const scores = health && { overall: health.overall_score, ...health.components };
  return {
    ...{ at_ms, silence_ms, isTreating },
    values: Object.fromEntries(TAGS.map(({ name }, index) => [name, values[index]])),
    lamp_hours: isSuspended ? [] : lampHours(db, found, { forecasts, areFast }),
    lamp_conditions: overviewLamps(db, found, asked).map(({ condition }) => condition),
    fresh: TAGS.filter((_, index) => told[index].value !== null).map(({ name }) => name),
    health: scores ?? null,
  };
}
