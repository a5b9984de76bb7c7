// Puts a salvaged database in the place of the damaged one. A power cut at any moment leaves either
// the old state or one that a second `ballastd salvage` completes. The damaged file and its log
// keep all their bytes under a name with the time; nothing deletes them.

import { copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import { printTime } from "../../ground/clock.ts";
import { syncPath } from "../../ground/durable.ts";
import { databaseFile } from "../file/open.ts";
import { removeDatabase } from "./database.ts";
import { salvagedFile, salvagingFile, walFile } from "./trust.ts";

/** True if a salvaged database is complete but not yet in place. */
export function waitsForPlace(dir: string): boolean {
  return existsSync(salvagedFile(dir));
}

/** Renames the damaged files and puts the new one in place; returns the old files' new names. */
export function takePlace(dir: string, now_ms: number): readonly string[] {
  const file = databaseFile(dir);
  const time = printTime(now_ms).replace(/[-:]|\.\d+/g, "");
  const aside = `${file}.damaged-${time}`;
  const kept: string[] = [];
  for (const [name, other] of [
    [file, aside],
    [walFile(file), walFile(aside)],
  ])
    if (existsSync(name)) {
      keepAs(name, other);
      kept.push(other);
    }
  syncPath(dir);
  renameSync(salvagingFile(dir), salvagedFile(dir));
  syncPath(dir);
  finishPlace(dir);
  return kept;
}

/**
 * Finishes the exchange; may be repeated. The old file's log must not be applied to the new file.
 */
export function finishPlace(dir: string): void {
  const file = databaseFile(dir);
  rmSync(walFile(file), { force: true });
  rmSync(`${file}-shm`, { force: true });
  syncPath(dir);
  renameSync(salvagedFile(dir), file);
  syncPath(dir);
}

/** Removes the unfinished files of an interrupted salvage. */
export function clearAttempt(dir: string): void {
  removeDatabase(salvagingFile(dir));
}

function keepAs(name: string, other: string): void {
  if (existsSync(other)) return;
  try {
    linkSync(name, other);
  } catch {
    // Copied, because the file system has no links.
    copyFileSync(name, other);
  }
  if (statSync(other).size !== statSync(name).size)
    throw new Error(`${other}: isn't all of ${name}`);
}
