// The row that makes a backup. It isn't handed out: it contains the tokens, and a browser's folder
// of downloads is no place for them.

import { BackupMade } from "../../bwts/backup.ts";
import { Refusal } from "../refusal.ts";
import { json, route } from "../route.ts";

export const BACKUP_ROUTE = route({
  method: "POST",
  path: "/admin/backup",
  operation: "makeBackup",
  group: "admin",
  access: "maintainer",
  summary: "Makes and verifies a backup in the folder of backups, one at a time",
  answer: BackupMade,
  errors: [409, 503],
  async handle({ by }, context) {
    const made = await context.backUp(by);
    if (made === null)
      throw new Refusal(409, "a backup is being made already, expected its end first");
    return json(made);
  },
});
