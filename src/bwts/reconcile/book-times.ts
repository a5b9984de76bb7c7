// Dates and times as officers write them: 2026-05-01T05:08Z, 01/05/2026 0508, 1-MAY-26 05.08,
// 1er mai 2026 5h08. A date may stand in a column of its own. Without a zone a time is of the zone
// that the file is said to be in.

import { plainText } from "./book-columns.ts";

/** The order of day and month in dates such as 03/04/2026. */
export type DateOrder = "day_month" | "month_day";

/** The parts of a date or time that a text has. */
export interface WrittenTime {
  readonly date: { readonly year: number; readonly month: number; readonly day: number } | null;
  /** Minutes since midnight; 1,440 for 24:00. */
  readonly minutes: number | null;
  /** Minutes ahead of UTC; null where none is named. */
  readonly zone_minutes: number | null;
}

const MONTHS: readonly ReadonlySet<string>[] = [
  ["jan", "january", "janvier", "janv", "ene", "enero"],
  ["feb", "february", "fevrier", "fevr", "fev", "febrero"],
  ["mar", "march", "mars", "marzo"],
  ["apr", "april", "avril", "avr", "abr", "abril"],
  ["may", "mai", "mayo"],
  ["jun", "june", "juin", "junio"],
  ["jul", "july", "juillet", "juil", "julio"],
  ["aug", "august", "aout", "ago", "agosto"],
  ["sep", "sept", "september", "septembre", "septiembre", "set"],
  ["oct", "october", "octobre", "octubre"],
  ["nov", "november", "novembre", "noviembre"],
  ["dec", "december", "decembre", "dic", "diciembre"],
].map((names) => new Set(names));

const YEAR_FIRST = /^(\d{4})([-/. ])(\d{1,2})\2(\d{1,2})(?!\d)/;
const YEAR_LAST = /^(\d{1,2})([-/. ])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/;
const NAMED =
  /^(\d{1,2})(?:st|nd|rd|th|er|º)?[-/. ]*(?:de )?([a-z]{3,})\.?[-/. ]*(?:de )?(\d{4}|\d{2})(?!\d)/;
const NAME_FIRST = /^([a-z]{3,})\.? (\d{1,2})(?:st|nd|rd|th)? (\d{4})(?!\d)/;
const CLOCK = /^(\d{1,2})(?:[:.h]|\s*h\s*)(\d{2})(?:[:.](\d{2})(?:[.]\d+)?)?\s*h?/;
const DIGITS = /^(\d{2})(\d{2})\s*(?:h|hrs|hours)?(?!\d)/;
const NOON = /^(am|pm)(?![a-z])/;
const ZONE = /^(?:(z|utc|gmt)\s*)?(?:([+-])(\d{1,2}):?(\d{2})?)?$/;

/** The parts of `text`; null if it is none. Days that don't exist are read: `existsOn` tells. */
export function writtenTime(text: string, order: DateOrder): WrittenTime | null {
  let rest = plainText(text).replace(/,/g, " ").replace(/\s+/g, " ").trim();
  const date = dateAt(rest, order);
  if (date !== null)
    rest = rest
      .slice(date.length)
      .replace(/^[t ]+|^\s*(?:at|a las|a)\s/, "")
      .trim();
  const clock = clockAt(rest);
  if (clock !== null) rest = rest.slice(clock.length).trim();
  const zone = ZONE.exec(rest);
  if (zone === null || (date === null && clock === null)) return null;
  const [, name, sign, hours, minutes] = zone;
  const ahead = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === "-" ? -1 : 1);
  if (Math.abs(ahead) > 14 * 60) return null;
  return {
    date: date === null ? null : { year: date.year, month: date.month, day: date.day },
    minutes: clock?.minutes ?? null,
    zone_minutes: name === undefined && sign === undefined ? null : ahead,
  };
}

interface DateAt {
  readonly length: number;
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

function dateAt(text: string, order: DateOrder): DateAt | null {
  const first = YEAR_FIRST.exec(text);
  if (first !== null) return dated(first[0], first[1], Number(first[3]), first[4]);
  const last = YEAR_LAST.exec(text);
  if (last !== null) {
    const [day, month] = order === "day_month" ? [last[1], last[3]] : [last[3], last[1]];
    return dated(last[0], last[4], Number(month), day);
  }
  const named = NAMED.exec(text);
  const [whole, day, name, year] =
    named ?? ((found) => [found?.[0], found?.[2], found?.[1], found?.[3]])(NAME_FIRST.exec(text));
  const month = MONTHS.findIndex((names) => names.has(name ?? "")) + 1;
  if (whole === undefined || month === 0) return null;
  return dated(whole, year ?? "", month, day ?? "");
}

function dated(whole: string, year: string, month: number, day: string): DateAt {
  const full = year.length === 2 ? 2000 + Number(year) : Number(year);
  return { length: whole.length, year: full, month, day: Number(day) };
}

function clockAt(text: string): { readonly length: number; readonly minutes: number } | null {
  const match = CLOCK.exec(text) ?? DIGITS.exec(text);
  if (match === null) return null;
  const noon = NOON.exec(text.slice(match[0].length));
  const given = Number(match[1]);
  const hour = noon === null ? given : (given % 12) + (noon[1] === "pm" ? 12 : 0);
  const minutes = hour * 60 + Number(match[2]);
  if (Number(match[2]) > 59 || minutes > 24 * 60 || (noon !== null && given > 12)) return null;
  return { length: match[0].length + (noon?.[0].length ?? 0), minutes };
}

/** True if the calendar has the day. */
export function existsOn({ year, month, day }: NonNullable<WrittenTime["date"]>): boolean {
  const at = new Date(Date.UTC(year, month - 1, day));
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
}

/**
 * The order that the dates of a file have: of one that can't be a month, the other is it. `isTold`
 * is false where every date could be either.
 */
export function dateOrderOf(texts: readonly string[]): { order: DateOrder; isTold: boolean } {
  const votes = { day_month: 0, month_day: 0 };
  for (const text of texts) {
    const match = YEAR_LAST.exec(text.trim());
    if (match === null) continue;
    const [first, second] = [Number(match[1]), Number(match[3])];
    if (first > 12 && second <= 12) votes.day_month += 1;
    if (second > 12 && first <= 12) votes.month_day += 1;
  }
  const isTold = votes.day_month !== votes.month_day;
  return { order: votes.month_day > votes.day_month ? "month_day" : "day_month", isTold };
}
