// Reads the answers that only the handover needs: new lamps, scores of health, gaps, steps of
// clocks, quarantined messages, and the intensity at a moment.

import type { ClockName, stepAnswer } from "../../bwts/clock-step.ts";
import type { gapAnswer } from "../../bwts/present/silence.ts";
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
import {
  aFlag,
  aNumber,
  aText,
  aTime,
  each,
  membersOf,
  orNull,
  type ValueOf,
  wordFrom,
} from "../store/shapes.ts";

/** The names of clocks. Unlike the API's table they need no zod. */
const CLOCK_NAMES: readonly ClockName[] = ["plc", "box"];

type AnyMembers = Readonly<Record<string, unknown>>;

const asideCount = membersOf<SetAside>()({
  ...{ newest_ms: aTime, reason: aText, messages: aNumber, exact: aFlag },
});
export type AsideCount = ValueOf<typeof asideCount>;

export const readAside = each(asideCount);

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

const gap = membersOf<ReturnType<typeof gapAnswer>>()({
  ...{ start_ms: aTime, end_ms: orNull(aTime) },
});
/** A gap; `end_ms` is null while it lasts. */
export type ReportedGap = ValueOf<typeof gap>;

export const readGaps = each(gap);

const clockChange = membersOf<ReturnType<typeof stepAnswer>>()({
  ...{ at_ms: aTime, clock: wordFrom(CLOCK_NAMES), seconds: aNumber },
});
/** A step of a clock, in seconds; positive if the clock was set forward. */
export type ClockChange = ValueOf<typeof clockChange>;

const clockChanges = each(clockChange);
export const readClockChanges: Read<readonly ClockChange[]> = (body) =>
  isLike<{ steps: unknown }>(body) ? clockChanges(body.steps) : null;

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
