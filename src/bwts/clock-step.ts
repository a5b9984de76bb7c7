// Steps of clocks, as answered and audited: the clock, the times before and after, the evidence,
// and the usual cause of a step of whole hours.

import * as z from "zod";
import { HOUR_MS, printTime } from "../ground/clock.ts";

const CLOCKS = ["plc", "box"] as const;
export type ClockName = (typeof CLOCKS)[number];

/** A clock that was set: the time that it would have shown, and the time that it showed. */
export interface ClockStep {
  /** Time of the step by the box's clock, after the step. */
  readonly at_ms: number;
  readonly clock: ClockName;
  readonly from_ms: number;
  readonly to_ms: number;
  readonly found: string;
}

/** Maximum deviation from whole hours for a named step: readings measure a step to some seconds. */
const NAMED_WITHIN_MS = 5000;
/** Maximum difference between two time zones, in hours. */
const ZONE_HOURS_MAX = 26;

/** The usual cause of a step of whole hours; null for any other step. */
export function stepName({ from_ms, to_ms }: ClockStep): string | null {
  const hours = Math.round((to_ms - from_ms) / HOUR_MS);
  const isWhole = Math.abs(to_ms - from_ms - hours * HOUR_MS) <= NAMED_WITHIN_MS;
  if (!isWhole || hours === 0 || Math.abs(hours) > ZONE_HOURS_MAX) return null;
  return Math.abs(hours) === 1 ? "daylight saving" : "time zone";
}

/** The text of the alert, and of the reason in /readyz, while ballastd's clock isn't trusted. */
export const untrustedText = (problem: string) =>
  `the clock of ballastd's computer isn't trusted: ${problem}`;

/** A step as it is answered and audited. */
export function stepAnswer(step: ClockStep): z.output<typeof ClockStepAnswer> {
  return {
    at: printTime(step.at_ms),
    clock: step.clock,
    from: printTime(step.from_ms),
    to: printTime(step.to_ms),
    seconds: (step.to_ms - step.from_ms) / 1000,
    name: stepName(step),
    found: step.found,
  };
}

const time = z.iso.datetime();

const ClockStepAnswer = z
  .object({
    at: time.meta({ description: "by the box's clock, after the step" }),
    clock: z.enum(CLOCKS).meta({ description: "the one that was set" }),
    from: time.meta({ description: "the time that it would have shown" }),
    to: time.meta({ description: "what it said" }),
    seconds: z.number().meta({ description: "to less from: positive forward" }),
    name: z.string().nullable().meta({
      description: "what a step of whole hours usually is: daylight saving (one), time zone",
    }),
    found: z.string().meta({ description: "how it was found" }),
  })
  .meta({ id: "ClockStep" });

/** The present state of the clocks. */
export type ClockNow = Omit<z.output<typeof ClockAnswer>, "steps">;

export const ClockAnswer = z
  .object({
    now: time,
    trusted: z.boolean().meta({ description: "whether the box's clock can be right" }),
    problem: z.string().nullable().meta({ description: "why it isn't trusted; null when it is" }),
    offset_seconds: z.number().nullable().meta({
      description: "the PLC's clock less the box's, the median of live readings; null: not known",
    }),
    reading_offset_seconds: z.number().nullable().meta({
      description: "the same when readings were last stored: their ages follow from it",
    }),
    offset_readings: z.number().int().min(0).meta({ description: "how many that median is of" }),
    offset_at: time.nullable().meta({ description: "when the last of them was received" }),
    drift_seconds_per_day: z.number().nullable().meta({
      description: "how much the offset grows; null until it was watched for an hour",
    }),
    steps: z.array(ClockStepAnswer).meta({ description: "newest first" }),
  })
  .meta({
    id: "Clock",
    example: {
      now: "2026-05-01T06:30:00.000Z",
      trusted: true,
      problem: null,
      offset_seconds: -1.4,
      reading_offset_seconds: -1.4,
      offset_readings: 15,
      offset_at: "2026-05-01T06:30:00.000Z",
      drift_seconds_per_day: 0.6,
      steps: [
        {
          at: "2026-03-29T01:00:04.000Z",
          clock: "plc",
          from: "2026-03-29T01:00:02.600Z",
          to: "2026-03-29T02:00:02.600Z",
          seconds: 3600,
          name: "daylight saving",
          found: "by live readings",
        },
      ],
    },
  });
