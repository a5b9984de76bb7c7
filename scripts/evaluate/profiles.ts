// Makers' tables for simulated ships: the right one, a limit, and wrong ones that an office may
// send by mistake. The right one is the family's course with its constants in the middle of their
// ranges, to the rated hours: a ship's own constants and her lamps' lives differ from it, as ships
// do from the maker's test.

import { type Course, type Draw, OWN } from "./families.ts";
import type { Plant } from "./plant.ts";

export const PROFILES = [
  "without a profile",
  "with the make's profile",
  "of her own lamps",
  "hours a third too few",
  "hours a third too many",
  "bent the wrong way",
  "another make",
] as const;

export type ProfileKind = (typeof PROFILES)[number];

/** Hours of a wrong table over the right ones. */
const HOURS_OFF: Readonly<Partial<Record<ProfileKind, number>>> = {
  "hours a third too few": 2 / 3,
  "hours a third too many": 4 / 3,
};
/** Points of a table, as shares of its hours. */
const SHARES = [0, 0.25, 0.5, 0.75, 1];
/** The other make's place in the list of families, after the ship's own. */
const OTHER = 5;

/** The table that a ship is told; empty for none, as for a ship of mixed makes. */
export function tableFor(plant: Plant, kind: ProfileKind): readonly string[] {
  const { family, families, end_pct, rated_h, life } = plant;
  if (family === null || kind === "without a profile") return [];
  const end = end_pct / 100;
  const other = families[(families.indexOf(family) + OTHER) % families.length];
  const isOwn = kind === "of her own lamps";
  const course = (kind === "another make" ? other : family).course(isOwn ? drawnBy(plant) : middle);
  const hours = rated_h * (isOwn ? life : (HOURS_OFF[kind] ?? 1));
  const of = kind === "bent the wrong way" ? mirrored(course) : course;
  return SHARES.map((share) => {
    const percent = share === 1 ? end_pct : 100 * of(share, end);
    return `${Math.round(share * hours)} ${Math.round(10 * percent) / 10}`;
  });
}

/** Constants in the middle of their ranges, also those that lamps don't share. */
const middle: Draw = (name, low, high) => (name.startsWith(OWN) ? 0.5 : (low + high) / 2);

/** The constants of a ship's lamps, without what each deviates from them. */
const drawnBy =
  ({ random }: Plant): Draw =>
  (name, low, high) =>
    name.startsWith(OWN) ? middle(name, low, high) : random.between(low, high, name);

/** As late as the course is early. */
function mirrored(course: Course): Course {
  return (share, end) => {
    const fallen = (1 - course(1 - share, end)) / (1 - end);
    return 1 - (1 - end) * (1 - fallen);
  };
}
