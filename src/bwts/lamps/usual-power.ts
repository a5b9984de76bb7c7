// The usual power of a ship's lamps, with which a lamp's own is compared: a ballast that loses
// power dims its lamp, and the other lamps show the normal power.

import type { LampSight } from "../light/lamp-fields.ts";

/**
 * The mean power of the middle half of the burning lamps, NaN if unknown: weak ballasts don't move
 * it, nor do a few lamps that go out where one half has more power than the other.
 */
export function usualPower(lamps: readonly LampSight[]): number {
  // Sorted by insertion: this runs for millions of readings, and 16 powers are nearly alike.
  const powers: number[] = [];
  for (let position = 0; position < lamps.length; position += 1) {
    const { burning, power_w } = lamps[position];
    if (burning !== "lit" || power_w === null || power_w <= 0) continue;
    let rank = powers.length;
    for (; rank > 0 && powers[rank - 1] > power_w; rank -= 1) powers[rank] = powers[rank - 1];
    powers[rank] = power_w;
  }
  const cut = powers.length >> 2;
  let sum = 0;
  for (let rank = cut; rank < powers.length - cut; rank += 1) sum += powers[rank];
  return sum / (powers.length - 2 * cut);
}
