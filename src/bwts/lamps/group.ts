// Facts about the sixteen lamps of one reading together: their light, the groups of four that lack
// power (each has its own supply), and the lamps past their life.

import { median } from "../median.ts";
import type { LampSight } from "./fields.ts";

/** A supply feeds four lamps; with less than this share of the others' power it is weak. */
const GROUP = 4;
const SUPPLY_SHARE_MIN = 0.85;

/** The lamps' mean efficiency as a share, with 0 for a failed one; null if none is known. */
export function meanLight(lamps: readonly LampSight[]): number | null {
  const shares = lamps.flatMap(({ burning, efficiency_pct }) =>
    burning === "failed" ? [0] : efficiency_pct === null ? [] : [efficiency_pct / 100],
  );
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return mean > 0 ? mean : null;
}

/** Lamps of one supply that have less power than the others. */
export interface WeakGroup {
  readonly members: readonly number[];
  readonly share: number;
  readonly text: string;
}

/** The groups whose every lamp lacks power. */
export function weakGroups(lamps: readonly LampSight[]): readonly WeakGroup[] {
  const powerOf = ({ burning, power_w }: LampSight) =>
    burning === "lit" && power_w !== null ? [power_w] : [];
  return Array.from({ length: Math.ceil(lamps.length / GROUP) }, (_, g) => g).flatMap((group) => {
    const members = lamps.map((_, p) => p).filter((p) => Math.floor(p / GROUP) === group);
    const own = members.flatMap((position) => powerOf(lamps[position]));
    const others = lamps.filter((_, p) => !members.includes(p)).flatMap(powerOf);
    if (own.length < members.length || others.length < GROUP) return [];
    const share = median(own) / median(others);
    if (!(share < SUPPLY_SHARE_MIN) || Math.max(...own) >= SUPPLY_SHARE_MIN * median(others))
      return [];
    const names = `${members[0] + 1} to ${members[members.length - 1] + 1}`;
    const text = `lamps ${names} have ${Math.round(share * 100)} % of the others' power`;
    return [{ members, share, text }];
  });
}

/** True if a lamp has failed, is dimmer than the end of life, or older than the rated hours. */
export function isPast(
  { burning, efficiency_pct, counter_h }: LampSight,
  limits: { readonly end_of_life_efficiency: number; readonly rated_hours: number },
): boolean {
  const isDim = efficiency_pct !== null && efficiency_pct < limits.end_of_life_efficiency;
  return burning === "failed" || isDim || (counter_h !== null && counter_h > limits.rated_hours);
}

/** A short text about a lamp: its light and its hours. */
export function describe({ burning, efficiency_pct, counter_h }: LampSight): string {
  const light = burning === "failed" ? "failed" : `${efficiency_pct ?? "unknown"} %`;
  return counter_h === null ? light : `${light}, ${Math.round(counter_h)} h`;
}
