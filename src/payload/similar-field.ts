// Finds the field of the catalogue for which a misspelled name was probably meant. A map that sends
// a value to FILTER_DIFF_PRESSURE in place of FLT_DIFF_PRESSURE makes an unknown tag that nobody
// looks at, so a name this close to a field is refused.

import { TAGS } from "../bwts/tags.ts";

/** Letters of a name for each allowed difference. */
const LETTERS_A_DIFFERENCE = 4;
/** Maximum differences of a longer name; UVR_INTENSITY_2 and the like are other names. */
const DIFFERENCES_OF_EXTENDED_MAX = 2;

/** The field for which the unknown `name` was probably meant; null if it resembles none. */
export function similarField(name: string): string | null {
  const given = normalized(name);
  const extended = TAGS.filter((tag) => given.startsWith(`${normalized(tag.name)}_`));
  const differences_max =
    extended.length > 0
      ? DIFFERENCES_OF_EXTENDED_MAX
      : Math.floor(given.length / LETTERS_A_DIFFERENCE);
  // Lengths first: to compare the letters of 10,000 names took an import some 10 s.
  const near = TAGS.filter((tag) => !extended.includes(tag))
    .filter(({ name }) => Math.abs(name.length - given.length) <= differences_max)
    .map((tag) => ({ tag, differences: differencesBetween(given, normalized(tag.name)) }))
    .filter(({ differences }) => differences <= differences_max)
    .toSorted((one, other) => one.differences - other.differences);
  return near[0]?.tag.name ?? null;
}

const normalized = (name: string) => name.toUpperCase().replaceAll(/[.-]/g, "_");

/** Levenshtein's distance: letters to add, remove or change. */
export function differencesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= other.length; at += 1) {
      const changed = row[at - 1] + (letter === other[at - 1] ? 0 : 1);
      next.push(Math.min(changed, row[at] + 1, next[at - 1] + 1));
    }
    row = next;
  }
  return row[other.length];
}
