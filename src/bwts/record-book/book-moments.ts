// The instants of an entry: date and time, from one cell or several, in the zone that the cell, its
// column, the file's title or the sender of the file names. Unreadable ones are noted.

import type { BookFault, BookProblem } from "./book-entry.ts";
import type { BookHeader } from "./book-header.ts";
import { type DateOrder, existsOn, type WrittenDate, writtenTime } from "./book-times.ts";
import type { WrittenZone } from "./zone.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The state while a file is read. */
export interface BookReading {
  readonly header: BookHeader;
  readonly order: DateOrder;
  /** False if no date of the file shows the order of day and month. */
  readonly isOrderTold: boolean;
  /** Minutes ahead of UTC, as stated by the sender of the file; null: not stated. */
  readonly zone_minutes: number | null;
  readonly problems: BookProblem[];
  readonly faults: BookFault[];
  /** Zones that times were read in; null for times without a zone, which are read as UTC. */
  readonly zones: Set<number | null>;
}

export interface Moment {
  readonly at_ms: number;
  /** The day as written, in its zone. */
  readonly day: WrittenDate;
  /** True if its day was taken from another cell. */
  readonly isByDate: boolean;
}

export interface MomentQuery {
  readonly line: number;
  readonly side: "start" | "end";
  readonly text: string | null;
  /** The cell of the column that holds the date alone. */
  readonly date: string | null;
  /** The day of the start, for an end that has none. */
  readonly day: WrittenDate | null;
  /** The zone named by its column or line; undefined: none. */
  readonly zone: WrittenZone | undefined;
}

const cut = (text: string) => JSON.stringify(text.slice(0, 40));

const TIME_EXPECTED = "a date and a time, such as 2026-05-01 05:08 or 1 May 2026 0508";

/** The instant; null if there is none, or it can't be read, which is noted. */
export function momentOf(asked: MomentQuery, reading: BookReading): Moment | null {
  const { line, side, text, date } = asked;
  const { order, problems, faults } = reading;
  const noted = (expected: string, got = text ?? date ?? "") => {
    problems.push({ line, problem: `${side}: got ${cut(got)}, expected ${expected}` });
    return null;
  };
  const own = text === null ? null : writtenTime(text, order);
  const beside = date === null ? null : writtenTime(date, order);
  // Without a cell for the start, its time is in the date's own cell, or missing.
  const alone = text === null && side === "start" ? beside : null;
  if (text === null && (side === "end" || date === null)) return null;
  if (date !== null && beside === null) return noted("a date, such as 2026-05-01", date);
  if (side === "start" && own?.date && beside?.date && !isSameDay(own.date, beside.date))
    return noted("the day of the column that holds the date alone");
  if ((text === null ? alone : own) === null) return noted(TIME_EXPECTED);
  const day = own?.date ?? beside?.date ?? asked.day;
  if (day === null) return noted(TIME_EXPECTED);
  if (!existsOn(day)) {
    faults.push({ line, fault: "no_such_date", got: text ?? date, other_line: null });
    return null;
  }
  noteOrder(day, asked, reading);
  const minutes = own?.minutes ?? (side === "start" ? beside?.minutes : null) ?? null;
  if (minutes === null) return noted("hours and minutes with it, such as 05:08");
  const ahead = zoneOf(own?.zone ?? beside?.zone ?? asked.zone, reading);
  if (ahead === null)
    return noted("the zone with it, as +09:00, or the file's zone: LT is no offset");
  const start_ms = Date.UTC(day.year, day.month - 1, day.day);
  return { at_ms: start_ms + (minutes - ahead) * MINUTE_MS, day, isByDate: own?.date == null };
}

const isSameDay = (one: WrittenDate, other: WrittenDate) =>
  one.year === other.year && one.month === other.month && one.day === other.day;

/** Minutes ahead of UTC; null for ship's time with an unknown offset. */
function zoneOf(told: WrittenZone | undefined, reading: BookReading): number | null {
  const { header, zone_minutes, zones } = reading;
  const zone = told ?? header.zone ?? zone_minutes ?? undefined;
  if (zone === "local" && zone_minutes === null) return null;
  const ahead = zone === "local" ? zone_minutes : (zone ?? 0);
  zones.add(zone === undefined ? null : ahead);
  return ahead;
}

const EITHER = "could be read with the day or the month first";

/** Notes the first date that could be two days, if no date of the file shows the order. */
function noteOrder(day: WrittenDate, { line, text, date }: MomentQuery, reading: BookReading) {
  if (reading.isOrderTold || !day.isEither) return;
  if (reading.problems.some(({ problem }) => problem.includes(EITHER))) return;
  const got = cut([text, date].find((one) => one !== null && /\d\D\d+\D\d/.test(one)) ?? "");
  const problem = `date: got ${got}, which ${EITHER}, expected another date of the file that tells`;
  reading.problems.push({ line, problem: `${problem}, a month by name, or 2026-04-03` });
}

/** Time of the end. If both have one date, an end before the start is on the next day. */
export function endAfter(start: Moment | null, end: Moment | null): number | null {
  if (end === null) return null;
  const isNextDay = start !== null && end.isByDate && end.at_ms < start.at_ms;
  return isNextDay ? end.at_ms + DAY_MS : end.at_ms;
}
