// Reads and prints times: UTC, in milliseconds since 1970. It has its own parser because Date.parse
// accepts "2026-02-30" and local times in the machine's zone, on neither of which a reading's
// identity may depend. Detects when the box's clock is set.

/** The source of the present time; tests give their own. */
export interface Clock {
  now_ms(): number;
}

export const systemClock: Clock = { now_ms: () => Date.now() };

export const SECOND_MS = 1000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/**
 * An instant; `dateOnly` if only its date was given, so that an end of range means the day's end.
 */
export interface ParsedTime {
  readonly at_ms: number;
  readonly dateOnly: boolean;
}

// Date; optional time, fraction and zone. A space before the zone's digits is a "+" that a client
// forgot to encode in a query string.
const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:[Zz]| ?([+-]|(?<= ))(\d{2})(?::?(\d{2}))?)?)?$/;

/**
 * Reads an ISO 8601 date, or date and time with `Z`, an offset, or neither (then UTC). Null for
 * anything else: a day that doesn't exist, `24:00`, a 60th second, week dates. Digits beyond
 * milliseconds are cut.
 */
export function parseTime(text: string): ParsedTime | null {
  const match = ISO.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match
    .slice(1, 7)
    .map((part) => (part === undefined ? 0 : Number(part)));
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  const offsetHour = Number(match[9] ?? 0);
  const offsetMinute = Number(match[10] ?? 0);
  if (offsetHour > 23 || offsetMinute > 59) return null;
  const milliseconds = Number((match[7] ?? "").slice(0, 3).padEnd(3, "0"));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, milliseconds);
  const offset_ms = offsetHour * HOUR_MS + offsetMinute * MINUTE_MS;
  const at_ms = date.getTime() - (match[8] === "-" ? -offset_ms : offset_ms);
  return { at_ms, dateOnly: match[4] === undefined };
}

/** The last instant that a range's end includes: of a date alone, the end of that day. */
export function endOf(time: ParsedTime): number {
  return time.dateOnly ? time.at_ms + DAY_MS - 1 : time.at_ms;
}

/** `at_ms` as ISO 8601 UTC with milliseconds and `Z`: the only form in which times are printed. */
export function printTime(at_ms: number): string {
  return new Date(at_ms).toISOString();
}

/** The start of the UTC hour, day or slot of `width_ms` that `at_ms` lies in. */
export function floorTo(at_ms: number, width_ms: number): number {
  return Math.floor(at_ms / width_ms) * width_ms;
}

/** The calendar month (1 to 12) of `at_ms` in UTC. */
export function monthOf(at_ms: number): number {
  return new Date(at_ms).getUTCMonth() + 1;
}

function daysInMonth(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

/** The box's two clocks, which must advance equally between two looks. */
export interface BoxClocks extends Clock {
  /** A clock that is never set; its zero has no meaning. */
  steady_ms(): number;
}

export const boxClocks: BoxClocks = { ...systemClock, steady_ms: () => performance.now() };

/** Returns a test that is true once `duration_ms` have passed, by the steady clock. */
export function lateAfter(duration_ms: number): () => boolean {
  const until_ms = performance.now() + duration_ms;
  return () => performance.now() >= until_ms;
}

/** Minimum step; a smaller difference is a clock being adjusted, or a thread that had to wait. */
const STEP_MIN_MS = 2000;

/** Returns a function that gives how far the clock was set since the last call, in ms, or 0. */
export function openBoxClock({ now_ms, steady_ms }: BoxClocks): () => number {
  let apart_ms = now_ms() - steady_ms();
  return () => {
    const before_ms = apart_ms;
    apart_ms = now_ms() - steady_ms();
    const by_ms = apart_ms - before_ms;
    return Math.abs(by_ms) < STEP_MIN_MS ? 0 : Math.round(by_ms);
  };
}
