// The main question of the page: is water treated now? The answer is never newer than the newest
// reading: if that is old, the page shows its age and the state by the events. Hours without a
// reading are normal for an idle plant, and an alarm during an operation.

import { wordOf } from "../../bwts/plc-word.ts";
import { indexOfTag } from "../../bwts/tags.ts";
import { isTreating } from "../../bwts/treating.ts";
import { printAge, printMoment } from "../parts/moments.ts";
import { isStale, STALE_MS } from "../parts/stale.ts";
import type { Limits, ShownEvent, ShownReading } from "../store/answers.ts";

/** The urgency: good (green), quiet (nothing to do), warn, alarm. */
export type Tone = "good" | "quiet" | "warn" | "alarm";

export interface Verdict {
  readonly tone: Tone;
  readonly headline: string;
  readonly detail: string;
}

/** The operation's events; null if they could not be read. */
export interface ProcessEvents {
  readonly start: ShownEvent | null;
  readonly stop: ShownEvent | null;
}

const STATE = indexOfTag("PROCESS_STATE");

/** Facts for a verdict beside the reading; null if unreadable. */
export interface Circumstances {
  readonly process: ProcessEvents | null;
  readonly limits: Limits | null;
  readonly now_ms: number;
}

/** The verdict on treatment, by `reading` and, if it is stale, by the events. */
export function verdict(reading: ShownReading, around: Circumstances): Verdict {
  return isStale(reading, around.now_ms)
    ? staleVerdict(reading, around)
    : freshVerdict(reading, around);
}

function freshVerdict(reading: ShownReading, { process, limits, now_ms }: Circumstances): Verdict {
  const state = reading.values[STATE];
  const running = process === null ? null : operationInProgress(process);
  const detail =
    running === null ? "" : `In progress according to events: ${operation(running, now_ms)}.`;
  if (limits !== null && isBelowLimit(reading, limits)) {
    return { tone: "alarm", headline: `Treating water BELOW THE UV LIMIT: ${state}`, detail };
  }
  if (treats(reading, limits)) {
    return { tone: "good", headline: `Treating water: ${state ?? FLOWING}`, detail };
  }
  switch (wordOf(state)) {
    case null:
      return { tone: "warn", headline: "Not known: the plant sends no controller state", detail };
    case "FAULT":
    case "BYPASS":
      return { tone: "alarm", headline: `Not treating water: ${state}`, detail };
    case "IDLE":
    case "WARMUP":
    case "CIP":
    case "STOPPING":
      return { tone: "quiet", headline: `Not treating water: ${state}`, detail };
    default:
      return { tone: "warn", headline: `Not known: controller state ${state}`, detail };
  }
}

const FLOWING = "by its flow, for it sends no controller state";

/** Without the configured limits only the controller's state counts. */
function treats(reading: ShownReading, limits: Limits | null): boolean {
  return isTreating(reading, { flow_max_imo: limits?.flow_max_imo ?? Number.POSITIVE_INFINITY });
}

function staleVerdict(reading: ShownReading, { process, limits, now_ms }: Circumstances): Verdict {
  const age = printAge(now_ms - reading.at_ms);
  const headline = `STALE: no reading for ${age}`;
  const perhaps = "The plant may be idle or the link may be down";
  if (process === null) {
    return { tone: "warn", headline, detail: `${perhaps}; its events could not be read.` };
  }
  const running = operationInProgress(process);
  if (running !== null) {
    const which = operation(running, now_ms);
    const detail = `${perhaps}; operation in progress according to events: ${which}.`;
    return { tone: "alarm", headline, detail };
  }
  const { stop } = process;
  if (treats(reading, limits) && !isStopped(reading, stop)) {
    const state = reading.values[STATE] ?? "that water flowed";
    const detail = `${perhaps}; the last reading said ${state}, and no stop was reported.`;
    return { tone: "alarm", headline, detail };
  }
  if (stop === null) return { tone: "warn", headline, detail: `${perhaps}.` };
  const since = printMoment(Math.max(stop.at_ms, reading.at_ms), now_ms);
  return {
    tone: "quiet",
    headline: `Idle since ${since}`,
    detail: `STALE: no reading for ${age}. The last operation was stopped, according to events.`,
  };
}

/**
 * The start without a following stop. Of two at one instant the stop belongs to the operation
 * before.
 */
function operationInProgress({ start, stop }: ProcessEvents): ShownEvent | null {
  if (start === null) return null;
  return stop === null || start.at_ms >= stop.at_ms ? start : null;
}

/** `BALLAST at Singapore since 14:05 UTC` */
function operation(start: ShownEvent, now_ms: number): string {
  const place = start.location === null ? "" : ` at ${start.location}`;
  const since = printMoment(start.at_ms, now_ms);
  return `${start.operation_type ?? "operation of unknown type"}${place} since ${since}`;
}

/** False if the reading came well after any known stop. */
function isStopped(reading: ShownReading, stop: ShownEvent | null): boolean {
  return stop !== null && stop.at_ms >= reading.at_ms - STALE_MS;
}

/** The lowest intensity allowed by the reading's compliance mode, null if either is unknown. */
export function uvLimit(reading: ShownReading, limits: Limits): number | null {
  switch (wordOf(reading.values[indexOfTag("COMPLIANCE_MODE")])) {
    case "IMO":
      return limits.uv_imo;
    case "USCG":
      return limits.uv_uscg;
    default:
      return null;
  }
}

/** Intensity is judged only while RUNNING: a lamp that warms up or stops is below every limit. */
export function isBelowLimit(reading: ShownReading, limits: Limits): boolean {
  const intensity = reading.values[indexOfTag("UVR_INTENSITY")];
  const limit = uvLimit(reading, limits);
  if (wordOf(reading.values[STATE]) !== "RUNNING") return false;
  return typeof intensity === "number" && limit !== null && intensity < limit;
}
