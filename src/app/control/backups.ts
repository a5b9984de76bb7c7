// Orders for backups, by the configuration: their path, the space that must stay free, and the
// label. The service, its jobs and the commands use the same orders.

import { existsSync } from "node:fs";
import path from "node:path";
import type { Config } from "../../config/config.ts";
import type { Build } from "../../ground/assets.ts";
import {
  type BackupLabel,
  type BackupOrder,
  beforeSchemaFile,
  damagedName,
  stamp,
} from "../../sqlite/care/backup.ts";

/** An order for a backup to `output`; it leaves storage.free_stop bytes free. */
export function backupOrder(
  { storage, auth, system }: Config,
  build: Build,
  { output, ...label }: Pick<BackupLabel, "made_ms" | "reason"> & { readonly output: string },
): BackupOrder {
  return {
    dir: storage.dir,
    output,
    label: { ...label, version: build.version, system_id: system.id },
    token_file: auth.token_file,
    floor_bytes: storage.free_stop,
  };
}

/**
 * The order for a copy of a database before this program migrates it. The file's name lacks the
 * schema's number, which is added later.
 */
export function beforeMigration(config: Config, build: Build, made_ms: number): BackupOrder {
  const output = migrationStem(config, build.version);
  return backupOrder(config, build, { output, made_ms, reason: `migration by ${build.version}` });
}

/** Stem of the names of copies made before a migration. */
function migrationStem({ backup, system }: Config, version: string): string {
  return path.join(backup.dir, `ballastd-${system.id}-before-${version}`);
}

/** Path of the copy that version `to` made before it migrated a database of `schema`. */
export function migrationCopy(
  config: Config,
  { to, schema }: { readonly to: string; readonly schema: number },
): string {
  const sound = beforeSchemaFile(migrationStem(config, to), schema);
  return existsSync(sound) ? sound : damagedName(sound);
}

/** File name of a backup made at `made_ms`, without its ending. */
export function backupName({ system }: Config, made_ms: number): string {
  return `ballastd-${system.id}-${stamp(made_ms)}`;
}
