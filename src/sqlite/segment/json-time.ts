// The opening of a printed reading: its timestamp, written from tables. Readings come in order of
// time, so the date is printed once a day and the rest looked up.

import { DAY_MS, floorTo, MINUTE_MS, printTime, SECOND_MS } from "../../clock.ts";
import { type PackedText, packText, writePacked } from "./json-writer.ts";

/** The most bytes that a time writer stores. */
export const TIME_BYTES_MAX = 64;

/** Stores `{"timestamp":"..."` at `at` and gives the place behind it. */
export type WriteTime = (view: DataView, at: number, at_ms: number) => number;

const MINUTES = wordsOf(
  DAY_MS / MINUTE_MS,
  (minute) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`,
);
const SECONDS = wordsOf(60, (second) => `:${two(second)}.`);
const MILLISECONDS = wordsOf(SECOND_MS, (ms) => `${String(ms).padStart(3, "0")}Z"`);

/** A writer for the times of readings one after another. */
export function timeWriter(): WriteTime {
  let day_ms = Number.NaN;
  let opening: PackedText = packText("");
  return (view, start, at_ms) => {
    const start_ms = floorTo(at_ms, DAY_MS);
    if (start_ms !== day_ms) {
      opening = packText(`{"timestamp":"${printTime(at_ms).split("T")[0]}T`);
      day_ms = start_ms;
    }
    const minute = Math.floor((at_ms - start_ms) / MINUTE_MS);
    const inMinute_ms = at_ms - start_ms - minute * MINUTE_MS;
    const second = Math.floor(inMinute_ms / SECOND_MS);
    const at = writePacked(view, start, opening);
    view.setFloat64(at, MINUTES[minute], true);
    view.setFloat64(at + 5, SECONDS[second], true);
    view.setFloat64(at + 9, MILLISECONDS[inMinute_ms - second * SECOND_MS], true);
    return at + 14;
  };
}

function wordsOf(count: number, textOf: (entry: number) => string): Float64Array {
  return Float64Array.from({ length: count }, (_, entry) => packText(textOf(entry)).words[0]);
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
