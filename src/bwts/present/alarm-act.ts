// People's actions on an alert: acknowledging it, and shelving it for a time. Neither reaches the
// treatment system: its panel's alarm stays.

import * as z from "zod";
import { DAY_MS, parseTime, printTime } from "../../ground/clock.ts";
import { Declined } from "../../ground/errors.ts";
import { isPlainText } from "../../ground/plain-text.ts";
import { expectedFor, reason } from "../../ground/reasons.ts";
import { ALERT_STATES } from "./priority.ts";

/**
 * Maximum time for which an alert can be shelved, in days: until the next port, or the next watch.
 */
const SHELVED_DAYS_MAX = 7;

/** Maximum length of a remark, in characters. */
const NOTE_MAX = 500;

const words = (about: string, length_max = 200) =>
  z
    .string(`expected a text of at most ${length_max} characters`)
    .max(length_max, `expected a text of at most ${length_max} characters`)
    .refine(
      isPlainText,
      expectedFor("text_signs", "expected a text without characters of control or direction"),
    )
    .meta({ description: about });

const TIME_EXPECTED = "expected a time such as 2026-05-01T06:30Z, or null to end the shelving";

/** The body of POST /admin/alarms/{id}/acknowledge. Other members are ignored. */
export const AcknowledgeBody = z
  .object({ note: words("a remark", NOTE_MAX).optional() })
  .meta({ id: "AlarmAcknowledgement", example: { note: "spare lamp fitted at Singapore" } });

export type AcknowledgeBody = z.output<typeof AcknowledgeBody>;

/** The body of POST /admin/alarms/{id}/shelve. Other members are ignored. */
export const ShelveBody = z
  .object({
    until: z
      .string(TIME_EXPECTED)
      .refine((text) => parseTime(text) !== null, expectedFor("time_unfit", TIME_EXPECTED))
      .nullable()
      .meta({
        description:
          `until when, ISO 8601, UTC if it has no zone, at most ${SHELVED_DAYS_MAX} days ahead; ` +
          "null: no longer",
      }),
    reason: words("why; needed but where until is null").optional(),
  })
  .meta({
    id: "AlarmShelving",
    example: { until: "2026-05-02T06:30:00Z", reason: "spare lamp comes aboard tomorrow" },
  });

export type ShelveBody = z.output<typeof ShelveBody>;

/** The end of a shelving, and its reason; nulls end the present shelving. */
export interface AlarmShelving {
  readonly until_ms: number | null;
  readonly reason: string | null;
}

/** The shelving that a validated body asks for, or the reason to refuse it. */
export function shelvingAsked(
  { until, reason: why = "" }: ShelveBody,
  now_ms: number,
): AlarmShelving | Declined {
  if (until === null) return { until_ms: null, reason: null };
  const until_ms = parseTime(until)?.at_ms ?? 0;
  const latest_ms = now_ms + SHELVED_DAYS_MAX * DAY_MS;
  if (until_ms <= now_ms || until_ms > latest_ms) {
    const [given, earliest, latest] = [until_ms, now_ms, latest_ms].map(printTime);
    return new Declined(
      `until: got ${given}, expected a time after ${earliest} and until ${latest}`,
      until_ms <= now_ms
        ? reason("time_early", { given, earliest })
        : reason("time_late", { given, latest }),
    );
  }
  if (why.trim() === "")
    return new Declined(
      "reason: is missing, expected why it is shelved",
      reason("text_missing", {}),
    );
  return { until_ms, reason: why };
}

const time = z.iso.datetime().nullable();
const text = z.string().nullable();

/** The alert after an action. */
const AlarmAct = z.object({
  id: z.string(),
  alert_state: z.enum(ALERT_STATES),
  count: z.number().int().min(1),
  acknowledged_at: time,
  acknowledged_by: text,
  acknowledged_note: text,
  shelved_until: time,
  shelved_by: text,
  shelved_reason: text,
});
export type AlarmAct = z.output<typeof AlarmAct>;

/** The outcome of an action, as the writer answers it. */
export const AlarmActOutcome = z.union([
  z.object({ outcome: z.literal("done"), alarm: AlarmAct }),
  z.object({ outcome: z.enum(["unknown", "closed"]) }),
]);
export type AlarmActOutcome = z.output<typeof AlarmActOutcome>;

export const ACKNOWLEDGED = "acknowledged here; the panel's alarm stays";
export const SHELVED = "shelved here; the panel's alarm stays";
export const UNSHELVED = "no longer shelved";

export const AlarmActAnswer = AlarmAct.extend({ message: z.string() }).meta({
  id: "AlarmActAnswer",
  example: {
    id: "own-17",
    alert_state: "acknowledged",
    count: 1,
    acknowledged_at: "2026-05-01T06:43:20.000Z",
    acknowledged_by: "chief",
    acknowledged_note: null,
    shelved_until: null,
    shelved_by: null,
    shelved_reason: null,
    message: ACKNOWLEDGED,
  },
});
