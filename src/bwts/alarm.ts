// Alarms as /api/alarms answers them: ballastd's own, whose end it knows, and the treatment
// system's, which report only their start.

import * as z from "zod";
import { printTime } from "../ground/clock.ts";

export const ALARM_STATES = ["active", "cleared", "unknown"] as const;
export type AlarmState = (typeof ALARM_STATES)[number];

const time = z.iso.datetime();

export const AlarmAnswer = z
  .object({
    code: z.string().nullable().meta({ description: "what a program tells alarms apart by" }),
    description: z.string(),
    source: z.enum(["ballastd", "plc"]).meta({ description: "who raised it" }),
    state: z.enum(ALARM_STATES).meta({
      description: "unknown: the treatment system doesn't say when its alarms end",
    }),
    since: time,
    cleared_at: time.nullable(),
    parameter: z.string().nullable(),
    value: z.number().nullable().meta({ description: "when it rose" }),
    limit: z.number().nullable(),
    unit: z.string().nullable(),
    data: z.object({}).catchall(z.unknown()).meta({ description: "as /api/events has it" }),
  })
  .meta({
    id: "Alarm",
    example: {
      code: "NO_DATA",
      description: "NO_DATA: no readings come though an operation is running",
      source: "ballastd",
      state: "cleared",
      since: "2026-05-01T06:30:00.000Z",
      cleared_at: "2026-05-01T06:41:12.000Z",
      parameter: "last_reading",
      value: 122,
      limit: 120,
      unit: "s",
      data: { source: "ballastd", code: "NO_DATA", operation_type: "BALLAST" },
    },
  });
export type AlarmAnswer = z.output<typeof AlarmAnswer>;

/** An alarm as it is stored. */
export interface StoredAlarm {
  readonly at_ms: number;
  readonly cleared_ms: number | null;
  readonly source: "ballastd" | "plc";
  readonly state: AlarmState;
  readonly description: string;
  readonly data: string;
  /** Identity of the event, for alarms of the treatment system; null for ballastd's own. */
  readonly identity: unknown;
}

/** `data` is the stored JSON. */
export function alarmAnswer(
  row: StoredAlarm,
  data: Readonly<Record<string, unknown>>,
): AlarmAnswer {
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

/** The code of a description such as `UV_LOW: below the limit`; null if it has none. */
export function codeIn(description: string): string | null {
  return /^([A-Z][A-Z0-9_]+)(?::|$)/.exec(description)?.[1] ?? null;
}

/** The codes of the alarms that jobs raise. */
export const OWN_ALARMS = {
  disk: "DISK_LOW",
  silence: "NO_DATA",
  clock: "CLOCK_NOT_TRUSTED",
  ahead: "READINGS_AHEAD",
  broker: "BROKER_LOST",
  counters: "LAMP_COUNTERS_FAST",
  tags: "TAG_NAMES_FULL",
  job: "JOB_FAILING",
  damage: "DATA_DAMAGED",
  filter_dp: "FILTER_DP_HIGH",
  flow: "FLOW_ABOVE_CERTIFIED",
} as const;
