// Allows one process per data folder. The lock is a second SQLite file held in an exclusive
// transaction. The system frees it when the process ends, even by SIGKILL, so no stale lock needs
// to be deleted by hand. A file with a process id was rejected, because it needs that.

import path from "node:path";
import { syncPath } from "../../ground/durable.ts";
import { codeOf, EXIT, Failure, FolderBusy, messageOf } from "../../ground/errors.ts";
import { keepAddonIn } from "./addon.ts";
import { makeFolder } from "./make-folder.ts";
import { connect, readSql } from "./open.ts";
import { refusal } from "./refused.ts";
import { releaseReserve } from "./reserve.ts";

/** A lock, held until it is closed. */
export interface Lock {
  release(): void;
}

/**
 * Makes the data folder if necessary and locks it. Throws a Failure if another process holds the
 * lock, or if the folder can't be made or written.
 */
export function lockFolder(dir: string): Lock {
  try {
    const made = makeFolder(dir, 0o750);
    if (made !== null) syncPath(path.dirname(made));
  } catch (error) {
    throw new Failure(
      EXIT.cannot_create,
      `data folder ${dir}: can't be made (${messageOf(error)}); see storage.dir`,
    );
  }
  try {
    keepAddonIn(dir);
    return locked(dir);
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (codeOf(error) === "SQLITE_BUSY") throw new FolderBusy(dir);
    const failure = `data folder ${dir}: ${messageOf(error)}; see storage.dir`;
    throw refusal(dir, "written") ?? new Failure(EXIT.io, failure);
  }
}

function locked(dir: string): Lock {
  try {
    return held(dir);
  } catch (error) {
    if (error instanceof Failure || codeOf(error) === "SQLITE_BUSY") throw error;
    // Space for the lock's journal, which needs a sector.
    releaseReserve(dir);
    return held(dir);
  }
}

function held(dir: string): Lock {
  const db = connect(path.join(dir, "lock.db"), { timeout: 0 });
  try {
    // A read-only file is refused: SQLite would grant its lock to any number of processes.
    const refused = refusal(dir, "written");
    if (refused !== null) throw refused;
    db.exec(readSql("lock"));
  } catch (error) {
    db.close();
    throw error;
  }
  return { release: () => db.close() };
}
