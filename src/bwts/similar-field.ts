// Which field of the catalogue a name was probably meant for. A map that sends a value to
// FILTER_DIFF_PRESSURE, where FLT_DIFF_PRESSURE was meant, makes an unknown tag that nobody looks
// at; a name so close to a field is refused rather than believed.

import { TAGS } from "./tags.ts";

/** A name may differ in a quarter of its letters and still be meant for a field. */
const LETTERS_A_DIFFERENCE = 4;
/** UVR_INTENSITY_2 is a name of its own: only what is very close to another field isn't. */
const DIFFERENCES_OF_EXTENDED_MAX = 2;

/** The field that `name`, which is none, is probably meant for; null when it is a name apart. */
export function similarField(name: string): string | null {
  const given = normalized(name);
  const extended = TAGS.filter((tag) => given.startsWith(`${normalized(tag.name)}_`));
  const differences_max =
    extended.length > 0
      ? DIFFERENCES_OF_EXTENDED_MAX
      : Math.floor(given.length / LETTERS_A_DIFFERENCE);
  const near = TAGS.filter((tag) => !extended.includes(tag))
    .map((tag) => ({ tag, differences: differencesBetween(given, normalized(tag.name)) }))
    .filter(({ differences }) => differences <= differences_max)
    .toSorted((one, other) => one.differences - other.differences);
  return near[0]?.tag.name ?? null;
}

const normalized = (name: string) => name.toUpperCase().replaceAll(/[.-]/g, "_");

/** The letters to add, take away or change to make one of the other (Levenshtein's distance). */
function differencesBetween(one: string, other: string): number {
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
