// The engineer's statement about a position: its lamp was replaced, or it wasn't although it looked
// so. It overrides the tracker around that time.

import * as z from "zod";
import { HOUR_MS, parseTime, printTime } from "../../ground/clock.ts";
import { Declined } from "../../ground/errors.ts";
import { asDouble } from "../../ground/exact-json.ts";
import { isPlainLine } from "../../ground/plain-text.ts";
import { expectedFor, reason } from "../../ground/reasons.ts";
import { LAMP_COUNT } from "../tags.ts";

/** A statement about a position. */
export interface LampWord {
  /** Position in the reactor, 0 to 15. */
  readonly position: number;
  readonly at_ms: number;
  readonly replaced: boolean;
  /** Hours of the fitted lamp; null: the counter's value, or 0. */
  readonly hours: number | null;
  readonly serial: string | null;
  readonly note: string | null;
}

/**
 * Time around a stated one within which nothing else is recognised at the position: dates are
 * rough.
 */
export const WORD_REACH_MS = 48 * HOUR_MS;

const at = z
  .string("expected a time such as 2026-05-01T06:30Z")
  .refine(
    (text) => parseTime(text) !== null,
    expectedFor("time_unfit", "expected a time such as 2026-05-01T06:30Z"),
  )
  .meta({ description: "when the lamp was replaced, ISO 8601, UTC if it has no zone" });
const TEXT_EXPECTED = "expected a line of at most 200 characters, none of control or direction";
const text = (about: string) =>
  z
    .string(TEXT_EXPECTED)
    .max(200, TEXT_EXPECTED)
    .refine(isPlainLine, expectedFor("text_signs", TEXT_EXPECTED))
    .meta({ description: about });

/** Maximum hours of a lamp that was used elsewhere before. */
const HOURS_MAX = 100_000;

/** Members about the fitted lamp, which aren't allowed without a replacement. */
export const OF_THE_FITTED = ["hours", "serial"] as const;

/**
 * The body of POST /admin/lamps/{nn}/replacement, and the command's options. Other members are
 * ignored.
 */
export const LampWordBody = z
  .object({
    at,
    replaced: z
      .boolean("expected true or false")
      .default(true)
      .meta({ description: "false: there was no replacement around this time" }),
    hours: z
      .preprocess(
        asDouble,
        z
          .number(`expected hours from 0 to ${HOURS_MAX}`)
          .min(0, `expected hours from 0 to ${HOURS_MAX}`)
          .max(HOURS_MAX, `expected hours from 0 to ${HOURS_MAX}`),
      )
      .optional()
      .meta({
        type: "number",
        description: "hours of the fitted lamp, if replaced; by default its counter's value",
      }),
    serial: text("of the lamp that was fitted, if replaced").optional(),
    note: text("anything else").optional(),
  })
  .superRefine(({ replaced, ...word }, context) => {
    for (const name of OF_THE_FITTED)
      if (!replaced && word[name] !== undefined)
        context.addIssue({
          code: "custom",
          path: [name],
          message: "expected none with replaced false: it is of a lamp that was fitted",
        });
  })
  .meta({
    id: "LampReplacement",
    example: { at: "2026-05-01T06:30:00Z", hours: 0, serial: "A-1723" },
  });

export type LampWordBody = z.output<typeof LampWordBody>;

/** The statement of a validated body about a position. */
export function lampWordOf(position: number, body: LampWordBody): LampWord {
  const { replaced, hours = null, serial = null, note = null } = body;
  return {
    position,
    at_ms: parseTime(body.at)?.at_ms ?? 0,
    replaced,
    hours,
    serial,
    note,
  };
}

/** The refusal of a statement: lives can be recomputed only after `told_from_ms`. */
export function expiredProblem({ at_ms }: LampWord, told_from_ms: number): Declined {
  const [given, allowed] = [printTime(at_ms), printTime(told_from_ms)];
  const why = "lives before rest on readings that have expired";
  return new Declined(
    `at: got ${given}, expected after ${allowed}: ${why}`,
    reason("time_early", { given, earliest: allowed }),
  );
}

/** The refusal of a statement: no lamp is known before the first reading. */
export function unreadProblem({ at_ms }: LampWord, oldest_ms: number): Declined {
  const [given, allowed] = [printTime(at_ms), printTime(oldest_ms - WORD_REACH_MS)];
  const why = `the first reading is of ${printTime(oldest_ms)}, import those before it first`;
  return new Declined(
    `at: got ${given}, expected ${allowed} or later: ${why}`,
    reason("time_early", { given, earliest: allowed }),
  );
}

/** The position of a lamp's number, `1` to `16` or `01` to `16`; null for anything else. */
export function positionOf(number: string): number | null {
  const lamp = /^\d{1,2}$/.test(number) ? Number(number) : 0;
  return lamp >= 1 && lamp <= LAMP_COUNT ? lamp - 1 : null;
}

export const LampWordAnswer = z
  .object({
    lamp: z.number().int().min(1).max(LAMP_COUNT),
    at: z.iso.datetime(),
    replaced: z.boolean(),
    hours: z.number().nullable(),
    serial: z.string().nullable(),
    note: z.string().nullable(),
  })
  .meta({
    id: "LampReplacementStored",
    example: {
      lamp: 7,
      at: "2026-05-01T06:30:00.000Z",
      replaced: true,
      hours: 0,
      serial: "A-1723",
      note: null,
    },
  });

/** A statement as answered, and as kept in the audit log. */
export function wordAnswer({ position, at_ms, ...word }: LampWord) {
  return { lamp: position + 1, at: printTime(at_ms), ...word };
}

/** Statements in force: of two within reach at one position the later given counts. */
export function wordsInForce(words: readonly LampWord[]): readonly LampWord[] {
  return words.filter(
    (word, index) => !words.slice(index + 1).some((later) => isSameReplacement(word, later)),
  );
}

/** True if two statements are about the same replacement. */
export function isSameReplacement(one: LampWord, other: LampWord): boolean {
  return one.position === other.position && Math.abs(one.at_ms - other.at_ms) <= WORD_REACH_MS;
}
