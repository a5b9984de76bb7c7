// The entry of every thread: a writer, a reader or a backup, according to its data. One file for
// all, because the executable holds one bundle for threads.

import "./ground/node-version.ts";
import { parentPort, workerData } from "node:worker_threads";
import { runBackup } from "./sqlite/threads/backup-thread.ts";
import type { WorkerRole } from "./sqlite/threads/calls.ts";
import { runReader } from "./sqlite/threads/reader-thread.ts";
import { runWriter } from "./sqlite/threads/writer-thread.ts";

const role: WorkerRole = workerData;
if (parentPort === null) throw new Error("worker: started as a program, expected as a thread");
switch (role.role) {
  case "writer":
    runWriter(parentPort, role);
    break;
  case "reader":
    runReader(parentPort, role);
    break;
  case "backup":
    runBackup(parentPort, role.order);
}
