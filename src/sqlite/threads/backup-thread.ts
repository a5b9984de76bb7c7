// Makes a backup beside a running service. Copying and verifying take seconds, too long for the
// main thread and for a reader. Both ends of the thread's port are in this file.

import { type MessagePort, Worker } from "node:worker_threads";
import { codeOf, Failure, messageOf } from "../../ground/errors.ts";
import { type Backup, type BackupOrder, makeBackup } from "../care/backup.ts";
import { type BackupReply, THREAD_LIMITS, threadFailure, type WorkerRole } from "./calls.ts";

/** Makes one backup in a separate thread. Rejects with a Failure that gives the reason. */
export function backUpInThread(workerFile: string, order: BackupOrder): Promise<Backup> {
  const workerData: WorkerRole = { role: "backup", order };
  const worker = new Worker(workerFile, { workerData, resourceLimits: THREAD_LIMITS });
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the backup's thread ended")));
    worker.once("message", (reply: BackupReply) => {
      if (reply.kind === "made") resolve(reply.backup);
      else reject(threadFailure(reply));
    });
  });
}

/** Makes the backup, posts the result on `port`, and lets the thread end. */
export function runBackup(port: MessagePort, order: BackupOrder): void {
  const reply = (message: BackupReply) => port.postMessage(message);
  try {
    reply({ kind: "made", backup: makeBackup(order) });
  } catch (error) {
    if (!(error instanceof Failure) && codeOf(error) === null) throw error;
    const exitCode = error instanceof Failure ? error.exitCode : null;
    reply({ kind: "failed", message: messageOf(error), exitCode });
  }
  port.close();
}
