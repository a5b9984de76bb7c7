// The age of the newest reading by ballastd's clock, as far as the plant's offset is known; and if
// it is too old to be the present, by the server's rule, which knows how often this plant sends.

import type { ReadingTimes } from "../store/overview-shapes.ts";

export function readingAge({ at_ms, offset_s }: ReadingTimes, now_ms: number): number {
  return now_ms - at_ms + offset_s * 1000;
}

export function isOldReading(reading: ReadingTimes, now_ms: number): boolean {
  return readingAge(reading, now_ms) > reading.silence_s * 1000;
}
