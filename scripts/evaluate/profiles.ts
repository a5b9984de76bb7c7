// Makers' tables for simulated ships: the right one, and wrong ones that an office may send by
// mistake. The right one is the family's course with its constants in the middle of their ranges, to
// the rated hours: a ship's own constants and her lamps' lives differ from it, as ships do from the
// maker's test.

import { type Course, type Draw, OWN } from "./families.ts";
import type { Plant } from "./plant.ts";

export const PROFILES = [
  "without a profile",
  "with the make's profile",
  "hours a third too few",
  "hours a third too many",
  "bent the wrong way",
  "another make",
] as const;

export type ProfileKind = (typeof PROFILES)[number];

/** Points of a table, as shares of its hours. */
const SHARES = [0, 0.25, 0.5, 0.75, 1];
/** The other make's place in the list of families, after the ship's own. */
const OTHER = 5;

/** The table that a ship is told; empty for none, as for a ship of mixed makes. */
export function tableFor(plant: Plant, kind: ProfileKind): readonly string[] {
  const { family, families, end_pct, rated_h } = plant;
  if (family === null || kind === "without a profile") return [];
  const end = end_pct / 100;
  const other = families[(families.indexOf(family) + OTHER) % families.length];
  const course = (kind === "another make" ? other : family).course(middle);
  const hours =
    rated_h *
    (kind === "hours a third too few" ? 2 / 3 : kind === "hours a third too many" ? 4 / 3 : 1);
  const of = kind === "bent the wrong way" ? mirrored(course) : course;
  return SHARES.map((share) => {
    const percent = share === 1 ? end_pct : 100 * of(share, end);
    return `${Math.round(share * hours)} ${Math.round(10 * percent) / 10}`;
  });
}

/** Constants in the middle of their ranges; those that lamps don't share, as if they did nothing. */
const middle: Draw = (name, low, high) => (name.startsWith(OWN) ? 0.5 : (low + high) / 2);

/** As late as the course is early. */
function mirrored(course: Course): Course {
  return (share, end) => {
    const fallen = (1 - course(1 - share, end)) / (1 - end);
    return 1 - (1 - end) * (1 - fallen);
  };
}
