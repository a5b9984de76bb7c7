// Reads a date and a clock time as users type them: 2026-05-01 06:30, 1.5.2026, 14:00, yesterday
// 14:00, last Tuesday, 3 h ago. An ambiguous date gives both days. All times are by the clock that
// the page shows.

import { dayStart, printDay } from "../parts/moments.ts";
import { daysOfParts, possibleDays } from "../parts/typed-time.ts";
import { plain } from "./ranking.ts";

export interface TypedMoment {
  readonly at_ms: number;
  /** The day, such as `2026-05-01`. */
  readonly day: string;
}

interface DayWords {
  /** The first three letters of the twelve months, separated by spaces. */
  readonly months: string;
  readonly today: string;
  readonly yesterday: string;
  /** The names of the seven weekdays from Sunday, separated by spaces. */
  readonly weekdays: string;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Time of day for a day that was typed without one. */
const NOON_MS = 12 * HOUR_MS;

/** The moments that a query can mean, none of them in the future. */
export function typedMoments(
  query: string,
  now_ms: number,
  words: DayWords,
): readonly TypedMoment[] {
  const text = query.trim().toLowerCase();
  const ago = /^(\d{1,3})\s*(h|hours?|d|days?)\s+ago$/.exec(text);
  if (ago !== null) {
    const step_ms = ago[2].startsWith("h") ? HOUR_MS : DAY_MS;
    return [momentAt(now_ms - Number(ago[1]) * step_ms)];
  }
  const clock = /(?:^|[\st])([01]?\d|2[0-3])[:h.]([0-5]\d)(?::[0-5]\d)?\s*(?:z|utc)?$/.exec(text);
  const rest = (clock === null ? text : text.slice(0, clock.index)).trim();
  const isClockAlone = clock !== null && rest === "";
  const days = isClockAlone ? [printDay(now_ms)] : daysOf(rest, now_ms, words);
  return days.flatMap((day) => {
    const start_ms = dayStart(day);
    if (start_ms === null) return [];
    const into_ms = clock === null ? NOON_MS : (Number(clock[1]) * 60 + Number(clock[2])) * 60_000;
    const at_ms = start_ms + into_ms;
    if (at_ms <= now_ms) return [{ at_ms, day }];
    // 23:00 typed in the morning means yesterday; for a day that has begun the time is an hour ago.
    if (isClockAlone) return [momentAt(at_ms - DAY_MS)];
    return clock === null && start_ms <= now_ms ? [momentAt(now_ms - HOUR_MS)] : [];
  });
}

function momentAt(at_ms: number): TypedMoment {
  const whole_ms = Math.floor(at_ms / 60_000) * 60_000;
  return { at_ms: whole_ms, day: printDay(whole_ms) };
}

function daysOf(text: string, now_ms: number, words: DayWords): readonly string[] {
  const isWord = (given: string) =>
    given.split(" ").some((word) => plain(word) === plain(text)) && text !== "";
  if (isWord(words.today)) return [printDay(now_ms)];
  if (isWord(words.yesterday)) return [printDay(now_ms - DAY_MS)];
  const days = possibleDays(text.replace(/(\d)t$/, "$1"));
  if (days.length > 0) return days;
  const named = namedDay(text, now_ms, words.months);
  return named.length > 0 ? named : lastWeekday(text, now_ms, words.weekdays);
}

/** Minimum number of letters by which a weekday is known. */
const WEEKDAY_MIN = 3;

/** The day of `tuesday` or `last tue`: the last one before today. */
function lastWeekday(text: string, now_ms: number, weekdays: string): readonly string[] {
  const typed = plain(text).split(" ");
  if (typed.length > 2) return [];
  const index = weekdays
    .split(" ")
    .map(plain)
    .findIndex((name) =>
      typed.some(
        (word) => word.includes(name) || (word.length >= WEEKDAY_MIN && name.startsWith(word)),
      ),
    );
  const noon_ms = (dayStart(printDay(now_ms)) ?? now_ms) + NOON_MS;
  const today = new Date(`${printDay(now_ms)}T00:00:00Z`).getUTCDay();
  return index < 0 ? [] : [printDay(noon_ms - (((today - index + 6) % 7) + 1) * DAY_MS)];
}

/**
 * The days of `1 may` or `may 1 2026`; without a year the last such day that isn't in the future.
 */
function namedDay(text: string, now_ms: number, months: string): readonly string[] {
  const found =
    /^(?<day>\d{1,2})\.?\s+(?<month>\p{L}{3,10})\.?(?:,?\s+(?<year>\d{4}))?$/u.exec(text) ??
    /^(?<month>\p{L}{3,10})\.?\s+(?<day>\d{1,2})(?:,?\s+(?<year>\d{4}))?$/u.exec(text);
  const { day, month, year } = found?.groups ?? {};
  const index = month === undefined ? -1 : months.split(" ").indexOf(month.slice(0, 3));
  if (index < 0 || day === undefined) return [];
  if (year !== undefined) return daysOfParts(year, String(index + 1), day);
  const this_year = Number(printDay(now_ms).slice(0, 4));
  const days = daysOfParts(String(this_year), String(index + 1), day);
  return days.every((one) => one <= printDay(now_ms))
    ? days
    : daysOfParts(String(this_year - 1), String(index + 1), day);
}
