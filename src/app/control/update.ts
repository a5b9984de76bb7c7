// Installs an update beside the running version: it is checked, unpacked, tried on a backup of this
// system's data, and then made current. Its first start is a trial (update-trial.ts),
// which can bring the old version back.

import { randomUUID } from "node:crypto";
import { chmodSync, closeSync, existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { openFile, partOf, placeFile, removeParts, syncPath } from "../../ground/durable.ts";
import { codeOf, EXIT, Failure, messageOf } from "../../ground/errors.ts";
import { copyOpen } from "../../ground/file-copy.ts";
import { atPath } from "../../ground/owner.ts";
import { makeBackup } from "../../sqlite/care/backup.ts";
import { makeFolder } from "../../sqlite/file/make-folder.ts";
import { newestSchema } from "../../sqlite/file/migrate.ts";
import { databaseFile } from "../../sqlite/file/open.ts";
import { backupName, backupOrder } from "./backups.ts";
import { runVersion } from "./run-version.ts";
import { alteredIn, refuseUnfit, type UpdateTarget } from "./update-checks.ts";
import { readUpdate, type UpdateFile } from "./update-file.ts";
import { makeCurrent, type Switch, Version, versionFile, writeSwitch } from "./versions.ts";

export interface UpdateOrder extends UpdateTarget {
  /** The arguments that name the configuration. */
  readonly configArgs: readonly string[];
  readonly now_ms: number;
  /** Reports progress. */
  readonly say: (text: string) => void;
}

/** Installs the update and makes it current. Throws a Failure with nothing changed. */
export function install(order: UpdateOrder): { readonly version: string } {
  const { config, build, say } = order;
  const { prefix } = config.update;
  const update = readUpdate(order.file);
  const { version } = update.manifest;
  refuseUnfit(update, order);
  const target = versionFile(prefix, version);
  const wasThere = existsSync(target);
  try {
    say(`unpacking ${version} into ${path.dirname(target)}`);
    unpack(update, target);
    refuseOther(target, version);
    rehearse(target, order);
    orderTrial(prefix, { from: build.version, to: version, schema: newestSchema() });
    makeCurrent(prefix, version);
    removeOthers(prefix, [version, build.version]);
    return { version };
  } catch (error) {
    if (!wasThere)
      atPath(prefix, () => rmSync(path.dirname(target), { recursive: true, force: true }));
    if (error instanceof Failure || codeOf(error) === null) throw error;
    throw new Failure(EXIT.cannot_create, `${prefix}: ${messageOf(error)}; see update.prefix`);
  }
}

/** Orders every instance to try the version at its next start. */
function orderTrial(prefix: string, versions: Omit<Switch, "id">): void {
  writeSwitch(prefix, { id: randomUUID(), ...versions });
}

/**
 * Makes the next start of every instance a trial, after this version was installed by other means
 * in place of version `from`. True if there is anything to try.
 */
export function tryInsteadOf(
  from: string,
  { config, build }: Pick<UpdateOrder, "config" | "build">,
): boolean {
  const { prefix } = config.update;
  if (!Version.safeParse(from).success)
    throw new Failure(EXIT.usage, `--instead-of ${from}: expected a version such as 1.0.0`);
  if (from === build.version) return false;
  const said = runVersion(versionFile(prefix, from), ["version", "--json"], {
    who: `version ${from}`,
  });
  const { schema } = JSON.parse(said);
  orderTrial(prefix, { from, to: build.version, schema });
  removeOthers(prefix, [from, build.version]);
  return true;
}

/** A version has a hundred megabytes; the new one and the one to go back to stay. */
function removeOthers(prefix: string, kept: readonly string[]): void {
  const folder = path.join(prefix, "versions");
  atPath(folder, () => {
    for (const name of readdirSync(folder))
      if (!kept.includes(name)) rmSync(path.join(folder, name), { recursive: true, force: true });
  });
}

/** Mode of the executable, set whatever the umask: the service's user must be able to run it. */
const RUNNABLE = 0o755;

function unpack({ file, manifest, start }: UpdateFile, target: string): void {
  const from = atPath(file, () => openFile(file));
  try {
    atPath(target, () => {
      const folder = path.dirname(target);
      const made = makeFolder(folder, RUNNABLE);
      if (made !== null) chmodSync(folder, RUNNABLE);
      removeParts(target);
      const part = partOf(target);
      try {
        const sha256 = copyOpen(from, { start, file: part, mode: RUNNABLE });
        if (sha256 !== manifest.sha256) throw alteredIn(file);
        chmodSync(part, RUNNABLE);
        placeFile(part, target);
        // The link to the new folder must not outlive the folder's own name after a power cut.
        syncPath(path.dirname(folder));
      } finally {
        rmSync(part, { force: true });
      }
    });
  } finally {
    closeSync(from);
  }
}

function refuseOther(target: string, version: string): void {
  const said = runVersion(target, ["version", "--json"]);
  const found: unknown = JSON.parse(said).version;
  if (found !== version)
    throw new Failure(
      EXIT.failed,
      `the executable is version ${found}, its manifest says ${version}`,
    );
}

/**
 * Rehearses the update: restores a backup of the data with the new version, in another folder,
 * which tests migrations, chains and counts.
 */
function rehearse(target: string, { config, build, configArgs, now_ms, say }: UpdateOrder): void {
  if (!existsSync(databaseFile(config.storage.dir))) return;
  const output = path.join(config.backup.dir, `${backupName(config, now_ms)}-before-update.db`);
  const backup = makeBackup(
    backupOrder(config, build, { output, made_ms: now_ms, reason: "update" }),
  );
  const { file, bytes, sha256, damage } = backup;
  const state = damage === null ? "verified" : `damaged: ${damage}`;
  say(`backup: ${file} (${bytes} bytes, ${state}, sha256 ${sha256})`);
  const damaged = damage === null ? [] : ["--damaged"];
  runVersion(target, ["restore", file, "--try", ...damaged, ...configArgs]);
  say("rehearsed: the new version can work with this data");
}
