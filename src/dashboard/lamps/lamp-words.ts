// A lamp in words, so that the right one is taken out: its number, its place in the reactor, its
// hours.

import { reactorPlace } from "../../bwts/lamps/reactor.ts";
import { LAMP_NUMBERS } from "../../bwts/tags.ts";
import { partsWords, lampsWords as t } from "../lang/words.ts";
import { MISSING } from "../parts/numbers.ts";

/** `Lamp 07`; `lamp` is 1 to 16. */
export function lampName(lamp: number): string {
  return t("lamp", { number: LAMP_NUMBERS[lamp - 1] ?? String(lamp) });
}

/** The place of a lamp, from the side that is opened. */
export function placeWords(lamp: number): string {
  const { row, column, columns } = reactorPlace(lamp - 1);
  return columns === 1 ? t("place_alone", { row }) : t("place", { row, column, columns });
}

export function printHours(hours: number | null): string {
  return hours === null ? MISSING : partsWords("hours", { n: Math.round(hours) });
}
