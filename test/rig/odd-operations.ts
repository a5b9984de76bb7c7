// A plant as real ones send: values that move to the digit, totalisers of both types, idle readings
// before and after an operation. A test says what is odd in it.

import type { HistoryItem } from "./operation-histories.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

export type OddValues = Readonly<Record<string, unknown>>;

export interface OddOperation {
  /** 60 by default. */
  readonly every_s?: number;
  /** 120 by default. */
  readonly minutes?: number;
  readonly type?: "BALLAST" | "DEBALLAST";
  /** The values that differ in a reading; null: none is sent. */
  readonly but?: (minute: number, index: number) => OddValues | null;
  /** The minutes at which readings are sent, in place of a cadence. */
  readonly minutesAt?: readonly number[];
  /** Events in place of its start and stop: type of the event, minute, data. */
  readonly events?: readonly OddEvent[];
  /** Its start and stop say neither type nor place. */
  readonly isBare?: boolean;
}
type Verdict = "within_limits" | "outside_limits" | "cannot_tell" | null;
/** With the verdicts of the operations that are found in it, and the volume of the first. */
export type Odd = readonly [
  title: string,
  odd: OddOperation,
  verdicts: readonly Verdict[],
  volume_m3?: number | null,
];
export type OddEvent = readonly [event_type: string, minute: number, data?: OddValues];

const BEFORE_MIN = 30;
const AFTER_MIN = 50;

/** The steady flow of `total_m3` and its neighbours, m3/h. */
export const flowAt = (minute: number) => 600 + 20 * Math.sin(minute / 7);
/** The integral of `flowAt` from minute 0, m3. */
export const volumeAt = (minute: number) => (600 * minute - 140 * (Math.cos(minute / 7) - 1)) / 60;
export const total = (minute: number) => ({ SYS_TOTAL_BALLAST_VOL: 40_000 + volumeAt(minute) });

/** All that the plant sends of an operation, in order of time. */
export function sentOf(start_ms: number, odd: OddOperation): readonly HistoryItem[] {
  const { every_s = 60, minutes = 120, type = "BALLAST", but = () => ({}), isBare = false } = odd;
  const told = isBare ? {} : { operation_type: type, location: "Busan" };
  const events = odd.events ?? [
    ["PROCESS_START", 0, told],
    ["PROCESS_STOP", minutes, told],
  ];
  const steps = Math.floor((minutes * 60) / every_s) + 1;
  const times = odd.minutesAt ?? Array.from({ length: steps }, (_, at) => (at * every_s) / 60);
  const timeOf = (minute: number) => start_ms + Math.round(minute * MINUTE_MS);
  const items: HistoryItem[] = events.map(([event_type, minute, data = told]) => ({
    kind: "events",
    content: { timestamp: timeOf(minute), event_type, data },
  }));
  const telemetry = (minute: number, values: OddValues): HistoryItem => ({
    kind: "telemetry",
    content: { timestamp: timeOf(minute), ...values },
  });
  for (const [index, minute] of times.entries()) {
    const changed = but(minute, index);
    if (changed !== null)
      items.push(telemetry(minute, { ...runningAt(minute, type), ...told, ...changed }));
  }
  const last = Math.max(minutes, times.at(-1) ?? 0, ...events.map(([, minute]) => minute));
  for (let minute = -BEFORE_MIN; minute < 0; minute += 1)
    items.push(telemetry(minute, idleAt(0, minute, type)));
  for (let minute = last + 1; minute <= last + AFTER_MIN; minute += 1)
    items.push(telemetry(minute, idleAt(last, minute, type)));
  return items.toSorted((one, other) => one.content.timestamp - other.content.timestamp);
}

function totalsOf(minute: number, type: string): OddValues {
  const [own, other] = [total(minute).SYS_TOTAL_BALLAST_VOL, 7000];
  return type === "BALLAST"
    ? { SYS_TOTAL_BALLAST_VOL: own, SYS_TOTAL_DEBALLAST_VOL: other }
    : { SYS_TOTAL_DEBALLAST_VOL: own, SYS_TOTAL_BALLAST_VOL: other };
}

export const runningAt = (minute: number, type = "BALLAST"): OddValues => ({
  ...{ PROCESS_STATE: "RUNNING", COMPLIANCE_MODE: "IMO", SYS_FLOW_RATE: flowAt(minute) },
  ...{ UVR_INTENSITY: 600 + 10 * Math.sin(minute / 3), UVR_POWER_OUTPUT: 85 + Math.sin(minute) },
  ...{ SYS_PRESSURE: 2.5 + 0.1 * Math.cos(minute), UVR_WATER_TEMP: 19 + Math.sin(minute / 11) },
  ...totalsOf(minute, type),
});

/** A reading at rest, with the totalisers as they were. */
const idleAt = (still: number, minute: number, type: string): OddValues => ({
  ...{ PROCESS_STATE: "IDLE", COMPLIANCE_MODE: "IMO", SYS_FLOW_RATE: 0, UVR_INTENSITY: 0 },
  ...{ UVR_POWER_OUTPUT: 0, SYS_PRESSURE: 0.1, UVR_WATER_TEMP: 18 + Math.sin(minute / 11) },
  ...totalsOf(still, type),
});
