// Makes a backup once a day and removes old ones: it keeps `keep_daily` backups and the newest of
// each of `keep_weekly` weeks. It removes only backups that it made for this system, and only after
// the new one was verified. Numbers inside the backups give their order, because dates are only as
// good as the clock was. Backups of damaged data are counted apart: they never replace a sound one.

import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { BY_SELF } from "../bwts/audit.ts";
import type { Config } from "../config/config.ts";
import { SECOND_MS } from "../ground/clock.ts";
import { damagedName, type ListedBackup, listBackups, stamp } from "../sqlite/care/backup.ts";
import type { JobTools } from "./job.ts";

const DAILY = /^ballastd-.+-\d{8}T\d{6}Z-daily(-damaged)?\.db$/;
const REASON = "daily";
/** Number of backups of damaged data that are kept; they don't replace sound ones. */
const DAMAGED_KEPT = 2;
/** Number of consecutive daily backups that count as a week. */
const WEEK_BACKUPS = 7;

/**
 * Makes the daily backup and removes backups that are no longer kept; null if daily backups are
 * off, or if no reading was ever received.
 */
export async function backUpDaily(tools: JobTools): Promise<string | null> {
  const { backup, writer, clock, makeBackup } = tools;
  if (backup.keep_daily === 0 || writer.totals().last_reading_ms === null) return null;
  const made_ms = clock.now_ms();
  const output = freeName(made_ms, tools);
  const { file, bytes, sha256, damage } = await makeBackup(output, { made_ms, reason: REASON });
  const name = path.basename(file);
  const removed = removeUnwanted(file, tools);
  const said = damage === null ? {} : { damage };
  const detail = { file: name, bytes, sha256, removed, ...said };
  await writer.call("audit_entries", [{ ...BY_SELF, at_ms: made_ms, kind: "backup", detail }]);
  // Problems noted by readers and the nightly proof are more precise than the backup's.
  if (damage !== null && tools.damage.state().problems.length === 0) tools.damage.note(damage);
  return `${name}: ${bytes} bytes, sha256 ${sha256}, ${removed} old ones removed`;
}

/** A name that no backup has: if the clock was set back, none may be overwritten. */
function freeName(
  made_ms: number,
  tools: { readonly backup: { readonly dir: string }; readonly system_id: string },
): string {
  const name = `ballastd-${tools.system_id}-${stamp(made_ms)}-daily.db`;
  const output = path.join(tools.backup.dir, name);
  return existsSync(output) || existsSync(damagedName(output))
    ? freeName(made_ms + SECOND_MS, tools)
    : output;
}

/** Removes the daily backups beside `made` that are no longer kept; returns their number. */
export function removeUnwanted(
  made: string,
  { backup, system_id }: Pick<JobTools, "backup" | "system_id">,
): number {
  const ours = listBackups(path.dirname(made)).filter(
    ({ file, label }) => DAILY.test(path.basename(file)) && label?.system_id === system_id,
  );
  const isSound = ({ label }: ListedBackup) => (label?.damage ?? null) === null;
  const removed = [
    ...unwanted(ours.filter(isSound), backup),
    ...ours.filter((each) => !isSound(each)).slice(DAMAGED_KEPT),
  ].filter(({ file }) => file !== made);
  for (const { file } of removed) rmSync(file, { force: true });
  return removed.length;
}

/** The backups of `daily` that are no longer kept; `daily` has the newest first. */
function unwanted<Listed extends Pick<ListedBackup, "position">>(
  daily: readonly Listed[],
  { keep_daily, keep_weekly }: Pick<Config["backup"], "keep_daily" | "keep_weekly">,
): readonly Listed[] {
  const kept = new Set(daily.slice(0, keep_daily));
  const weeks = new Map<number, Listed>();
  for (const backup of daily) {
    const week = Math.floor(backup.position / WEEK_BACKUPS);
    if (!weeks.has(week)) weeks.set(week, backup);
  }
  for (const backup of [...weeks.values()].slice(0, keep_weekly)) kept.add(backup);
  return daily.filter((backup) => !kept.has(backup));
}
