// Changes of ballastd and its data from the audit log, newest first, as /api/changes has them:
// starts, limits and other settings, spare lamps, hidden readings.

import { CHANGE_KINDS, changeAnswer } from "../../bwts/audit.ts";
import { damageOf } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import { closed, type Newest } from "../file/query.ts";
import { type AuditRow, answerOf } from "../records/audit.ts";

/** Texts of the changes in a range, newest first. A damaged entry is left out and reported. */
export function changeTexts(db: Connection, { range, limit }: Newest): readonly string[] {
  return prepare<"audit.changes", AuditRow>(db, "audit.changes")
    .all({ ...closed(range), limit })
    .flatMap((row) => {
      const one = answerOf(db, row);
      const kind = CHANGE_KINDS.find((name) => name === one.kind);
      if (kind !== undefined && !("damaged" in one.detail))
        return [JSON.stringify(changeAnswer({ ...one, kind }))];
      damageOf(db).note(`entry ${one.id} of the audit log is damaged`);
      return [];
    });
}
