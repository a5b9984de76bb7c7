// Exact counts of distinct readings by hour and day: tables for sealed readings, a count for hot
// ones. A total, and a page at any depth, cost the same everywhere.

import { ByteReader, ByteWriter } from "../../codec/bytes.ts";
import { DAY_MS, floorTo, HOUR_MS } from "../../ground/clock.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { isWhole, proven, withChecksum } from "../file/row-checksum.ts";
import { hotReadings, hotWithin } from "./hot.ts";
import { type BlockRun, countIn, timeline, VISIBLE } from "./timeline.ts";

const HOURS = DAY_MS / HOUR_MS;

/** A stretch of a range, with its number of readings. */
export interface Piece extends ClosedRange {
  readonly count: number;
}

interface DayRow {
  readonly start_ms: number;
  readonly count: number;
  readonly hours: Uint8Array;
}

/**
 * Counts readings in the transaction that seals them. Returns the days with damaged counts, which
 * must be counted again.
 */
export function addCounts(
  db: Connection,
  readings: readonly { readonly at_ms: number }[],
): readonly number[] {
  const uncounted: number[] = [];
  for (const [start_ms, inDay] of Map.groupBy(readings, ({ at_ms }) => floorTo(at_ms, DAY_MS))) {
    const [stored] = storedDays(db, { start_ms, end_ms: start_ms });
    if (stored !== undefined && !isWholeDay(stored)) {
      uncounted.push(start_ms);
      continue;
    }
    const hours = stored === undefined ? new Array<number>(HOURS).fill(0) : hoursOf(stored);
    for (const { at_ms } of inDay) hours[Math.floor((at_ms - start_ms) / HOUR_MS)] += 1;
    putCounts(db, start_ms, hours);
  }
  return uncounted;
}

/** Stores the number of sealed readings in each hour of a day. */
export function putCounts(db: Connection, start_ms: number, hours: readonly number[]): void {
  const count = hours.reduce((sum, ofHour) => sum + ofHour, 0);
  const packed = new ByteWriter();
  for (const ofHour of hours) packed.varint(ofHour);
  if (count === 0) prepare(db, "count.remove").run({ start_ms });
  else {
    const stored = withChecksum(packed.finish(), `${start_ms} ${count}`);
    prepare(db, "count.put").run({ start_ms, count, hours: stored });
  }
}

/** Number of sealed readings in the hour that begins at `start_ms`. */
export function sealedInHour(db: Connection, start_ms: number): number {
  return hourCounts(db, { start_ms, end_ms: start_ms }).get(start_ms) ?? 0;
}

function storedDays(db: Connection, range: ClosedRange): readonly DayRow[] {
  return prepare(db, "count.days").all(range);
}

function isWholeDay({ start_ms, count, hours }: DayRow): boolean {
  return isWhole(hours, `${start_ms} ${count}`);
}

function hoursOf({ start_ms, count, hours }: DayRow): number[] {
  const from = new ByteReader(proven(hours, "day_count", `${start_ms} ${count}`));
  return Array.from({ length: HOURS }, () => from.varint());
}

/** Cuts a range into days, hours and at most two parts of hours, ascending, with their counts. */
export function countedPieces(db: Connection, range: ClosedRange): readonly Piece[] {
  const hoursFrom_ms = ceilTo(range.start_ms, HOUR_MS);
  const hoursTo_ms = floorTo(range.end_ms + 1, HOUR_MS);
  if (hoursFrom_ms > hoursTo_ms) return [countedPart(db, range)];
  const daysFrom_ms = Math.min(ceilTo(hoursFrom_ms, DAY_MS), hoursTo_ms);
  const daysTo_ms = Math.max(floorTo(hoursTo_ms, DAY_MS), daysFrom_ms);
  const part = (start_ms: number, end_ms: number) =>
    start_ms > end_ms ? [] : [countedPart(db, { start_ms, end_ms })];
  return [
    ...part(range.start_ms, hoursFrom_ms - 1),
    ...counted(db, { start_ms: hoursFrom_ms, end_ms: daysFrom_ms - 1 }, "hour"),
    ...counted(db, { start_ms: daysFrom_ms, end_ms: daysTo_ms - 1 }, "day"),
    ...counted(db, { start_ms: daysTo_ms, end_ms: hoursTo_ms - 1 }, "hour"),
    ...part(hoursTo_ms, range.end_ms),
  ];
}

/** The number of readings in all pieces. */
export function countOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { count }) => sum + count, 0);
}

const WIDTH_MS = { hour: HOUR_MS, day: DAY_MS } as const;

function counted(db: Connection, range: ClosedRange, of: "hour" | "day"): readonly Piece[] {
  if (range.start_ms > range.end_ms) return [];
  const width_ms = WIDTH_MS[of];
  const counts = of === "day" ? dayCounts(db, range) : hourCounts(db, range);
  const hot = hotReadings(db);
  const { from, to } = hotWithin(hot, range);
  for (const { at_ms, supersedes } of hot.rows.slice(from, to)) {
    if (supersedes === 1) continue;
    const start_ms = floorTo(at_ms, width_ms);
    counts.set(start_ms, (counts.get(start_ms) ?? 0) + 1);
  }
  return [...counts]
    .sort(([one], [other]) => one - other)
    .map(([start_ms, count]) => ({ start_ms, end_ms: start_ms + width_ms - 1, count }));
}

function dayCounts(db: Connection, range: ClosedRange): Map<number, number> {
  return new Map(
    storedDays(db, range).map((day) => [
      day.start_ms,
      hoursOf(day).reduce((sum, ofHour) => sum + ofHour, 0),
    ]),
  );
}

function hourCounts(db: Connection, { start_ms, end_ms }: ClosedRange): Map<number, number> {
  const counts = new Map<number, number>();
  for (const day of storedDays(db, { start_ms: floorTo(start_ms, DAY_MS), end_ms }))
    for (const [hour, count] of hoursOf(day).entries()) {
      const hour_ms = day.start_ms + hour * HOUR_MS;
      if (count > 0 && hour_ms >= start_ms && hour_ms <= end_ms) counts.set(hour_ms, count);
    }
  return counts;
}

function countedPart(db: Connection, range: ClosedRange): Piece {
  return { ...range, count: countIn(db, range, VISIBLE) };
}

/** The runs of `limit` readings after the first `offset` of a range with these `pieces`. */
export function* runsFrom(
  db: Connection,
  pieces: readonly Piece[],
  page: { readonly offset: number; readonly limit: number },
): Generator<BlockRun> {
  const start = seek(db, pieces, page.offset);
  if (start === null) return;
  let skip = start.offset;
  let left = page.limit;
  // Up to the page's last reading: what a timeline costs grows with its segments.
  const end_ms = endOf(pieces, page.offset + page.limit);
  for (const run of timeline(db, { start_ms: start.start_ms, end_ms })) {
    const from = Math.min(run.to, run.from + skip);
    skip -= from - run.from;
    const to = Math.min(run.to, from + left);
    left -= to - from;
    if (from < to) yield { block: run.block, from, to };
    if (left === 0) return;
  }
}

/** The end of the piece in which the first `count` readings end, or of the last one. */
function endOf(pieces: readonly Piece[], count: number): number {
  let left = count;
  for (const piece of pieces) {
    left -= piece.count;
    if (left <= 0) return piece.end_ms;
  }
  return pieces.at(-1)?.end_ms ?? 0;
}

/** Finds the reading that follows the first `offset` readings from `start_ms` on. */
function seek(
  db: Connection,
  pieces: readonly Piece[],
  offset: number,
): { readonly start_ms: number; readonly offset: number } | null {
  let left = offset;
  for (const piece of pieces) {
    if (left < piece.count)
      return piece.end_ms - piece.start_ms < HOUR_MS
        ? { start_ms: piece.start_ms, offset: left }
        : seek(db, counted(db, piece, "hour"), left);
    left -= piece.count;
  }
  return null;
}

function ceilTo(at_ms: number, width_ms: number): number {
  return Math.ceil(at_ms / width_ms) * width_ms;
}
