// Joins entries that an officer made tank by tank: those of one letter, place and time are one
// operation, as in the log, and their volumes are added. The log has no tanks.

import type { BookEntry } from "./book-entry.ts";
import { areOthers, tanksIn } from "./book-faults.ts";
import type { BookGroup, Tolerances } from "./differences.ts";
import { isSamePlace } from "./places.ts";

const MINUTE_MS = 60_000;

/** The entries of one operation, tank by tank, while they are collected. */
interface TankGroup {
  readonly first: BookEntry;
  readonly lines: number[];
  readonly tanks: (string | null)[];
  /** The tanks of all its entries. */
  readonly names: Set<string>;
  end_ms: number | null;
  volume_m3: number | null;
}

/**
 * Joins entries of one letter, place and time for different tanks. The time of each comparison
 * doesn't grow with the group, so that a book of one group doesn't take minutes.
 */
export function tankGroups(
  entries: readonly BookEntry[],
  { time_minutes }: Tolerances,
): readonly BookGroup[] {
  const groups: TankGroup[] = [];
  const isNear = (one: number | null, other: number | null) =>
    one === other || Math.abs((one ?? 0) - (other ?? 0)) <= time_minutes * MINUTE_MS;
  for (const entry of entries) {
    const last = groups.at(-1);
    const names = tanksIn(entry.tanks);
    const isOne =
      last !== undefined &&
      isNear(last.first.start_ms, entry.start_ms) &&
      isNear(last.end_ms, entry.end_ms) &&
      last.first.code === entry.code &&
      last.first.treatment === entry.treatment &&
      areOthers(last.names, names) &&
      isPlaceOf(last.first, entry);
    if (isOne) join(last, entry, names);
    else groups.push(groupOf(entry, names));
  }
  return groups.map(({ first, lines, tanks, end_ms, volume_m3 }) => {
    const { line: _line, old_item: _old, ...rest } = first;
    const named = tanks.length === 1 ? first.tanks : tanks.join(", ");
    return { ...rest, end_ms, volume_m3, lines, tanks: named };
  });
}

/** True if the entry has the place of the first, or none, which is reported elsewhere. */
function isPlaceOf(first: BookEntry, { location, end_location }: BookEntry): boolean {
  const isOne = (own: string | null, theirs: string | null) =>
    own === theirs || theirs === null || isSamePlace(own, theirs) === true;
  return isOne(first.location, location) && isOne(first.end_location, end_location);
}

function groupOf(first: BookEntry, names: ReadonlySet<string>): TankGroup {
  const { line, tanks, end_ms, volume_m3 } = first;
  return { first, lines: [line], tanks: [tanks], names: new Set(names), end_ms, volume_m3 };
}

function join(group: TankGroup, entry: BookEntry, names: ReadonlySet<string>): void {
  const isKnown = group.volume_m3 !== null && entry.volume_m3 !== null;
  const latest = [group.end_ms, entry.end_ms].filter((one) => one !== null);
  group.lines.push(entry.line);
  group.tanks.push(entry.tanks);
  for (const name of names) group.names.add(name);
  group.end_ms = latest.length === 0 ? null : Math.max(...latest);
  group.volume_m3 = isKnown ? (group.volume_m3 ?? 0) + (entry.volume_m3 ?? 0) : null;
}
