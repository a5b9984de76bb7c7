// A ship in a state of the present: an hour of readings in a database of its own, and what the
// program says of it. Each state changes what is wrong, and nothing else.

import { ownAlarm } from "../../src/bwts/event.ts";
import type { OverviewQuery } from "../../src/bwts/present/answer.ts";
import type { OverviewAnswer } from "../../src/bwts/present/overview.ts";
import { LAMP_NUMBERS } from "../../src/bwts/tags.ts";
import { HOUR_MS, MINUTE_MS, printTime, SECOND_MS } from "../../src/ground/clock.ts";
import { overviewJson } from "../../src/sqlite/answers/overview.ts";
import { putForecasts } from "../../src/sqlite/derived/lamp-rows.ts";
import { limitsNow } from "../../src/sqlite/derived/limits-now.ts";
import { OPERATIONS } from "../../src/sqlite/derived/operations.ts";
import { prepare } from "../../src/sqlite/file/open.ts";
import type { Rig } from "./database.ts";
import { messageOf, RECEIVED_MS } from "./decoding.ts";
import { derived } from "./derive.ts";
import { LAMP_CONFIG } from "./fleet.ts";

/** The time of the newest reading. */
export const NEWEST_MS = Date.UTC(2026, 4, 1, 10);
const MINUTES = 60;

type Fields = Readonly<Record<string, string | number | boolean | null>>;

export interface PresentState {
  /** The fields that differ, so many minutes before the newest; null: there is no reading. */
  readonly each?: (ago_min: number) => Fields | null;
  /** Statuses of the lamps by number; null: it isn't sent. */
  readonly lamps?: Readonly<Record<string, string | null>>;
  /** Hours left by a lamp's forecast, or its end. */
  readonly forecasts?: Readonly<Record<string, number | "worn">>;
  /** Alerts of ballastd's own that are open, and alarms of the plant. */
  readonly own?: readonly string[];
  readonly plant?: readonly string[];
  readonly asked?: Partial<OverviewQuery>;
  /** The messages of the last so many minutes are heartbeats, without values. */
  readonly heartbeats_min?: number;
  /** Time since the newest reading; some seconds by default. */
  readonly age_ms?: number;
  /** Readings came so long after they were sent. */
  readonly late_ms?: number;
  /** No operation runs by events. */
  readonly isIdle?: boolean;
  readonly isEmpty?: boolean;
  /** Twenty minutes before the newest reading the PLC's clock was put back by so many hours. */
  readonly back_h?: number;
  readonly hides?: boolean;
  /** Operations that ended are judged. */
  readonly isJudged?: boolean;
}

export interface PresentSaid {
  readonly answer: OverviewAnswer;
  /** Codes of the alerts that the readings raise. */
  readonly alerts: readonly string[];
}

/** All that the program says of the ship in this state. */
export function saidOf(rig: Rig, state: PresentState): PresentSaid {
  const { db, store } = rig;
  const { isEmpty = false, own = [], plant = [], forecasts = {}, age_ms = 5000 } = state;
  const { back_h = 0, late_ms = 0, heartbeats_min = 0 } = state;
  const isTimed = back_h > 0 || heartbeats_min > 0;
  const sent = isEmpty ? [] : [...messagesOf(state)];
  store.commit(
    sent.map(([kind, payload, at_ms]) =>
      messageOf(kind, payload, { received_ms: late_ms + (isTimed ? at_ms : RECEIVED_MS) }),
    ),
  );
  if (back_h > 0) prepare(db, "clock.add").run(stepBack(back_h));
  for (const code of plant) store.commit([messageOf("events", alarmOf(code))]);
  const none = { parameter: null, value: null, limit: null, unit: null, more: {} };
  for (const code of own)
    store.raiseAlarm(ownAlarm(NEWEST_MS, { code, text: code, ...none }), "", NEWEST_MS);
  putForecasts(
    db,
    Object.entries(forecasts).map(([lamp, left]) => forecastOf(lamp, left)),
  );
  if (state.hides) hide(store);
  if (state.isJudged) derived(rig, OPERATIONS);
  const answer: OverviewAnswer = JSON.parse(
    overviewJson(
      db,
      {
        ...{ at_ms: null, now_ms: NEWEST_MS + age_ms, simulated: false, last_event_id: null },
        received_seconds_ago: isEmpty ? null : Math.max(0, age_ms / 1000),
        plant_clock_offset_seconds: back_h === 0 ? null : (-back_h * HOUR_MS) / SECOND_MS,
        ...{ is_clock_trusted: true, is_ready: true, is_damaged: false },
        ...{ is_quarantining: false, is_cut: false, has_two_clocks: false },
        ...state.asked,
      },
      LAMP_CONFIG,
    ),
  );
  const found = limitsNow(db, LAMP_CONFIG)?.found ?? [];
  const out = found.filter((one) => one.state.kind === "out").map(({ code }) => code);
  return { answer, alerts: [...new Set(out)] };
}

const STEP_MS = NEWEST_MS - 20 * MINUTE_MS;

const stepBack = (back_h: number) => ({
  ...{ at_ms: STEP_MS, clock: "plc", found: "by live readings" },
  ...{ from_ms: STEP_MS, to_ms: STEP_MS - back_h * HOUR_MS },
});

function hide(store: Rig["store"]): void {
  const range = { start_ms: NEWEST_MS - 10 * MINUTE_MS, end_ms: NEWEST_MS };
  store.addVoid(
    { ...range, reason: "calibration" },
    { at_ms: NEWEST_MS, actor: "test", address: null },
  );
}

/** A payload, and the true time of what it tells. */
type SentPayload = readonly [kind: "telemetry" | "events", payload: object, at_ms: number];

function* messagesOf({
  each = () => ({}),
  lamps = {},
  isIdle = false,
  back_h = 0,
  heartbeats_min = 0,
}: PresentState): Generator<SentPayload> {
  // Two earlier uptakes tell the usual volume.
  for (const day of [2, 1]) {
    const start_ms = NEWEST_MS - day * 24 * HOUR_MS;
    const end_ms = start_ms + 2 * HOUR_MS;
    yield ["events", processAt(start_ms, "PROCESS_START"), start_ms];
    for (let at_ms = start_ms; at_ms <= end_ms; at_ms += 10 * MINUTE_MS)
      yield ["telemetry", { ...readingAt(at_ms), SYS_FLOW_RATE: 600 }, at_ms];
    yield ["events", processAt(end_ms, "PROCESS_STOP"), end_ms];
  }
  const began_ms = NEWEST_MS - MINUTES * MINUTE_MS;
  if (!isIdle) yield ["events", processAt(began_ms, "PROCESS_START"), began_ms];
  for (let ago = MINUTES; ago >= 0; ago -= 1) {
    const own = each(ago);
    if (own === null) continue;
    const scatter = ((ago * 37) % 11) / 5 - 1;
    const light = { UVR_INTENSITY: 420 + scatter };
    const at_ms = NEWEST_MS - ago * MINUTE_MS;
    if (ago < heartbeats_min) {
      yield ["telemetry", { timestamp: printTime(at_ms), HEARTBEAT: ago }, at_ms];
      continue;
    }
    const told_ms = at_ms < STEP_MS ? at_ms : at_ms - back_h * HOUR_MS;
    yield ["telemetry", { ...readingAt(told_ms), ...light, ...statuses(lamps), ...own }, at_ms];
  }
}

const readingAt = (at_ms: number) => ({
  ...{ timestamp: printTime(at_ms), PROCESS_STATE: "RUNNING", COMPLIANCE_MODE: "IMO" },
  ...{ operation_type: "BALLAST", location: "Singapore", SYS_FLOW_RATE: 600 },
  ...{ UVR_INTENSITY: 420, UVR_POWER_OUTPUT: 90 },
  SYS_TOTAL_BALLAST_VOL: 100_000 + (600 * (at_ms - NEWEST_MS + 72 * HOUR_MS)) / HOUR_MS,
});

const statuses = (lamps: NonNullable<PresentState["lamps"]>) =>
  Object.fromEntries(
    LAMP_NUMBERS.map((lamp) => [`LAMP_${lamp}_STATUS`, lamp in lamps ? lamps[lamp] : "ACTIVE"]),
  );

const processAt = (at_ms: number, event_type: string) => ({
  ...{ timestamp: printTime(at_ms), event_type },
  data: { operation_type: "BALLAST", location: "Singapore" },
});

const alarmOf = (code: string) => ({
  ...{ timestamp: printTime(NEWEST_MS), event_type: "ALARM_TRIGGERED", description: code },
  data: { code },
});

function forecastOf(lamp: string, left: number | "worn") {
  const isWorn = left === "worn";
  const hours = isWorn ? 0 : left;
  return {
    at_ms: NEWEST_MS,
    component_id: `LAMP_${lamp}`,
    predictions: {
      ...{ remaining_useful_life_hours: hours, failure_probability: isWorn ? 1 : 0.1 },
      ...{ efficiency_percent: null, remaining_useful_life_hours_p05: 0 },
      ...{ remaining_useful_life_hours_p95: hours * 2, horizon_hours: 500, basis: "fit" },
      ...{ model_version: "lamps-9", expected_end: isWorn ? ("worn" as const) : null },
      ...{ remaining_operations: null, remaining_days: null, end_date_p05: null },
      ...{ end_date_p50: null, end_date_p95: null, counter_divisor: null, profile: null },
      data_through: printTime(NEWEST_MS),
    },
    current_state: {
      ...{ runtime_hours: 2900, efficiency_percent: isWorn ? 66 : 80 },
      ...{ status: isWorn ? "DEGRADED" : "OPERATIONAL", fitted: "2025-01-01T00:00:00.000Z" },
    },
  };
}
