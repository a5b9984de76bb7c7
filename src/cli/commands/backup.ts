// `ballastd backup`: makes one file that can be restored, beside a running instance or without one.
// A running instance is only notified, so that its audit log names the user who copied the data.

import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { backupName, backupOrder } from "../../app/control/backups.ts";
import { connectControl } from "../../app/control/client.ts";
import { withShipTime } from "../../bwts/ship-time.ts";
import type { Config } from "../../config/config.ts";
import { readBuild } from "../../ground/assets.ts";
import { printTime } from "../../ground/clock.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import { atPath } from "../../ground/owner.ts";
import {
  type Backup,
  type ListedBackup,
  listBackups,
  makeBackup,
} from "../../sqlite/care/backup.ts";
import { printListDocument, printResult } from "../document.ts";
import { configOf, existingDatabase, writeList } from "../instance-data.ts";
import { readLine } from "../options.ts";
import { refuseMissing } from "../output-file.ts";

export const summary = "make a backup, also beside a running instance, or list backups";

export const help = `usage: ballastd backup [FILE | FOLDER] [--force] [--json] [--config FILE]
       ballastd backup --list [FOLDER] [--json] [--config FILE]

Makes one file with all stored data: readings, events, quarantine, audit log, tokens, and the token
file. The backup is verified before it gets its name. If stored data is damaged, the backup is made
all the same, named ...-damaged.db, and the exit code is 1. The running instance goes on receiving.
Keep the file where only you can read it, because it contains the token. It doesn't contain the
configuration. Its SHA-256 is printed: kept elsewhere, it proves at a restore (--sha256) that nobody
has exchanged the file.

  FILE            the file to make; into a FOLDER it goes as ballastd-<system id>-<time>.db
                  (default: backup.dir of the configuration); the folder must exist
  --force         overwrite FILE
  --list          list the backups of a folder, newest first
  --json          a JSON object, of --list a list of objects
  --config FILE   the configuration of the instance

See also: ballastd restore --help.`;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = readLine(args, {
    list: { type: "boolean", default: false },
    force: { type: "boolean", default: false },
  });
  const [target, ...more] = positionals;
  if (more.length > 0)
    throw new Failure(EXIT.usage, `backup: got ${positionals.length} names, expected one at most`);
  const config = configOf(values);
  if (values.list) {
    if (target !== undefined) refuseMissing(path.resolve(target));
    return list(target ?? config.backup.dir, config, values.json);
  }
  existingDatabase(config);
  const made_ms = Date.now();
  const output = outputOf(target ?? null, config, made_ms);
  if (target !== undefined) refuseMissing(path.dirname(output));
  const isThere = atPath(path.dirname(output), () => existsSync(output));
  if (isThere && !values.force)
    throw new Failure(EXIT.cannot_create, `${output}: is there already; --force overwrites it`);
  const order = backupOrder(config, readBuild(), { output, made_ms, reason: "command" });
  const backup = makeBackup(order);
  await tell(config, backup);
  const took_ms = Date.now() - made_ms;
  printResult(values.json, { ...backup, took_ms }, text(backup));
  if (backup.damage !== null)
    throw new Failure(
      EXIT.failed,
      `${backup.file}: is made, but stored data is damaged: ${backup.damage}; keep the ` +
        "backups made before it, see ballastd salvage --help",
    );
}

function outputOf(target: string | null, config: Config, made_ms: number): string {
  const name = `${backupName(config, made_ms)}.db`;
  if (target === null) return path.join(config.backup.dir, name);
  const isFolder =
    target.endsWith("/") ||
    atPath(target, () => statSync(target, { throwIfNoEntry: false })?.isDirectory() === true);
  return path.resolve(isFolder ? path.join(target, name) : target);
}

async function tell(config: Config, { file, bytes, sha256 }: Backup): Promise<void> {
  const client = await connectControl(config.storage.dir);
  if (client === null) return;
  try {
    await client.ask("audit", { kind: "backup", detail: { file, bytes, sha256 } });
  } finally {
    client.close();
  }
}

function text({ file, bytes, sha256, verified, damage }: Backup): string {
  const { readings, events, audit } = verified;
  const stored = `${readings} sealed readings, ${events} events, ${audit} entries of the audit log`;
  const state = damage === null ? "verified" : "damaged";
  return `${file}: ${bytes} bytes, ${state}: ${stored}\nsha256: ${sha256}\n`;
}

function list(folder: string, { system }: Config, json: boolean): void {
  const backups = listBackups(folder);
  if (json) printListDocument(backups.map(documentOf));
  else
    writeList(
      backups.map((backup) => line(backup, system.utc_offset)),
      `${folder}: no backup is there`,
    );
}

function documentOf({ file, bytes, label }: ListedBackup) {
  return { file, bytes, label, made: label && printTime(label.made_ms) };
}

function line({ file, bytes, label }: ListedBackup, offset: string): string {
  if (label === null) return `${file}  ${bytes} bytes  can't be read, or isn't a backup`;
  const { made_ms, version, system_id, reason, damage = null } = label;
  const damaged = damage === null ? "" : "  damaged";
  const by = `${reason}, by ${version}${damaged}`;
  const made = withShipTime(printTime(made_ms), offset);
  return `${file}  ${bytes} bytes  ${made}  ${system_id}  ${by}`;
}
