// Decides when a plant has fallen silent, and if that is a fault: an idle plant may be silent, one
// in the middle of an operation may not. Used for past gaps and for the present alarm.

import * as z from "zod";
import { printTime } from "../../ground/clock.ts";
import type { HealthLimits } from "../health.ts";
import { wordOf } from "../plc-word.ts";
import type { Reading } from "../reading.ts";
import { indexOfTag } from "../tags.ts";
import { isTreating } from "../treating.ts";

/** A time in which an operation ran; `end_ms` is null while no end is known. */
export interface RunningOperation {
  readonly start_ms: number;
  readonly end_ms: number | null;
  readonly operation_type: string | null;
  /** The evidence: PROCESS_START and PROCESS_STOP, or the readings before and after. */
  readonly known_by: KnownBy;
}

export const KNOWN_BY = ["events", "readings"] as const;
export type KnownBy = (typeof KNOWN_BY)[number];

/** A PROCESS_START or PROCESS_STOP. */
export interface ProcessEvent {
  readonly at_ms: number;
  readonly isStart: boolean;
  readonly operation_type: string | null;
}

/** The readings around a silence; `after` is null while it lasts. */
export interface Silence {
  readonly before: Reading;
  readonly after: Reading | null;
}

const STATE = indexOfTag("PROCESS_STATE");
const OPERATION = indexOfTag("operation_type");

/**
 * The operations that ran during a silence. `events` are the process events in it and the last one
 * before it, ascending. An operation whose stop was never sent counts as ended if a reading says
 * IDLE.
 */
export function runningIn(
  silence: Silence,
  events: readonly ProcessEvent[],
  limits: HealthLimits,
): readonly RunningOperation[] {
  const { before, after } = silence;
  const running: RunningOperation[] = [];
  let open: { readonly start_ms: number; readonly operation_type: string | null } | null = null;
  for (const { at_ms, isStart, operation_type } of events) {
    const start_ms = Math.max(at_ms, before.at_ms);
    if (isStart && (at_ms > before.at_ms || !isIdle(before))) open ??= { start_ms, operation_type };
    else if (!isStart && open !== null) {
      if (at_ms > open.start_ms) running.push({ ...open, end_ms: at_ms, known_by: "events" });
      open = null;
    }
  }
  if (open !== null) running.push({ ...open, end_ms: after?.at_ms ?? null, known_by: "events" });
  const hasStopped = events.some(({ at_ms, isStart }) => !isStart && at_ms >= before.at_ms);
  const treats = isTreating(before, limits) && (after === null || isTreating(after, limits));
  if (running.length > 0 || hasStopped || !treats) return running;
  const operation = before.values[OPERATION];
  const operation_type = typeof operation === "string" ? operation : null;
  const end_ms = after?.at_ms ?? null;
  return [{ start_ms: before.at_ms, end_ms, operation_type, known_by: "readings" }];
}

function isIdle({ values }: Reading): boolean {
  return wordOf(values[STATE]) === "IDLE";
}

/** A gap as the API shows it. */
export interface ShownGap extends Omit<RunningOperation, "end_ms"> {
  /** End of the gap; now, while it lasts. */
  readonly end_ms: number;
  readonly isOpen: boolean;
}

export function gapAnswer(gap: ShownGap): z.output<typeof GapAnswer> {
  return {
    start: printTime(gap.start_ms),
    end: gap.isOpen ? null : printTime(gap.end_ms),
    seconds: (gap.end_ms - gap.start_ms) / 1000,
    operation_type: gap.operation_type,
    known_by: gap.known_by,
  };
}

const time = z.iso.datetime();

export const GapAnswer = z
  .object({
    start: time,
    end: time.nullable().meta({ description: "null while it lasts" }),
    seconds: z.number().meta({ description: "up to now while it lasts" }),
    operation_type: z.string().nullable(),
    known_by: z.enum(KNOWN_BY).meta({
      description:
        "how it is known that an operation was running: PROCESS_START and PROCESS_STOP, " +
        "or the readings before and after the gap, in both of which water was treated",
    }),
  })
  .meta({
    id: "Gap",
    example: {
      start: "2026-05-01T06:30:00.000Z",
      end: "2026-05-01T06:41:12.000Z",
      seconds: 672,
      operation_type: "BALLAST",
      known_by: "events",
    },
  });
