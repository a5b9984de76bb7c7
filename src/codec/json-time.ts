// Prints the timestamp that opens a reading or bucket, from tables. Times come in ascending order,
// so year and month are printed once a month and the rest is looked up.

import { DAY_MS, MINUTE_MS, printTime, SECOND_MS } from "../ground/clock.ts";
import { type PackedText, packText, writePacked } from "./json-writer.ts";

/** The most bytes that a time writer stores. */
export const TIME_BYTES_MAX = 64;

/** Stores the opening, a time and a quote at `at` and returns the end. */
export type WriteTime = (view: DataView, at: number, at_ms: number) => number;

const DAYS = wordsOf(31, (day) => `${two(day + 1)}T`);
const MINUTES = wordsOf(
  DAY_MS / MINUTE_MS,
  (minute) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`,
);
const SECONDS = wordsOf(60, (second) => `:${two(second)}.`);
const MILLISECONDS = wordsOf(SECOND_MS, (ms) => `${String(ms).padStart(3, "0")}Z"`);

/** A writer for consecutive times, each after `opening`. */
export function timeWriter(opening = '{"timestamp":"'): WriteTime {
  let month = monthOf(0, opening);
  return (view, start, at_ms) => {
    if (at_ms < month.start_ms || at_ms >= month.end_ms) month = monthOf(at_ms, opening);
    const day = Math.floor((at_ms - month.start_ms) / DAY_MS);
    const inDay_ms = at_ms - month.start_ms - day * DAY_MS;
    const minute = Math.floor(inDay_ms / MINUTE_MS);
    const inMinute_ms = inDay_ms - minute * MINUTE_MS;
    const second = Math.floor(inMinute_ms / SECOND_MS);
    const at = writePacked(view, start, month.opening);
    view.setFloat64(at, DAYS[day], true);
    view.setFloat64(at + 3, MINUTES[minute], true);
    view.setFloat64(at + 8, SECONDS[second], true);
    view.setFloat64(at + 12, MILLISECONDS[inMinute_ms - second * SECOND_MS], true);
    return at + 17;
  };
}

interface Month {
  readonly start_ms: number;
  readonly end_ms: number;
  /** The text up to the day. */
  readonly opening: PackedText;
}

function monthOf(at_ms: number, opening: string): Month {
  const start = new Date(at_ms);
  start.setUTCDate(1);
  start.setUTCHours(0, 0, 0, 0);
  const end = new Date(start);
  end.setUTCMonth(start.getUTCMonth() + 1);
  return {
    start_ms: start.getTime(),
    end_ms: end.getTime(),
    opening: packText(`${opening}${printTime(at_ms).slice(0, -"01T00:00:00.000Z".length)}`),
  };
}

function wordsOf(count: number, textOf: (entry: number) => string): Float64Array {
  return Float64Array.from({ length: count }, (_, entry) => packText(textOf(entry)).words[0]);
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
