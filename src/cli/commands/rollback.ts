// `ballastd rollback`: returns to the version before the last update, for faults that show only in
// use.

import { existsSync } from "node:fs";
import { migrationCopy } from "../../app/control/backups.ts";
import {
  readUpdateState,
  type UpdateState,
  writeUpdateState,
} from "../../app/control/update-state.ts";
import { isNewer } from "../../app/control/update-trial.ts";
import { makeCurrent, readSwitch, type Switch, versionFile } from "../../app/control/versions.ts";
import { restarted } from "../../app/control/wait-for-version.ts";
import type { Config } from "../../config/config.ts";
import { readBuild } from "../../ground/assets.ts";
import { printTime } from "../../ground/clock.ts";
import { codeOf, EXIT, Failure } from "../../ground/errors.ts";
import { isOwners } from "../../ground/owner.ts";
import { listBackups } from "../../sqlite/care/backup.ts";
import { newestSchema } from "../../sqlite/file/migrate.ts";
import { printResult } from "../document.ts";
import { configOf } from "../instance-data.ts";
import { readOptions } from "../options.ts";

export const summary = "go back to the version before the last update";

export const help = `usage: ballastd rollback [--old-data] [--json] [--config FILE]

Makes the version before the last update current again and restarts the running instance. If both
versions have the same schema, all stored data stays. If the update changed the schema, the older
version can't read the newer data: --old-data restores the data from the time of the update. The
newer data is kept in before-restore-<time> beside it, from which the newer version can export it.

  --old-data      if necessary, restore the data from the time of the update
  --json          one JSON object: version, and whether it runs already
  --config FILE   the configuration of the instance`;

export async function run(args: readonly string[]): Promise<void> {
  const values = readOptions(args, {
    "old-data": { type: "boolean", default: false },
  });
  const config = configOf(values);
  const { dir } = config.storage;
  const { prefix } = config.update;
  const state = readUpdateState(dir);
  const ordered = orderedIn(config, state);
  if (ordered === null)
    throw new Failure(EXIT.failed, `data folder ${dir}: there is no update to go back from`);
  const { id, ...versions } = ordered;
  const { from, schema } = versions;
  const file = versionFile(prefix, from);
  if (!existsSync(file)) throw new Failure(EXIT.failed, `${file}: isn't there any more`);
  if (isOwners(file) && !isOwners(prefix))
    throw new Failure(EXIT.permission, `${file}: could have been put there by the data's owner`);
  const isOther = newestSchema() > schema || isKnownNewer(config);
  if (isOther) refuseLoss(ordered, config, values["old-data"] ? "accepted" : "asked");
  // Only a new version that was started has changed anything in this folder.
  if (state !== null && state.order === id)
    writeUpdateState(dir, {
      ...state,
      ...versions,
      state: "returning",
      returns: 0,
      reason: "ballastd rollback",
    });
  makeCurrent(prefix, from);
  const now = await restarted(dir);
  const tell = (runs: boolean, text: string) => {
    printResult(values.json, { version: from, runs }, text);
  };
  if (now === null) tell(false, `${from} is current again; the next start is its`);
  else if (now.version === from) tell(true, `${from} runs again`);
  else throw new Failure(EXIT.failed, `${now.version} runs, expected ${from}; see its log`);
}

/**
 * True if a newer version wrote the database. False for an unreadable one, which is kept as it is,
 * so that its problem stays known.
 */
function isKnownNewer(config: Config): boolean {
  try {
    return isNewer(config);
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return false;
  }
}

/**
 * The change of versions that root ordered and that this folder can undo; null if there is none.
 * Without an order (older versions wrote none) it is taken from the folder's update state.
 */
function orderedIn(
  { update }: Config,
  state: UpdateState | null,
): Switch | (Omit<Switch, "id"> & { id: null }) | null {
  const ordered = readSwitch(update.prefix) ?? (state === null ? null : { ...state, id: null });
  if (ordered === null) return null;
  const own = state?.order === ordered.id ? state : null;
  const isOver = own === null ? readBuild().version !== ordered.to : own.state === "returned";
  const { id, from, to, schema } = ordered;
  return isOver ? null : { id, from, to, schema };
}

/**
 * Throws a Failure if going back loses data and that wasn't accepted, or if the copy that was made
 * before the update changed the database is missing.
 */
function refuseLoss(
  { from, to, schema }: Omit<Switch, "id">,
  config: Config,
  loss: "asked" | "accepted",
): void {
  const { storage, backup } = config;
  const kept = migrationCopy(config, { to, schema });
  const label = listBackups(backup.dir).find(({ file }) => file === kept)?.label ?? null;
  if (label === null)
    throw new Failure(
      EXIT.failed,
      `${from} can't read what ${to} stored, and ${kept}, which was made for the way back, ` +
        "isn't there any more or can't be read",
    );
  if (loss === "accepted") return;
  throw new Failure(
    EXIT.failed,
    `${from} can't read what ${to} stored. To go back with the data as it was at the update, of ` +
      `${printTime(label.made_ms)}, type: ballastd rollback --old-data. What was stored after ` +
      "that is then in no answer and no report; it is kept in " +
      `${storage.dir}/before-restore-<time>, ` +
      `from which ${to} can export it`,
  );
}
