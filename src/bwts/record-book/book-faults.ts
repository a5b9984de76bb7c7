// Finds the faults of a record book by itself, without the log: missing facts, ends before the
// start, entries that overlap, and entries out of order.

import { firstIndex } from "../ranks.ts";
import type { BookColumn } from "./book-columns.ts";
import type { BookEntry, BookFault, BookFaultKind } from "./book-entry.ts";
import type { RecordCode } from "./form.ts";
import type { ReadBook } from "./read-book.ts";

/** Letters of entries about moved water, which need an end, a volume, a place and tanks. */
const MOVING: ReadonlySet<RecordCode | null> = new Set(["A", "B", "C", "D"]);

/** All faults of a book by line. A fact that couldn't be read isn't reported as missing too. */
export function bookFaults({ entries, columns, faults, problems }: ReadBook): readonly BookFault[] {
  const odd = faults.filter(({ fault }) => fault === "no_such_date");
  const unread = new Set([...odd, ...problems].map(({ line }) => line));
  const missing = entries
    .flatMap((entry) => ownFaults(entry, columns))
    .filter(({ line, fault }) => !(unread.has(line) && fault.startsWith("missing_")));
  const misplaced = disorder(entries);
  const suspects = new Set(misplaced.map(({ line }) => line));
  return [...faults, ...missing, ...overlaps(entries, suspects), ...misplaced].sort(
    (one, other) => one.line - other.line,
  );
}

const VOLUMES: readonly BookColumn[] = ["volume", "volume_in", "volume_out", "text"];

/** Faults of one entry. Without a column of volumes no volume is reported as missing. */
function ownFaults(entry: BookEntry, columns: readonly BookColumn[]): readonly BookFault[] {
  const { line, code, start_ms, end_ms, location, volume_m3, tanks } = entry;
  const faults: BookFaultKind[] = [];
  if (start_ms === null) faults.push("missing_start");
  if (start_ms !== null && end_ms !== null && end_ms < start_ms) faults.push("end_before_start");
  if (MOVING.has(code)) {
    if (end_ms === null) faults.push("missing_end");
    if (volume_m3 === null && VOLUMES.some((one) => columns.includes(one)))
      faults.push("missing_volume");
    if (location === null && columns.includes("location")) faults.push("missing_location");
    if (tanks === null && columns.includes("tanks")) faults.push("missing_tanks");
  }
  return faults.map((fault) => ({ line, fault, got: null, other_line: null }));
}

interface TimedEntry extends BookEntry {
  readonly start_ms: number;
  readonly end_ms: number;
}

interface MovingEntry extends TimedEntry {
  readonly names: ReadonlySet<string>;
}

/**
 * Entries that overlap. Those of one operation with different tanks may. The later entry is
 * reported, or the one that is out of order.
 */
function overlaps(
  entries: readonly BookEntry[],
  suspects: ReadonlySet<number>,
): readonly BookFault[] {
  const moving = entries
    .filter((entry): entry is TimedEntry => isTimed(entry) && MOVING.has(entry.code))
    .map((entry): MovingEntry => ({ ...entry, names: tanksIn(entry.tanks) }))
    .sort((one, other) => one.start_ms - other.start_ms || one.line - other.line);
  const faults: BookFault[] = [];
  let longest: MovingEntry | null = null;
  for (const entry of moving) {
    if (longest !== null && entry.start_ms < longest.end_ms && !areTanksOfOne(entry, longest)) {
      const isEarlier = suspects.has(longest.line) && !suspects.has(entry.line);
      const [told, beside] = isEarlier ? [longest, entry] : [entry, longest];
      const fault = { line: told.line, fault: "overlap", got: null } as const;
      faults.push({ ...fault, other_line: beside.line });
    }
    if (longest === null || entry.end_ms > longest.end_ms) longest = entry;
  }
  return faults;
}

function isTimed(entry: BookEntry): entry is TimedEntry {
  return entry.start_ms !== null && entry.end_ms !== null && entry.end_ms > entry.start_ms;
}

function areTanksOfOne(one: MovingEntry, other: MovingEntry): boolean {
  return one.code === other.code && areOthers(one.names, other.names);
}

/** True if both name tanks, and have none in common. */
export function areOthers(tanks: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  const [fewer, more] = tanks.size <= others.size ? [tanks, others] : [others, tanks];
  return fewer.size > 0 && [...fewer].every((tank) => !more.has(tank));
}

export function tanksIn(text: string | null): ReadonlySet<string> {
  const names = (text ?? "").toUpperCase().split(/[,;/+&]|\s{2,}|\bAND\b|\bET\b|\bY\b/);
  return new Set(names.map((name) => name.replace(/\s+/g, "")).filter((name) => name !== ""));
}

/**
 * The smallest number of entries without which the others are in order of time (a file may run
 * backwards), each with the line that it should stand before.
 */
function disorder(entries: readonly BookEntry[]): readonly BookFault[] {
  const timed = entries.flatMap(({ line, start_ms, code }) =>
    start_ms === null || !MOVING.has(code) ? [] : [{ line, start_ms }],
  );
  const steps = timed.slice(1).map(({ start_ms }, index) => start_ms - timed[index].start_ms);
  const isBackwards = steps.filter((step) => step < 0).length > steps.length / 2;
  const ordered = isBackwards ? timed.toReversed() : timed;
  // From the end: if two entries changed places, the one that stands too late is reported.
  const kept = longestFall(ordered.map(({ start_ms }) => start_ms).reverse());
  const isKept = (index: number) => kept.has(ordered.length - 1 - index);
  const right = ordered.filter((_, index) => isKept(index));
  return ordered.flatMap(({ line, start_ms }, index) => {
    if (isKept(index)) return [];
    const next = right[firstIndex(right.length, (at) => right[at].start_ms > start_ms)];
    return [{ line, fault: "wrong_order", got: null, other_line: next?.line ?? null } as const];
  });
}

/** The indices of a longest subsequence that never rises. */
function longestFall(values: readonly number[]): ReadonlySet<number> {
  const tails: number[] = [];
  const before: number[] = [];
  for (const [index, value] of values.entries()) {
    const low = firstIndex(tails.length, (at) => values[tails[at]] < value);
    before[index] = low === 0 ? -1 : tails[low - 1];
    tails[low] = index;
  }
  const kept = new Set<number>();
  for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index]) kept.add(index);
  return kept;
}
