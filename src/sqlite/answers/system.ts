// ballastd itself for /api/system: facts of the main thread and facts of the database. Counts over
// all stored data are made once after each commit. Damaged readings make a number unknown, but no
// answer fails.

import * as z from "zod";
import { diskForecast } from "../../bwts/present/disk-forecast.ts";
import type { SystemAnswer, SystemPresent } from "../../bwts/system.ts";
import { DAY_MS, floorTo, printTime } from "../../ground/clock.ts";
import { isDamage } from "../file/damage.ts";
import { headSchema } from "../file/migrate.ts";
import { type Connection, memo, prepare } from "../file/open.ts";
import { quarantineFill } from "../records/quarantine.ts";
import { countedPieces, countOf } from "../sealed/counts.ts";
import { oldestTime } from "../sealed/oldest-time.ts";
import { newestTime, UNDAMAGED } from "../sealed/timeline.ts";

/** Maximum number of days of readings on which the disk forecast is based. */
const BASIS_DAYS = 30;

export function systemJson(
  db: Connection,
  { present }: { readonly present: SystemPresent },
): string {
  const stored = memo(db, "system", () => storedOf(db));
  const { extent, runs } = stored;
  const answer: SystemAnswer = {
    ...present,
    disk: { ...present.disk, forecast: forecastOf(db, present, stored) },
    database: {
      ...{ ...present.database, schema: stored.schema, readings: stored.readings },
      oldest: extent && printTime(extent.oldest_ms),
      newest: extent && printTime(extent.newest_ms),
    },
    chain: { ...present.chain, heads: [...stored.heads] },
    jobs: present.jobs.map((job) => ({ ...job, last_run: runs.get(job.name) ?? null })),
    quarantine: stored.quarantine,
    backup: { ...present.backup, last: stored.backup },
  };
  return JSON.stringify(answer);
}

type HeadRow = SystemAnswer["chain"]["heads"][number];
type ReasonRow = SystemAnswer["quarantine"]["reasons"][number];
type StoredFacts = ReturnType<typeof storedOf>;

function storedOf(db: Connection) {
  const extent = extentOf(db);
  const { entries, bytes } = quarantineFill(db);
  const reasons = prepare<"system.quarantine", ReasonRow>(db, "system.quarantine").all({});
  const runs = prepare(db, "system.job_runs").all({});
  return {
    schema: headSchema(db),
    heads: prepare<"system.chains", HeadRow>(db, "system.chains").all({}),
    runs: new Map(
      runs.map(({ job, started_ms, ended_ms, result }) => [
        job,
        { started: printTime(started_ms), ended: printTime(ended_ms), result },
      ]),
    ),
    extent,
    readings: extent === null ? 0 : readingsOf(db, extent.oldest_ms, extent.newest_ms),
    quarantine: { entries, bytes, reasons: [...reasons] },
    backup: lastBackup(db),
  };
}

function extentOf(db: Connection) {
  const newest_ms = newestTime(db, UNDAMAGED);
  const oldest_ms = oldestTime(db);
  return newest_ms === null || oldest_ms === null ? null : { oldest_ms, newest_ms };
}

/** Number of readings in the days that a range touches; null if damage hides it. */
function readingsOf(db: Connection, from_ms: number, to_ms: number): number | null {
  const days = { start_ms: floorTo(from_ms, DAY_MS), end_ms: floorTo(to_ms, DAY_MS) + DAY_MS - 1 };
  try {
    return countOf(countedPieces(db, days));
  } catch (error) {
    if (isDamage(error)) return null;
    throw error;
  }
}

function forecastOf(
  db: Connection,
  { now, disk, database }: SystemPresent,
  { extent, readings }: StoredFacts,
): SystemAnswer["disk"]["forecast"] {
  if (extent === null || !readings || database.bytes === null) return null;
  const end_ms = Math.max(Date.parse(now), extent.newest_ms);
  const start_ms = Math.max(extent.oldest_ms, floorTo(end_ms, DAY_MS) - BASIS_DAYS * DAY_MS);
  const basis_readings = readingsOf(db, start_ms, end_ms);
  if (basis_readings === null) return null;
  const { free_bytes, stop_bytes } = disk;
  const room = { free_bytes, stop_bytes };
  const basis = { basis_readings, basis_ms: end_ms - start_ms };
  return diskForecast({ ...room, ...basis, database_bytes: database.bytes, readings });
}

const BackupDetail = z.object({ file: z.string(), bytes: z.number().nullable().default(null) });

/** The newest backup, its file without the folder; null before the first. */
function lastBackup(db: Connection): SystemAnswer["backup"]["last"] {
  const row = prepare(db, "system.backup").get({});
  const detail = row && BackupDetail.safeParse(JSON.parse(row.detail)).data;
  if (!detail) return null;
  const file = detail.file.slice(detail.file.lastIndexOf("/") + 1);
  return { made: printTime(row.at_ms), file, bytes: detail.bytes };
}
