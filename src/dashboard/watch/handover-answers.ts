// Reads the answers that only the handover needs: new lamps, scores of health, gaps, steps of
// clocks, quarantined messages, and the intensity at a moment.

import type { ClockName } from "../../bwts/clock-step.ts";
import type { SetAside } from "../../bwts/quarantine.ts";
import {
  instant,
  isLike,
  isNumberOrNull,
  listOf,
  numberOrNull,
  type Read,
  textOrNull,
} from "../store/checks.ts";

/** The names of clocks. Unlike the API's table they need no zod. */
const CLOCK_NAMES: readonly ClockName[] = ["plc", "box"];

type AnyMembers = Readonly<Record<string, unknown>>;

export interface AsideCount {
  readonly at_ms: number;
  readonly reason: string;
  readonly messages: number;
  readonly isExact: boolean;
}

export const readAside: Read<readonly AsideCount[]> = (body) =>
  listOf(body, (one) => {
    if (!isLike<SetAside>(one)) return null;
    const [at_ms, reason] = [instant(one.newest), textOrNull(one.reason)];
    const messages = numberOrNull(one.messages);
    if (at_ms === null || reason === null || messages === null) return null;
    return { at_ms, reason, messages, isExact: one.exact === true };
  });

export interface NewLamp {
  readonly lamp: number;
  readonly at_ms: number;
}

/** Reads the lamps in use whose replacement is known. */
export const readNewLamps: Read<readonly NewLamp[]> = (body) => {
  if (!isLike<{ lamps: unknown }>(body) || !Array.isArray(body.lamps)) return null;
  const found: NewLamp[] = [];
  for (const one of body.lamps) {
    if (!isLike<AnyMembers>(one)) return null;
    const lamp = numberOrNull(one.lamp);
    const { present } = one;
    if (lamp === null) return null;
    if (!isLike<AnyMembers>(present) || present.began_by === "first_seen") continue;
    const at_ms = instant(present.began);
    if (at_ms === null) return null;
    found.push({ lamp, at_ms });
  }
  return { value: found };
};

export interface Score {
  readonly at_ms: number;
  readonly score: number | null;
}

export const readScores: Read<readonly Score[]> = (body) =>
  listOf(body, (one) => {
    if (!isLike<AnyMembers>(one) || !isNumberOrNull(one.overall_score)) return null;
    const at_ms = instant(one.timestamp);
    return at_ms === null ? null : { at_ms, score: numberOrNull(one.overall_score) };
  });

export interface ReportedGap {
  readonly start_ms: number;
  /** End of the gap; null while it lasts. */
  readonly end_ms: number | null;
}

export const readGaps: Read<readonly ReportedGap[]> = (body) =>
  listOf(body, (one) => {
    const start_ms = isLike<AnyMembers>(one) ? instant(one.start) : null;
    return start_ms === null || !isLike<AnyMembers>(one)
      ? null
      : { start_ms, end_ms: instant(one.end) };
  });

export interface ClockChange {
  readonly at_ms: number;
  readonly clock: ClockName;
  /** Size of the step in seconds; positive if the clock was set forward. */
  readonly seconds: number;
}

export const readClockChanges: Read<readonly ClockChange[]> = (body) =>
  isLike<{ steps: unknown }>(body)
    ? listOf(body.steps, (one) => {
        if (!isLike<AnyMembers>(one)) return null;
        const at_ms = instant(one.at);
        const seconds = numberOrNull(one.seconds);
        const clock = CLOCK_NAMES.find((name) => name === one.clock);
        return at_ms === null || seconds === null || clock === undefined
          ? null
          : { at_ms, clock, seconds };
      })
    : null;

/** A reading of the fields that show if water was treated, and of the intensity. */
export interface ShownReading {
  readonly at_ms: number;
  readonly state: string | null;
  readonly flow: number | null;
  readonly intensity: number | null;
}

/** Reads readings, in ascending order. */
export const readReadings: Read<readonly ShownReading[]> = (body) =>
  isLike<{ data: unknown }>(body)
    ? listOf(body.data, (one) => {
        const at_ms = isLike<AnyMembers>(one) ? instant(one.timestamp) : null;
        if (at_ms === null || !isLike<AnyMembers>(one)) return null;
        const { PROCESS_STATE: state, SYS_FLOW_RATE: flow, UVR_INTENSITY: intensity } = one;
        const numbers = { flow: numberOrNull(flow), intensity: numberOrNull(intensity) };
        return { at_ms, state: textOrNull(state), ...numbers };
      })
    : null;
