// Age of the newest reading by ballastd's clock, corrected by the plant's offset if it is known,
// and its freshness by the server's rule and limit: the page goes on counting between two answers.

import { type DataState, dataState, isSilent } from "../../bwts/idle-plant.ts";
import type { ReadingTimes, ShownAges } from "./overview-shapes.ts";

export function readingAge({ at_ms, offset_s }: ReadingTimes, now_ms: number): number {
  return now_ms - at_ms + offset_s * 1000;
}

export function isOldReading(reading: ReadingTimes, now_ms: number): boolean {
  const ages = { reading_ms: readingAge(reading, now_ms), received_ms: null };
  return dataState({ ...ages, silence_ms: reading.silence_s * 1000 }) === "old";
}

/** The times of the newest reading; null without one. */
export function readingTimes({ reading_ms, offset_s, silence_s }: ShownAges): ReadingTimes | null {
  return reading_ms === null ? null : { at_ms: reading_ms, offset_s: offset_s ?? 0, silence_s };
}

/**
 * Freshness of the data. `received_ms`: last receipt of readings by ballastd's clock; null for
 * never.
 */
export function freshness(
  ages: ShownAges,
  { received_ms, now_ms }: { readonly received_ms: number | null; readonly now_ms: number },
): { readonly data: DataState; readonly isReceiving: boolean } {
  const reading = readingTimes(ages);
  const silence_ms = ages.silence_s * 1000;
  const received = { received_ms: received_ms === null ? null : now_ms - received_ms, silence_ms };
  const reading_ms = reading === null ? null : readingAge(reading, now_ms);
  return {
    data: dataState({ ...received, reading_ms }),
    isReceiving: received_ms !== null && !isSilent(received),
  };
}
