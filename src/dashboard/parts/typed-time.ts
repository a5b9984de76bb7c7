// Reads a day, a time of day or both as users type them, by the clock that the page shows. An
// ambiguous day is refused with both meanings, because a wrong guess would be believed.

import { datesWords as t } from "../lang/words.ts";
import { dayEnd, dayStart, printDay, printMinute } from "./moments.ts";

/** The value of a text, or the sentence about the problem with it. */
export type TypedValue<Value> = { readonly value: Value } | { readonly problem: string };

const MINUTE_MS = 60_000;
/** Form of hours and minutes: `14:30`, `14.30`, `14h30`, `1430`. */
const CLOCK = "([01]?\\d|2[0-3])[:.h]?([0-5]\\d)";

/** The day as `2026-05-01`; none for a day that isn't in the calendar. */
export function daysOfParts(year: string, month: string, day: string): readonly string[] {
  const text = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const at_ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at_ms) && new Date(at_ms).toISOString().startsWith(text) ? [text] : [];
}

/** The days that digits can mean: one, two if day and month can be exchanged, or none. */
export function possibleDays(text: string): readonly string[] {
  const [, year, month = "", day = ""] =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text) ?? /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? [];
  if (year !== undefined) return daysOfParts(year, month, day);
  const [, one = "", other = "", last] = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(text) ?? [];
  if (last === undefined) return [];
  return [...new Set([...daysOfParts(last, other, one), ...daysOfParts(last, one, other)])];
}

/** Reads a day; `latest_ms`: later days are refused. */
export function typedDay(given: string, latest_ms: number): TypedValue<string> {
  const text = given.trim();
  const [one, other] = possibleDays(text);
  if (other !== undefined) return { problem: t("two_days", { text, one, other }) };
  if (one === undefined || (dayStart(one) ?? -1) < 0) return { problem: t("no_day", { text }) };
  const latest = printDay(latest_ms);
  return one > latest ? { problem: t("too_late", { text, latest }) } : { value: one };
}

/** A time of day, as `14:30`. */
export function typedMinute(given: string): TypedValue<string> {
  const text = given.trim();
  const [, hours, minutes = ""] = new RegExp(`^${CLOCK}$`, "i").exec(text) ?? [];
  if (hours === undefined) return { problem: t("no_minute", { text }) };
  return { value: `${hours.padStart(2, "0")}:${minutes}` };
}

interface MomentLimits {
  readonly latest_ms: number;
  /** Meaning of a day without a time; if absent, such a day is refused. */
  readonly day?: "start" | "end";
}

/** Reads an instant; a time alone is on the latest day. */
export function typedMoment(given: string, { latest_ms, day }: MomentLimits): TypedValue<number> {
  const text = given.trim();
  const isDayAlone = possibleDays(text).length > 0;
  const [, date, clock] = isDayAlone
    ? [null, text, undefined]
    : (new RegExp(`^(?:(.*\\d)[ ,T]+)?(${CLOCK})$`, "i").exec(text) ?? [null, "", undefined]);
  const found = typedDay(date ?? printDay(latest_ms), latest_ms);
  if ("problem" in found)
    return possibleDays(date ?? "").length === 0 ? { problem: t("no_moment", { text }) } : found;
  const start_ms = dayStart(found.value) ?? 0;
  if (clock === undefined) {
    if (day === undefined) return { problem: t("no_moment", { text }) };
    return { value: day === "start" ? start_ms : Math.min(latest_ms, dayEnd(found.value) ?? 0) };
  }
  const minute = typedMinute(clock);
  if ("problem" in minute) return minute;
  const [hours, minutes] = minute.value.split(":").map(Number);
  const value = start_ms + (hours * 60 + minutes) * MINUTE_MS;
  if (value <= latest_ms) return { value };
  return { problem: t("too_late", { text, latest: writtenMoment(latest_ms) }) };
}

/** An instant as a field shows it: `2026-05-01 14:05`. */
export function writtenMoment(at_ms: number): string {
  return `${printDay(at_ms)} ${printMinute(at_ms)}`;
}
