// The route that makes a backup. The file isn't sent to the client: it contains the tokens, and a
// browser's download folder is no place for them.

import { BackupResult } from "../../bwts/backup.ts";
import { Failure } from "../../ground/errors.ts";
import { reason } from "../../ground/reasons.ts";
import { Refusal, refusalUntil } from "../refusal.ts";
import { requestIdOf } from "../request-id.ts";
import { json, route } from "../route.ts";

/** Seconds after which a client should try again: the reason may have passed by then. */
const BUSY_S = 1;

export const BACKUP_ROUTE = route({
  method: "POST",
  path: "/admin/backup",
  operation: "makeBackup",
  group: "admin",
  access: "maintainer",
  summary: "Makes and verifies a backup in the folder of backups, one at a time",
  answer: BackupResult,
  errors: [409, 503],
  async handle({ by, request, path }, context) {
    const made = await context.backUp(by).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      const about = { path, request_id: requestIdOf(request), problem: error.message };
      context.log.warn("a request could not be served", about);
      // A maintainer needs the reason, such as a full disk or a folder that can't be written.
      throw refusalUntil(BUSY_S, error.message);
    });
    if (made === null)
      throw new Refusal(409, "a backup is being made already, expected its end first", {}, [
        reason("task_running", {}),
      ]);
    return json(made);
  },
});
