// The backup that a maintainer requests over HTTP: one at a time, into the configured folder, made
// in a separate thread like the daily one.

import { existsSync } from "node:fs";
import path from "node:path";
import type { By } from "../bwts/audit.ts";
import type { BackupResult } from "../bwts/backup.ts";
import { EXIT, Failure } from "../ground/errors.ts";
import { damagedName } from "../sqlite/care/backup.ts";
import { backUpInThread } from "../sqlite/threads/backup-thread.ts";
import { backupName, backupOrder } from "./control/backups.ts";
import type { OpenedParts } from "./parts.ts";
import { WORKER_FILE } from "./threads.ts";

/** Makes a backup for `by`; null while another one is being made. Rejects with a Failure. */
export type MakeBackup = (by: By) => Promise<BackupResult | null>;

export function openAskedBackup({ config, build, clock, ...parts }: OpenedParts): MakeBackup {
  let isMaking = false;
  return async (by) => {
    if (isMaking) return null;
    isMaking = true;
    try {
      const made_ms = clock.now_ms();
      const output = path.join(config.backup.dir, `${backupName(config, made_ms)}.db`);
      if (existsSync(output) || existsSync(damagedName(output)))
        throw new Failure(EXIT.temporary, "a backup of this second is there, try again");
      const order = backupOrder(config, build, { output, made_ms, reason: "asked" });
      const { file, bytes, sha256, damage } = await backUpInThread(WORKER_FILE, order);
      const made = { file: path.basename(file), bytes, sha256, damage };
      parts.audit.write({ ...by, kind: "backup", detail: made });
      return made;
    } finally {
      isMaking = false;
    }
  };
}
