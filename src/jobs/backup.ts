// Once a day a backup is made and old ones go: so many days, and of so many weeks the newest. Only
// what this job made for this system is ever removed, and only after the new one was verified.
// Which is older is told by the numbers inside the backups: dates are only as good as the clock
// was. Those of damaged data rotate by themselves: they never push out a sound one.

import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { BY_SELF } from "../bwts/audit.ts";
import { SECOND_MS } from "../clock.ts";
import type { Config } from "../config.ts";
import { damagedName, type ListedBackup, listBackups, stamp } from "../sqlite/backup.ts";
import type { JobTools } from "./job.ts";

const DAILY = /^ballastd-.+-\d{8}T\d{6}Z-daily(-damaged)?\.db$/;
const REASON = "daily";
/** Of damaged data so many are kept, beside all of the sound ones that were kept before. */
const DAMAGED_KEPT = 2;
/** A week is so many backups in a row. */
const WEEK_BACKUPS = 7;

/**
 * Makes one and removes those no longer wanted; null when none is wanted, or nothing was ever
 * received.
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
  await writer.audit([{ ...BY_SELF, at_ms: made_ms, kind: "backup", detail }]);
  // Readers and the nightly proof name it better, where they have met it.
  if (damage !== null && tools.damage.state().problems.length === 0) tools.damage.note(damage);
  return `${name}: ${bytes} bytes, sha256 ${sha256}, ${removed} old ones removed`;
}

/** A clock that was set back must not lay one backup over another. */
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

/** Removes the daily backups beside `made` that are no longer kept; how many. */
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

/** Of daily backups, newest first, those that are no longer kept. */
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
