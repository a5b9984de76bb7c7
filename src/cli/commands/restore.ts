// `ballastd restore`: puts a backup into the data folder, of this machine or of a new one. The
// present data isn't touched until the backup is copied, verified and migrated to this program's
// schema.

import path from "node:path";
import { byCommand } from "../../bwts/audit.ts";
import { withShipTime } from "../../bwts/ship-time.ts";
import type { Config } from "../../config/config.ts";
import { callerName } from "../../ground/caller.ts";
import { printTime } from "../../ground/clock.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import {
  type RestoreOrder,
  type RestoreResult,
  restoreBackup,
  type TriedBackup,
  trialFolder,
  tryBackup,
} from "../../sqlite/care/restore.ts";
import { lockFolder } from "../../sqlite/file/lock.ts";
import { escaped, printResult } from "../document.ts";
import { configOf } from "../instance-data.ts";
import { readLine } from "../options.ts";

export const summary = "replace the stored data by a backup; the old data is kept";

export const help = `usage: ballastd restore FILE [--sha256 HASH] [--try] [--damaged] [--json]
                        [--config FILE]

Verifies the backup (version, integrity, chains, counts, the small files in it), and only then
replaces the database in storage.dir, which may be empty. The old data is kept in a folder beside
it, named before-restore-<time>. The token file is restored too. Stop the instance first.
Verification finds accidental changes; a person who can write the file can make one that verifies.
The hash that backup printed, kept elsewhere, proves that it is the same file.

  --sha256 HASH   refuse a file with another SHA-256 than this one, printed by backup
  --try           only test if it can be restored; nothing changes, and ballastd may run
  --damaged       also accept a backup of damaged data; the damaged part isn't answered
  --json          one JSON object
  --config FILE   the configuration of the instance`;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = readLine(args, {
    sha256: { type: "string" },
    try: { type: "boolean", default: false },
    damaged: { type: "boolean", default: false },
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new Failure(EXIT.usage, `restore: got ${positionals.length} names, expected one FILE`);
  const config = configOf(values);
  const order = {
    ...orderOf(path.resolve(file), config),
    sha256: readHash(values.sha256),
    takesDamaged: values.damaged,
  };
  const done = values.try ? tried(order) : restored(order);
  printResult(values.json, done, text(done, config.system.utc_offset));
}

function readHash(given: string | undefined): string | null {
  if (given === undefined || /^[0-9a-f]{64}$/i.test(given)) return given?.toLowerCase() ?? null;
  throw new Failure(EXIT.usage, `--sha256 ${given}: expected 64 hexadecimal digits`);
}

type OrderOfConfig = Omit<RestoreOrder, "sha256" | "takesDamaged">;

function orderOf(file: string, { storage, auth }: Config): OrderOfConfig {
  return {
    file,
    by: byCommand(callerName()),
    dir: storage.dir,
    token_file: auth.token_file,
    now_ms: Date.now(),
    floor_bytes: storage.free_stop,
  };
}

function tried(order: RestoreOrder): TriedBackup {
  const trial = trialFolder(order.dir);
  try {
    return tryBackup({ ...order, dir: trial.dir });
  } finally {
    trial.remove();
  }
}

function restored(order: RestoreOrder): RestoreResult {
  const lock = lockFolder(order.dir);
  try {
    return restoreBackup(order);
  } finally {
    lock.release();
  }
}

function text(done: TriedBackup | RestoreResult, offset: string): string {
  const { readings, events, audit, problem } = done.verified;
  const { label, migrations } = done;
  const from =
    label === null
      ? "a database that was copied by hand"
      : `the backup of ${withShipTime(printTime(label.made_ms), offset)} ` +
        `(${escaped(label.system_id)}, by ` +
        `${escaped(label.version)})`;
  return [
    `${"kept" in done ? "restored" : "would restore"}: ${from}`,
    `verified: ${readings} sealed readings, ${events} events, ${audit} entries of the audit log`,
    `sha256: ${done.sha256}`,
    ...(problem === null ? [] : [`damaged: ${problem}`]),
    ...(migrations.length === 0 ? [] : [`brought to schema ${migrations.at(-1)}`]),
    ...("kept" in done ? [`kept: ${done.kept ?? "there was nothing before"}`] : []),
    "",
  ].join("\n");
}
