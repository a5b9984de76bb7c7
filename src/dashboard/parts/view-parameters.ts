// Parameters of a view that the overview does without: a word of a list, a whole number, several
// words.

import type { ViewParameter } from "./view.ts";

/** Parameter of one of a few words. */
export function wordParameter<const T extends string>(
  words: readonly T[],
  start: NoInfer<T>,
): ViewParameter<T> {
  return {
    start,
    read: (text) => words.find((word) => word === text) ?? null,
    write: (value) => value,
  };
}

/** Parameter of a whole number from `low` to `high`, or none. */
export function wholeParameter(low: number, high: number): ViewParameter<number | null> {
  return {
    start: null,
    read: (text) => {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return value >= low && value <= high ? value : null;
    },
    write: (value) => (value === null ? "" : String(value)),
  };
}

/** Parameter of words separated by commas, each once; one unknown word makes all invalid. */
export function wordsParameter(
  isWord: (text: string) => boolean,
  start: readonly string[] = [],
): ViewParameter<readonly string[]> {
  return {
    start,
    read: (text) => {
      const words = text.split(",").filter((word) => word !== "");
      return words.every(isWord) ? [...new Set(words)] : null;
    },
    write: (value) => value.join(","),
  };
}
