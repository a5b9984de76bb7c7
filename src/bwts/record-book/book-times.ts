// Reads dates and times as officers write them: 2026-05-01T05:08Z, 01/05/2026 0508 hrs, 1-MAY-26
// 05.08, 1er mai 2026 5h08, 1215 LT. The date may be in another column, and the zone in the name of
// a column. A text with anything else in it isn't read.

import { type WrittenZone, type ZoneAt, zoneAt, zoneText } from "./zone.ts";

/** The order of day and month in dates such as 03/04/2026. */
export type DateOrder = "day_month" | "month_day";

/** The parts of a date or time that a text has. */
export interface WrittenTime {
  readonly date: WrittenDate | null;
  /** Minutes since midnight; 1,440 for 24:00. */
  readonly minutes: number | null;
  /** The zone that the text names; null: none. */
  readonly zone: WrittenZone | null;
}

export interface WrittenDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** True if day and month could be the other way round. */
  readonly isEither: boolean;
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

const HOURS = String.raw`(?: ?(?:hrs?|hours?|heures?|horas?|hs|h|uhr)\.?(?![a-z]))?`;
const CLOCK = new RegExp(
  String.raw`^(\d{1,2})(?:[:.h]| h )(\d{2})(?:[:.](\d{2})(?:\.\d+)?)?(?![\d.:])${HOURS}`,
);
const DIGITS = new RegExp(String.raw`^(\d{1,2})(\d{2})(?![\d.:])${HOURS}`);
const NOON = /^ ?([ap])\.?m\.?(?![a-z])/;

/** First and last year of valid entries. */
const YEARS = [2004, 2099] as const;

/** Date, time and zone in a text; null if it has anything else; see `existsOn` for the day. */
export function writtenTime(text: string, order: DateOrder): WrittenTime | null {
  let rest = zoneText(text.replace(/[,;]/g, " "));
  let date: DateAt | null = null;
  let clock: ClockAt | null = null;
  let zone: WrittenZone | null = null;
  // An offset without a name counts only in ISO 8601, or ahead of UTC: "06:00-08:00" is a span.
  let isIso = false;
  while (rest !== "") {
    isIso ||= date !== null && /^t\d/.test(rest);
    rest = rest.replace(/^(?:t(?=\d)|at |a las |a |on |le |el |[\s/]+)/, "");
    const day: DateAt | null = date === null ? dateAt(rest, order) : null;
    const hours: ClockAt | null = clock === null && day === null ? clockAt(rest) : null;
    const isZone: boolean = clock !== null && zone === null && (isIso || !rest.startsWith("-"));
    const shift: ZoneAt | null = isZone && day === null ? zoneAt(rest) : null;
    const found = day ?? hours ?? shift;
    if (found === null) return null;
    date ??= day;
    clock ??= hours;
    zone ??= shift?.zone ?? null;
    rest = rest.slice(found.length).trim();
  }
  if (date === null && clock === null) return null;
  return { date: date?.date ?? null, minutes: clock?.minutes ?? null, zone };
}

interface DateAt {
  readonly length: number;
  readonly date: WrittenDate;
}

interface ClockAt {
  readonly length: number;
  readonly minutes: number;
}

function dateAt(text: string, order: DateOrder): DateAt | null {
  const first = YEAR_FIRST.exec(text);
  if (first !== null) return dated(first[0], first[1], Number(first[3]), first[4]);
  const last = YEAR_LAST.exec(text);
  if (last !== null) {
    const [one, other] = [Number(last[1]), Number(last[3])];
    // A number above 12 is the day, whatever the order of the file's other dates.
    const isDayFirst = other > 12 ? false : one > 12 ? true : order === "day_month";
    const [day, month] = isDayFirst ? [last[1], other] : [last[3], one];
    return dated(last[0], last[4], month, day, one <= 12 && other <= 12 && one !== other);
  }
  const named = NAMED.exec(text);
  const [whole, day, name, year] =
    named ?? ((found) => [found?.[0], found?.[2], found?.[1], found?.[3]])(NAME_FIRST.exec(text));
  const month = MONTHS.findIndex((names) => names.has(name ?? "")) + 1;
  if (whole === undefined || month === 0) return null;
  return dated(whole, year ?? "", month, day ?? "");
}

function dated(
  whole: string,
  year: string,
  month: number,
  day: string,
  isEither = false,
): DateAt | null {
  const full = year.length === 2 ? 2000 + Number(year) : Number(year);
  if (full < YEARS[0] || full > YEARS[1]) return null;
  return { length: whole.length, date: { year: full, month, day: Number(day), isEither } };
}

function clockAt(text: string): ClockAt | null {
  const match = CLOCK.exec(text) ?? DIGITS.exec(text);
  // 0.25 means six o'clock in a spreadsheet that lost its format; it isn't read.
  if (match === null || /^0\.\d/.test(text)) return null;
  const noon = NOON.exec(text.slice(match[0].length));
  const given = Number(match[1]);
  const hour = noon === null ? given : (given % 12) + (noon[1] === "p" ? 12 : 0);
  const minutes = hour * 60 + Number(match[2]);
  if (Number(match[2]) > 59 || minutes > 24 * 60 || (noon !== null && given > 12)) return null;
  return { length: match[0].length + (noon?.[0].length ?? 0), minutes };
}

/** True if the calendar has the day. */
export function existsOn({ year, month, day }: WrittenDate): boolean {
  const at = new Date(Date.UTC(year, month - 1, day));
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
}

/** The order of day and month in a column's name, as "Date (DD/MM/YYYY)"; null without one. */
export function namedOrder(name: string): DateOrder | null {
  const plain = zoneText(name);
  if (/\b(?:dd?|jj?)\W?mm/.test(plain)) return "day_month";
  return /\bmm?\W?(?:dd|jj)/.test(plain) ? "month_day" : null;
}

/**
 * The order of day and month in a file's dates, by numbers that can't be a month. `isTold` is false
 * if no date shows it, or they contradict.
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
  const isTold = votes.day_month > 0 !== votes.month_day > 0;
  return { order: votes.month_day > votes.day_month ? "month_day" : "day_month", isTold };
}
