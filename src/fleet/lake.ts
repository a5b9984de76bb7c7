// The lake: a Parquet file for each ship and UTC day, in folders whose names DuckDB, ClickHouse,
// Trino and Spark read as columns. `readings/` has each ship's line on which she went on last,
// `forks/` what parted from it. A file is made of proven segments only, gets its name when it is
// whole, and is written again only if other segments make it. The note of that beside the days is a
// saving: without it the same files are written anew.

import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import * as z from "zod";
import { DAY_MS, floorTo, printTime } from "../ground/clock.ts";
import { openNew, partOf, placeFile, writeWhole } from "../ground/durable.ts";
import { COLUMNS } from "../sqlite/exchange/export-columns.ts";
import { openParquet } from "../sqlite/exchange/export-parquet.ts";
import type { Block } from "../sqlite/sealed/block.ts";
import { runsOf, type TimedSource } from "../sqlite/sealed/sweep.ts";
import { type LineReader, openLineReader } from "./line-reader.ts";
import type { Office } from "./office.ts";
import { type ShoreLine, type ShoreSegment, shoreLines } from "./segments.ts";

/** The outcome for a ship. */
export interface LakeShip {
  readonly ship: string;
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Readings in the files that were written. */
  readonly readings: number;
  /** Segments whose payload isn't here. */
  readonly lacking: number;
  /** Branches that parted from the ship's line. */
  readonly forks: readonly number[];
  /** Segments that were left out. */
  readonly problems: readonly string[];
}

/** Counted up when the same segments begin to make other bytes. */
const LAKE_FORMAT = 1;
const FILE = "readings.parquet";
const DAY_FOLDER = /^day=\d{4}-\d\d-\d\d$/;
/** Engines pass over names that begin so. */
const NOTE = "_ballastd.json";
/** A segment of more days than it can hold readings of is opened, which tells its days. */
const SPAN_DAYS_MAX = 32;

const Note = z.object({
  format: z.literal(LAKE_FORMAT),
  days: z.record(z.string(), z.object({ segments: z.string(), readings: z.number().int() })),
});
type Days = z.output<typeof Note>["days"];

/** Brings the lake in `folder` up to date with what the shore has of a ship, one run at a time. */
export async function updateLake(office: Office, folder: string, ship: string): Promise<LakeShip> {
  await office.ask("office.lock_lake", [ship]);
  // The ship may be sending: her line must have all of its segments.
  const updated = await office.snapshot(() => updateShip(office, folder, ship));
  await office.ask("office.unlock_lake", [ship]);
  return updated;
}

async function updateShip(office: Office, folder: string, ship: string): Promise<LakeShip> {
  const lines = await shoreLines(office, ship);
  const done = { written: 0, unchanged: 0, removed: 0, readings: 0 };
  const problems: string[] = [];
  for (const line of lines) {
    const place = path.join(folder, ...placeOf(ship, line));
    await updateLine({ office, ship, place, done, problems }, line);
  }
  const forksHere = path.join(folder, "forks", `ship=${ship}`);
  for (const name of namesIn(forksHere, /^branch=\d+$/))
    if (lines.every(({ fork }) => name !== `branch=${fork}`)) {
      // The ship went on with it, so it is in her line.
      const gone = path.join(forksHere, name);
      done.removed += namesIn(gone, DAY_FOLDER).length;
      rmSync(gone, { recursive: true, force: true });
    }
  const lacking = lines.flatMap(({ segments }) => segments).filter(({ is_here }) => !is_here);
  const forks = lines.flatMap(({ fork }) => (fork === null ? [] : [fork]));
  return { ship, ...done, lacking: lacking.length, forks, problems };
}

function placeOf(ship: string, { fork }: ShoreLine): readonly string[] {
  const own = `ship=${ship}`;
  return fork === null ? ["readings", own] : ["forks", own, `branch=${fork}`];
}

interface Updating {
  readonly office: Office;
  readonly ship: string;
  /** The folder of the line's days. */
  readonly place: string;
  readonly done: { written: number; unchanged: number; removed: number; readings: number };
  readonly problems: string[];
}

async function updateLine(updating: Updating, { segments }: ShoreLine): Promise<void> {
  const { office, ship, place, done, problems } = updating;
  const reader = openLineReader(office, ship, (problem) => problems.push(problem));
  const byDay = await daysOf(segments, reader);
  const before = readNote(place);
  const after: Days = {};
  for (const day_ms of [...byDay.keys()].sort((one, other) => one - other)) {
    const day = printTime(day_ms).slice(0, "2026-05-01".length);
    const file = path.join(place, `day=${day}`, FILE);
    const made = byDay.get(day_ms) ?? [];
    const fingerprint = createHash("sha256")
      .update(made.map(({ hash }) => hash).join())
      .digest("hex");
    const known = before[day];
    if (known?.segments === fingerprint && existsSync(file) === known.readings > 0) {
      after[day] = known;
      done.unchanged += 1;
      continue;
    }
    const sources = await reader.sources(made);
    const readings = writeDay(file, { day_ms, sources });
    // A day that lacks a segment is looked at again the next time.
    if (sources.length === made.length) after[day] = { segments: fingerprint, readings };
    done.written += readings > 0 ? 1 : 0;
    done.readings += readings;
  }
  // By their names: a run that was killed made no note.
  for (const name of namesIn(place, DAY_FOLDER))
    if (!byDay.has(Date.parse(name.slice("day=".length)))) {
      rmSync(path.join(place, name), { recursive: true, force: true });
      done.removed += 1;
    }
  if (JSON.stringify(after) !== JSON.stringify(before)) {
    mkdirSync(place, { recursive: true });
    const note = `${JSON.stringify({ format: LAKE_FORMAT, days: after })}\n`;
    writeWhole(path.join(place, NOTE), note, { mode: 0o644 });
  }
}

/** Segments with payload by the days of their readings, or those between the first and the last. */
async function daysOf(
  segments: readonly ShoreSegment[],
  reader: LineReader,
): Promise<ReadonlyMap<number, readonly ShoreSegment[]>> {
  const byDay = new Map<number, ShoreSegment[]>();
  for (const segment of segments.filter(({ is_here }) => is_here))
    for (const day_ms of await daysWithin(segment, reader)) {
      const day = byDay.get(day_ms) ?? [];
      day.push(segment);
      byDay.set(day_ms, day);
    }
  return byDay;
}

/** A clock that was years off makes segments that go over years with few days in them. */
async function daysWithin(segment: ShoreSegment, reader: LineReader): Promise<Iterable<number>> {
  const [first, last] = [floorTo(segment.first_ms, DAY_MS), floorTo(segment.last_ms, DAY_MS)];
  const days = (last - first) / DAY_MS + 1;
  if (days >= 1 && days <= SPAN_DAYS_MAX)
    return Array.from({ length: days }, (_, index) => first + index * DAY_MS);
  const [source] = await reader.sources([segment]);
  const run = source?.open() ?? null;
  if (run === null) return [];
  const { block, from, to } = run;
  const times = Array.from({ length: to - from }, (_, index) => block.at_ms(from + index));
  return new Set(times.map((at_ms) => floorTo(at_ms, DAY_MS)));
}

/** The names in a folder that may be missing. */
function namesIn(folder: string, pattern: RegExp): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => pattern.test(name)) : [];
}

interface DayMade {
  readonly day_ms: number;
  readonly sources: readonly TimedSource<Block>[];
}

/** Writes the file of a day, or removes it if the day has no reading; answers how many it has. */
function writeDay(file: string, { day_ms, sources }: DayMade): number {
  const range = { start_ms: day_ms, end_ms: day_ms + DAY_MS - 1 };
  const runs = [...runsOf(sources, range)];
  const count = runs.reduce((sum, { from, to }) => sum + to - from, 0);
  if (count === 0) {
    rmSync(path.dirname(file), { recursive: true, force: true });
    return 0;
  }
  const part = emptyPart(file);
  const handle = openNew(part, 0o644);
  const parquet = openParquet(COLUMNS, count);
  try {
    for (const { block, from, to } of runs) {
      parquet.add(Array.from({ length: to - from }, (_, index) => block.reading(from + index)));
      writeFileSync(handle, parquet.taken());
    }
    parquet.finish();
    writeFileSync(handle, parquet.taken());
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
  placeFile(part, file);
  return count;
}

/**
 * A name for the file while it is written, which engines pass over. What a killed run left of the
 * day is removed.
 */
function emptyPart(file: string): string {
  const folder = path.dirname(file);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder))
    if (name !== FILE) rmSync(path.join(folder, name), { force: true });
  return partOf(path.join(folder, `_${FILE}`));
}

/** Days that were written before, by the note beside them; none if it can't be read. */
function readNote(place: string): Days {
  try {
    return Note.parse(JSON.parse(readFileSync(path.join(place, NOTE), "utf8"))).days;
  } catch {
    return {};
  }
}
