// The lake: a Parquet file for each ship and UTC day, in folders whose names DuckDB, ClickHouse,
// Trino and Spark read as columns. `readings/` has each ship's line that its box continued last,
// `forks/` the branches beside it. A file is made of proven segments only, gets its name when it is
// complete, and is rewritten only if its segments change. The note about them beside the days only
// saves work: without it the same files are written again.

import { createHash } from "node:crypto";
import * as z from "zod";
import { DAY_MS, floorTo, printTime } from "../ground/clock.ts";
import { COLUMNS } from "../sqlite/exchange/export-columns.ts";
import { openParquet } from "../sqlite/exchange/export-parquet.ts";
import type { Block, BlockStretch } from "../sqlite/sealed/block.ts";
import { runsOf } from "../sqlite/sealed/sweep.ts";
import type { LakePlace } from "./lake-place.ts";
import { type LineReader, openLineReader } from "./line-reader.ts";
import type { Office } from "./office.ts";
import { type ShoreLine, type ShoreSegment, shoreLines } from "./segments.ts";

/** The result for a ship. */
export interface LakeShip {
  readonly ship: string;
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Number of readings in the written files. */
  readonly readings: number;
  /** Number of segments whose payload isn't in the database or the store. */
  readonly lacking: number;
  /** Branches beside the ship's current line. */
  readonly forks: readonly number[];
  /** Problems of the segments that were left out. */
  readonly problems: readonly string[];
}

/** Version of the files, raised when the same segments make other bytes. */
const LAKE_FORMAT = 1;
const FILE = "readings.parquet";
/** Matches a file in the folder of a day. */
const DAY_FILE = /\/day=\d{4}-\d\d-\d\d\/[^/]*$/;
/** Name of the note; engines skip names that begin with an underscore. */
const NOTE = "_ballastd.json";
/** Maximum span of a segment that isn't opened to find its days. */
const SPAN_DAYS_MAX = 32;

const Note = z.object({
  format: z.literal(LAKE_FORMAT),
  days: z.record(z.string(), z.object({ segments: z.string(), readings: z.number().int() })),
});
type Days = z.output<typeof Note>["days"];

/** Brings the lake up to date with the office's data of a ship, one run at a time. */
export async function updateLake(office: Office, lake: LakePlace, ship: string): Promise<LakeShip> {
  await office.ask("office.lock_lake", [ship]);
  // In a snapshot, since the ship may be sending: its line must have all of its segments.
  const updated = await office.snapshot(() => updateShip(office, lake, ship));
  await office.ask("office.unlock_lake", [ship]);
  return updated;
}

async function updateShip(office: Office, lake: LakePlace, ship: string): Promise<LakeShip> {
  const lines = await shoreLines(office, ship);
  const done = { written: 0, unchanged: 0, removed: 0, readings: 0 };
  const problems: string[] = [];
  for (const line of lines)
    await updateLine({ office, lake, ship, folder: folderOf(ship, line), done, problems }, line);
  const kept = lines.map((line) => `${folderOf(ship, line)}/`);
  for (const name of await lake.names(`forks/ship=${ship}`))
    if (!kept.some((folder) => name.startsWith(folder))) {
      // The ship continued that branch, so it is part of the current line.
      await lake.remove(name);
      done.removed += name.endsWith(`/${FILE}`) ? 1 : 0;
    }
  const lacking = lines.flatMap(({ segments }) => segments).filter(({ is_here }) => !is_here);
  const forks = lines.flatMap(({ fork }) => (fork === null ? [] : [fork]));
  return { ship, ...done, lacking: lacking.length, forks, problems };
}

function folderOf(ship: string, { fork }: ShoreLine): string {
  return fork === null ? `readings/ship=${ship}` : `forks/ship=${ship}/branch=${fork}`;
}

interface Updating {
  readonly office: Office;
  readonly lake: LakePlace;
  readonly ship: string;
  /** The folder with the days of the line. */
  readonly folder: string;
  readonly done: { written: number; unchanged: number; removed: number; readings: number };
  readonly problems: string[];
}

async function updateLine(updating: Updating, { segments }: ShoreLine): Promise<void> {
  const { office, lake, ship, folder, done, problems } = updating;
  const reader = openLineReader(office, ship, (problem) => problems.push(problem));
  const byDay = await daysOf(segments, reader);
  const names = await lake.names(folder);
  const noteName = `${folder}/${NOTE}`;
  const before = names.has(noteName) ? noteIn(await lake.read(noteName)) : {};
  const after: Days = {};
  const kept = new Set<string>();
  for (const day_ms of [...byDay.keys()].sort((one, other) => one - other)) {
    const day = printTime(day_ms).slice(0, "2026-05-01".length);
    const file = `${folder}/day=${day}/${FILE}`;
    const made = byDay.get(day_ms) ?? [];
    const fingerprint = createHash("sha256")
      .update(made.map(({ hash }) => hash).join())
      .digest("hex");
    const known = before[day];
    const isKnown = known?.segments === fingerprint && names.has(file) === known.readings > 0;
    if (isKnown) {
      after[day] = known;
      done.unchanged += 1;
      if (known.readings > 0) kept.add(file);
      continue;
    }
    const sources = await reader.sources(made);
    const range = { start_ms: day_ms, end_ms: day_ms + DAY_MS - 1 };
    const runs = [...runsOf(sources, range)];
    const readings = runs.reduce((sum, { from, to }) => sum + to - from, 0);
    if (readings > 0) {
      await lake.write(file, fileOf(runs, readings));
      kept.add(file);
      done.written += 1;
      done.readings += readings;
    }
    // A day with a damaged segment isn't noted, so that it is made again the next time.
    if (sources.length === made.length) after[day] = { segments: fingerprint, readings };
  }
  // Found by their names, since a run that was killed wrote no note.
  for (const name of names)
    if (DAY_FILE.test(name) && !kept.has(name)) {
      await lake.remove(name);
      done.removed += name.endsWith(`/${FILE}`) ? 1 : 0;
    }
  if (JSON.stringify(after) === JSON.stringify(before)) return;
  await lake.write(noteName, [
    Buffer.from(`${JSON.stringify({ format: LAKE_FORMAT, days: after })}\n`),
  ]);
}

/** Segments with payload, by the days of their readings or all days from the first to the last. */
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

/**
 * The days of a segment's readings. A clock that was years off makes segments that span years but
 * have few days.
 */
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

/** The bytes of a day's file, in chunks. */
function* fileOf(
  runs: readonly (BlockStretch & { readonly block: Block })[],
  readings: number,
): Generator<Uint8Array> {
  const parquet = openParquet(COLUMNS, readings);
  for (const { block, from, to } of runs) {
    parquet.add(Array.from({ length: to - from }, (_, index) => block.reading(from + index)));
    yield parquet.taken();
  }
  parquet.finish();
  yield parquet.taken();
}

/** The days in a note of an earlier run; none if it can't be read. */
function noteIn(note: Buffer | null): Days {
  try {
    return Note.parse(JSON.parse(`${note}`)).days;
  } catch {
    return {};
  }
}
