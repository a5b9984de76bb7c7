// Reads the answer of /api/inspection, one part for each section of the sheet: an invalid member
// affects only the section that shows it.

import type { Inspection } from "../../bwts/documents/inspection.ts";
import { OPERATION_VERDICTS } from "../../bwts/operations/operation-words.ts";
import { inspectionWords as t } from "../lang/words.ts";
import {
  instant,
  isLike,
  isNumberOrNull,
  listOf,
  numberOrNull,
  type Read,
  textOrNull,
  type UncheckedAnswer,
  type Valid,
} from "../store/checks.ts";

type AnsweredLine = Inspection["operations"][number];
type AnsweredException = Inspection["exceptions"][number];

/** An operation's row; its times are texts, as answered. */
export type ShownLine = Pick<
  AnsweredLine,
  "id" | "operation_type" | "location" | "start" | "end" | "volume_m3" | "mode" | "verdict"
> &
  Pick<AnsweredLine, "uv_min_w_m2" | "uv_limit_w_m2" | "version" | "not_recorded">;

export type ShownException = Omit<AnsweredException, "given_out">;

/** The sheet; each part is null if the answer has an unknown shape there. */
export interface ShownSheet {
  readonly made: string;
  readonly head: Valid<
    Pick<Inspection, "ship" | "ship_time" | "simulated" | "version" | "limits" | "limits_source">
  > | null;
  readonly summary: Valid<{
    readonly sentences: readonly string[];
    readonly counts: Pick<
      Inspection["counts"],
      "operations" | "within_limits" | "outside_limits" | "cannot_tell" | "waiting"
    >;
  }> | null;
  readonly exceptions: Valid<readonly ShownException[]> | null;
  /** Sentences about the stored data as a whole, in English. */
  readonly dataExceptions: readonly string[];
  readonly left_out: number;
  readonly operations: Valid<readonly ShownLine[]> | null;
  readonly trace: Valid<ShownTrace | null> | null;
  readonly questions: Valid<readonly Inspection["questions"][number][]> | null;
  readonly trust: Valid<ShownTrust> | null;
  readonly notice: string | null;
}

interface ShownTrace extends Pick<Inspection["trace"] & object, "difference_percent" | "basis"> {
  readonly lines: readonly ShownLine[];
  readonly alerts: readonly string[];
}

interface ShownTrust {
  readonly sentences: readonly string[];
  readonly head: Pick<Inspection["trust"]["head"] & object, "checkpoint" | "fingerprint"> | null;
  readonly qr: readonly string[];
}

export const readInspection: Read<ShownSheet> = (body) => {
  if (!isLike<Inspection>(body) || timeIn(body.made) === null) return null;
  return {
    value: {
      made: timeIn(body.made) ?? "",
      ...{ head: headIn(body), summary: summaryIn(body) },
      exceptions: listOf(body.exceptions, exceptionIn),
      dataExceptions: listOf(body.data_exceptions ?? [], textIn)?.value ?? [t("unread")],
      left_out: numberOrNull(body.exceptions_left_out) ?? 0,
      operations: listOf(body.operations, lineIn),
      ...{ trace: traceIn(body.trace), questions: listOf(body.questions, questionIn) },
      ...{ trust: trustIn(body), notice: textOrNull(body.notice) },
    },
  };
};

/** A time as text, if it has the form in which ballastd prints times; else null. */
function timeIn(given: unknown): string | null {
  const isTime = typeof given === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(given);
  return isTime && instant(given) !== null ? given : null;
}

function headIn(body: UncheckedAnswer<Inspection>): ShownSheet["head"] {
  const { ship, simulated } = body;
  if (!isLike<Inspection["ship"]>(ship) || typeof simulated !== "boolean") return null;
  const limits = listOf(body.limits, limitIn);
  const version = textOrNull(body.version);
  if (limits === null || version === null || !isNumberOrNull(ship.capacity_m3_h)) return null;
  return {
    value: {
      ship: {
        ...{ vessel: textOrNull(ship.vessel), imo: textOrNull(ship.imo) },
        system_id: textOrNull(ship.system_id) ?? "",
        ...{ system_type: textOrNull(ship.system_type), serial: textOrNull(ship.serial) },
        certificate: textOrNull(ship.certificate),
        capacity_m3_h: numberOrNull(ship.capacity_m3_h),
      },
      ...{ ship_time: textOrNull(body.ship_time), simulated, version },
      ...{ limits: [...limits.value], limits_source: textOrNull(body.limits_source) },
    },
  };
}

function limitIn(given: unknown): Inspection["limits"][number] | null {
  if (!isLike<Inspection["limits"][number]>(given)) return null;
  const { key, about, value, unit } = given;
  if (typeof key !== "string" || typeof about !== "string") return null;
  return typeof value === "number" && typeof unit === "string" ? { key, about, value, unit } : null;
}

function summaryIn({ summary, counts }: UncheckedAnswer<Inspection>): ShownSheet["summary"] {
  const sentences = listOf(summary, textOrNull);
  if (sentences === null || !isLike<Inspection["counts"]>(counts)) return null;
  const { operations, within_limits, outside_limits, cannot_tell } = counts;
  if (typeof operations !== "number" || typeof within_limits !== "number") return null;
  if (typeof outside_limits !== "number" || typeof cannot_tell !== "number") return null;
  const waiting = numberOrNull(counts.waiting) ?? 0;
  const numbers = { operations, within_limits, outside_limits, cannot_tell, waiting };
  return { value: { sentences: sentences.value, counts: numbers } };
}

const verdictIn = (given: unknown) => OPERATION_VERDICTS.find((word) => word === given) ?? null;

function lineIn(given: unknown): ShownLine | null {
  if (!isLike<AnsweredLine>(given) || typeof given.id !== "number") return null;
  const [start, end] = [timeIn(given.start), timeIn(given.end)];
  const numbers = [given.volume_m3, given.uv_min_w_m2, given.uv_limit_w_m2];
  if (start === null || !numbers.every(isNumberOrNull)) return null;
  if (given.end !== null && end === null) return null;
  return {
    ...{ id: given.id, operation_type: textOrNull(given.operation_type), start, end },
    ...{ location: textOrNull(given.location), volume_m3: numberOrNull(given.volume_m3) },
    mode: given.mode === "IMO" || given.mode === "USCG" ? given.mode : null,
    ...{ verdict: verdictIn(given.verdict), version: numberOrNull(given.version) ?? 0 },
    uv_min_w_m2: numberOrNull(given.uv_min_w_m2),
    uv_limit_w_m2: numberOrNull(given.uv_limit_w_m2),
    not_recorded: notRecordedIn(given.not_recorded),
  };
}

const textIn = (given: unknown) => (typeof given === "string" ? given : null);

function notRecordedIn(given: unknown): ShownLine["not_recorded"] {
  if (!isLike<NonNullable<ShownLine["not_recorded"]>>(given)) return null;
  const { seconds, of_seconds } = given;
  return typeof seconds === "number" && typeof of_seconds === "number"
    ? { seconds, of_seconds }
    : null;
}

function exceptionIn(given: unknown): ShownException | null {
  if (!isLike<AnsweredException>(given) || typeof given.operation_id !== "number") return null;
  const [start, end] = [timeIn(given.start), timeIn(given.end)];
  const { what, evidence, record_book, volume_m3 } = given;
  if (start === null || end === null || !isNumberOrNull(volume_m3)) return null;
  if (typeof what !== "string" || typeof evidence !== "string") return null;
  if (typeof record_book !== "string") return null;
  return {
    ...{ operation_id: given.operation_id, operation_type: textOrNull(given.operation_type) },
    ...{
      location: textOrNull(given.location),
      verdict: verdictIn(given.verdict),
      what,
      start,
      end,
    },
    ...{ volume_m3: numberOrNull(volume_m3), evidence, record_book },
  };
}

function traceIn(given: unknown): ShownSheet["trace"] {
  if (given === null) return { value: null };
  if (!isLike<Inspection["trace"] & object>(given)) return null;
  const lines = listOf([given.uptake, given.discharge], lineIn);
  const alerts = listOf(given.alerts, textOrNull);
  const { difference_percent, basis } = given;
  if (lines === null || alerts === null) return null;
  if (typeof difference_percent !== "number" || typeof basis !== "string") return null;
  return { value: { lines: lines.value, alerts: alerts.value, difference_percent, basis } };
}

function questionIn(given: unknown): Inspection["questions"][number] | null {
  if (!isLike<Inspection["questions"][number]>(given)) return null;
  const question = textOrNull(given.question);
  return question === null ? null : { question, answer: textOrNull(given.answer) };
}

function trustIn({ trust, upkeep }: UncheckedAnswer<Inspection>): ShownSheet["trust"] {
  if (!isLike<Inspection["trust"]>(trust) || !isLike<Inspection["upkeep"]>(upkeep)) return null;
  const sentences = listOf(trust.sentences, textOrNull);
  const about = textOrNull(upkeep.sentence);
  if (sentences === null || about === null) return null;
  const told = { sentences: [about, ...sentences.value] };
  if (trust.head === null) return { value: { ...told, head: null, qr: [] } };
  if (!isLike<Inspection["trust"]["head"] & object>(trust.head)) return null;
  const { checkpoint, fingerprint } = trust.head;
  const qr = listOf(trust.head.qr, (row) => (isModules(row) ? row : null));
  if (typeof checkpoint !== "string" || typeof fingerprint !== "string" || qr === null) return null;
  return { value: { ...told, head: { checkpoint, fingerprint }, qr: qr.value } };
}

const isModules = (row: unknown): row is string => typeof row === "string" && /^[01]+$/.test(row);
