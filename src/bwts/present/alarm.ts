// Alerts as /api/alarms answers them: ballastd's own, whose end it knows, and the treatment
// system's, whose end few systems report. The path and the older members say alarm.

import * as z from "zod";
import { printTime } from "../../ground/clock.ts";
import { asNumber, asText, nameIn } from "../reading.ts";
import { aboutAlert, FURTHER_ALARMS } from "./alert.ts";
import { ALERT_STATES, type AlertState, PRIORITIES } from "./priority.ts";

const ALARM_STATES = ["active", "cleared", "unknown"] as const;

/** The values of the parameter `state`; `open` means every alert that isn't closed. */
export const ASKED_STATES = [...ALARM_STATES, "open"] as const;
export type AlarmStateFilter = (typeof ASKED_STATES)[number];

const time = z.iso.datetime();
const text = z.string().nullable();

export const AlarmAnswer = z
  .object({
    code: z.string().nullable().meta({ description: "what a program tells alarms apart by" }),
    description: z.string(),
    source: z.enum(["ballastd", "plc"]).meta({ description: "who raised it" }),
    state: z.enum(ALARM_STATES).meta({
      description: "unknown: the treatment system hasn't said that it ended",
    }),
    since: time.meta({ description: "when it rose first" }),
    cleared_at: time.nullable(),
    parameter: text,
    value: z.number().nullable().meta({ description: "when it rose" }),
    limit: z.number().nullable(),
    unit: text,
    data: z.object({}).catchall(z.unknown()).meta({ description: "as /api/events has it" }),
    id: z.string().meta({ description: "by which it is acknowledged and shelved" }),
    priority: z.enum(PRIORITIES).meta({
      description: "the treatment system's are alarms, ballastd's own warnings or cautions",
    }),
    alert_state: z.enum(ALERT_STATES).meta({
      description:
        "rectified: over, and not acknowledged; closed: over and acknowledged, or a caution that " +
        "is over; an alarm of the treatment system is closed when it is acknowledged",
    }),
    count: z.number().int().min(1).meta({ description: "how often it rose" }),
    last_raised: time.meta({ description: "when it rose last" }),
    lamp: z.number().int().min(1).max(16).nullable().meta({ description: "if it is about one" }),
    limit_source: text.meta({ description: "where the limit comes from: limits.source" }),
    acknowledged_at: time.nullable(),
    acknowledged_by: text,
    acknowledged_note: text,
    shelved_until: time.nullable().meta({ description: "null: it isn't shelved now" }),
    shelved_by: text,
    shelved_reason: text,
    action: z.string().meta({ description: "what to do" }),
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
      id: "own-17",
      priority: "warning",
      alert_state: "closed",
      count: 1,
      last_raised: "2026-05-01T06:30:00.000Z",
      lamp: null,
      limit_source: null,
      acknowledged_at: "2026-05-01T06:43:20.000Z",
      acknowledged_by: "chief",
      acknowledged_note: null,
      shelved_until: null,
      shelved_by: null,
      shelved_reason: null,
      action: "Look whether the PLC runs and its cable is in.",
    },
  });
export type AlarmAnswer = z.output<typeof AlarmAnswer>;

/** The members that alert_state is derived from. */
export interface AlertStanding {
  readonly source: "ballastd" | "plc";
  readonly cleared_ms: number | null;
  readonly acknowledged_ms: number | null;
  readonly is_open: number;
}

/** An alert as it is stored. */
export interface StoredAlarm extends AlertStanding {
  readonly id: number;
  readonly code: string;
  readonly raised_ms: number;
  readonly last_ms: number;
  readonly count: number;
  readonly acknowledged_by: string | null;
  readonly acknowledged_note: string | null;
  readonly shelved_until_ms: number | null;
  readonly shelved_by: string | null;
  readonly shelved_reason: string | null;
  readonly description: string;
  readonly data: string;
  /** Identity of the first event, for an alarm of the treatment system; else null. */
  readonly identity: Uint8Array | null;
}

/** An alert as the API answers it; `data` is the parsed stored JSON. */
export function alarmAnswer(
  row: StoredAlarm,
  data: Readonly<Record<string, unknown>>,
  now_ms: number,
): AlarmAnswer {
  const { source, code, count, description } = row;
  const isFurther = source === "plc" && code === FURTHER_ALARMS;
  const facts = isFurther ? { code, parameter: null } : data;
  const parameter = nameIn(facts.parameter);
  const known = nameIn(facts.code) ?? codeIn(description);
  const repeated = source === "ballastd" && count > 1 ? { repeated: count - 1 } : {};
  return {
    code: known,
    description: isFurther ? `${code}: further alarms, all of them in /api/events` : description,
    source,
    state: row.cleared_ms !== null ? "cleared" : source === "plc" ? "unknown" : "active",
    since: printTime(row.raised_ms),
    cleared_at: timeOf(row.cleared_ms),
    parameter,
    value: asNumber(facts.value),
    limit: asNumber(facts.limit),
    unit: asText(facts.unit),
    data: { ...(isFurther ? {} : data), source, ...repeated },
    id: alarmId(row),
    priority: aboutAlert(source, known).priority,
    alert_state: alertStateOf(row),
    count,
    last_raised: printTime(row.last_ms),
    lamp: lampOf(parameter),
    limit_source: asText(facts.limit_source),
    ...acknowledgementOf(row),
    ...shelvingOf(row, now_ms),
    action: aboutAlert(source, known).action,
  };
}

export function alertStateOf(row: AlertStanding): AlertState {
  if (row.is_open === 0) return "closed";
  if (row.cleared_ms !== null) return "rectified";
  return row.acknowledged_ms === null ? "unacknowledged" : "acknowledged";
}

type Acknowledgement = Pick<
  StoredAlarm,
  "acknowledged_ms" | "acknowledged_by" | "acknowledged_note"
>;

export function acknowledgementOf(row: Acknowledgement) {
  return {
    acknowledged_at: timeOf(row.acknowledged_ms),
    acknowledged_by: row.acknowledged_by,
    acknowledged_note: row.acknowledged_note,
  };
}

type Shelving = Pick<StoredAlarm, "shelved_until_ms" | "shelved_by" | "shelved_reason">;

/** The members about shelving; nulls if the alert isn't shelved at `now_ms`. */
export function shelvingOf(row: Shelving, now_ms: number) {
  const shelved_until = shelvedUntil(row.shelved_until_ms, now_ms);
  const isShelved = shelved_until !== null;
  return {
    shelved_until,
    shelved_by: isShelved ? row.shelved_by : null,
    shelved_reason: isShelved ? row.shelved_reason : null,
  };
}

/** The end of a shelving, printed; null without one, and after it. */
export function shelvedUntil(until_ms: number | null, now_ms: number): string | null {
  return until_ms !== null && until_ms > now_ms ? printTime(until_ms) : null;
}

/** The code of a description such as `UV_LOW: below the limit`; null if it has none. */
export function codeIn(description: string): string | null {
  return /^([A-Z][A-Z0-9_]+)(?::|$)/.exec(description)?.[1] ?? null;
}

/**
 * Number of hex digits of an event's identity in an id, enough that two events don't share them by
 * chance.
 */
const IDENTITY_DIGITS = 16;

/**
 * The id of an alert. For the treatment system's it is made of its first event's identity, so that
 * it stays the same when the alerts are made anew from the events.
 */
export function alarmId({ source, id, identity }: Pick<StoredAlarm, "source" | "id" | "identity">) {
  if (source === "ballastd") return `own-${id}`;
  const digits = Array.from(identity ?? [], (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `plc-${digits.slice(0, IDENTITY_DIGITS)}`;
}

/** A parsed id: a row's id, or the first hex digits of an event's identity. */
export type AlarmName =
  | { readonly source: "ballastd"; readonly id: number }
  | { readonly source: "plc"; readonly identity: string };

/** Parses an id of an alert; null for a text that can't be an id. */
export function alarmNamed(text: string): AlarmName | null {
  const own = /^own-([1-9]\d{0,14})$/.exec(text)?.[1];
  if (own !== undefined) return { source: "ballastd", id: Number(own) };
  const plc = /^plc-([0-9a-f]+)$/.exec(text)?.[1];
  return plc?.length === IDENTITY_DIGITS ? { source: "plc", identity: plc } : null;
}

/** The lamp that a parameter such as LAMP_07_STATUS belongs to. */
function lampOf(parameter: string | null): number | null {
  const lamp = Number(/^LAMP_(\d\d)_/.exec(parameter ?? "")?.[1] ?? 0);
  return lamp >= 1 && lamp <= 16 ? lamp : null;
}

const timeOf = (at_ms: number | null) => (at_ms === null ? null : printTime(at_ms));
