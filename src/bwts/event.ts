// Events: starts and stops of operations, alarms. A stored event never changes, and a PLC's `data`
// is kept whole, because inspectors are shown it.

import * as z from "zod";

export const EVENT_TYPES = ["PROCESS_START", "PROCESS_STOP", "ALARM_TRIGGERED"] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/**
 * Type of an event that ends an alarm of the treatment system. It is stored in the chain with the
 * other events; the API shows it as the alert's `cleared_at`, and has three types of events.
 */
export const ALARM_CLEARED = "ALARM_CLEARED";

/** The source of an event: the treatment system's controller, or ballastd itself. */
export type EventSource = "plc" | "ballastd";

export interface Event {
  readonly at_ms: number;
  readonly event_type: EventType | typeof ALARM_CLEARED;
  readonly description: string;
  /** As sent; for ballastd's own alarms the known facts. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly source: EventSource;
}

/** True for an alarm of the treatment system, and for its end. */
export function isPlantAlarm({ event_type, source }: Event): boolean {
  return isOfAlarm(event_type) && source === "plc";
}

/** True for the beginning and the end of an alarm. */
export function isOfAlarm(type: Event["event_type"]): boolean {
  return type === "ALARM_TRIGGERED" || type === ALARM_CLEARED;
}

const time = z.iso.datetime().meta({ description: "UTC with milliseconds and Z" });

/** An event on the wire. */
export const EventAnswer = z
  .object({
    timestamp: time,
    event_type: z.enum(EVENT_TYPES),
    description: z.string(),
    data: z
      .object({
        operation_type: z.string().nullable().meta({
          description: "BALLAST, DEBALLAST or CIP; null when absent",
        }),
        location: z.string().nullable(),
        target_flow: z.number().nullable().meta({ description: "m3/h" }),
      })
      .catchall(z.unknown())
      .meta({
        description:
          "These three, and whatever else was sent. " +
          "Alarms carry source: plc, or ballastd for its own.",
      }),
  })
  .meta({
    id: "Event",
    example: {
      timestamp: "2026-05-01T06:30:00.000Z",
      event_type: "PROCESS_START",
      description: "BALLAST process started at Singapore",
      data: { operation_type: "BALLAST", location: "Singapore", target_flow: 800 },
    },
  });
export type EventAnswer = z.output<typeof EventAnswer>;

/** The description of an operation's event that was sent without one. */
export function describeEvent(
  type: Event["event_type"],
  data: Readonly<Record<string, unknown>>,
): string {
  const operation = typeof data.operation_type === "string" ? data.operation_type : "UNKNOWN";
  const location = typeof data.location === "string" ? data.location : "unknown location";
  switch (type) {
    case "PROCESS_START":
      return `${operation} process started at ${location}`;
    case "PROCESS_STOP":
      return `${operation} process completed at ${location}`;
    case "ALARM_TRIGGERED":
    case ALARM_CLEARED:
      return typeof data.code === "string" ? data.code.toWellFormed() : "Alarm without a text";
  }
}

/** Code of the alarm that a publisher's last will raises. */
export const LINK_LOST = "PLC_LINK_LOST";

/** The contents of an alarm of ballastd's own; unknown members are null. */
export interface OwnAlarm {
  readonly code: string;
  /** The description after the code. */
  readonly text: string;
  readonly parameter: string | null;
  readonly value: number | null;
  readonly limit: number | null;
  readonly unit: string | null;
  /** Further members of `data`. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** An alarm that ballastd raises itself. */
export function ownAlarm(at_ms: number, alarm: OwnAlarm): Event {
  const { text, more, ...facts } = alarm;
  const operation = { operation_type: null, location: null, target_flow: null };
  return {
    at_ms,
    event_type: "ALARM_TRIGGERED",
    description: `${alarm.code}: ${text}`,
    data: { ...operation, source: "ballastd", ...facts, ...more },
    source: "ballastd",
  };
}
