// Once a day a backup is made and old ones go: so many days, and of so many weeks the newest. Only
// what this job made is ever removed, and only after the new one was verified.

import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { BY_SELF } from "../bwts/audit.ts";
import { DAY_MS } from "../clock.ts";
import type { Config } from "../config.ts";
import { stamp } from "../sqlite/backup.ts";
import type { JobTools } from "./job.ts";

const DAILY = /^ballastd-.+-(\d{8}T\d{6}Z)-daily\.db$/;
const WEEK_MS = 7 * DAY_MS;
/** 1 January 1970 was a Thursday: weeks begin on Monday. */
const MONDAY_MS = 4 * DAY_MS;

/**
 * Makes one and removes those no longer wanted; null when none is wanted, or nothing was ever
 * received.
 */
export async function backUpDaily(tools: JobTools): Promise<string | null> {
  const { backup, system_id, writer, clock, makeBackup } = tools;
  if (backup.keep_daily === 0 || writer.totals().last_reading_ms === null) return null;
  const made_ms = clock.now_ms();
  const name = `ballastd-${system_id}-${stamp(made_ms)}-daily.db`;
  const made = await makeBackup(path.join(backup.dir, name), { made_ms, reason: "daily" });
  const removed = unwanted(readdirSync(backup.dir), backup);
  for (const old of removed) rmSync(path.join(backup.dir, old), { force: true });
  const detail = { file: name, bytes: made.bytes, removed: removed.length };
  await writer.audit([{ ...BY_SELF, at_ms: made_ms, kind: "backup", detail }]);
  return `${name}: ${made.bytes} bytes, ${removed.length} old ones removed`;
}

/** Of the names in a folder, those of daily backups that are no longer kept. */
export function unwanted(
  names: readonly string[],
  { keep_daily, keep_weekly }: Pick<Config["backup"], "keep_daily" | "keep_weekly">,
): readonly string[] {
  const daily = names
    .map((name) => ({ name, time: DAILY.exec(name)?.[1] }))
    .filter(({ time }) => time !== undefined)
    .sort((one, other) => (other.time ?? "").localeCompare(one.time ?? ""));
  const kept = new Set(daily.slice(0, keep_daily));
  const weeks = new Map<number, (typeof daily)[number]>();
  for (const backup of daily) {
    const week = weekOf(backup.time ?? "");
    if (!weeks.has(week)) weeks.set(week, backup);
  }
  for (const backup of [...weeks.values()].slice(0, keep_weekly)) kept.add(backup);
  return daily.filter((backup) => !kept.has(backup)).map(({ name }) => name);
}

function weekOf(time: string): number {
  const [year, month, day] = [time.slice(0, 4), time.slice(4, 6), time.slice(6, 8)].map(Number);
  return Math.floor((Date.UTC(year, month - 1, day) - MONDAY_MS) / WEEK_MS);
}
