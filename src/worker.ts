// The entry of every thread: a writer, a reader or a backup, according to its data. One file for
// all, because the executable holds one bundle for threads. A thread loads its own part of it: with
// all of it the two that always run took 6 MB more.

import "./ground/node-version.ts";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { collectWhenIdle } from "./ground/garbage-collection.ts";
import type { WorkerRole } from "./sqlite/threads/calls.ts";

if (parentPort === null) throw new Error("worker: started as a program, expected as a thread");
collectWhenIdle();
void run(parentPort, workerData);

async function run(port: MessagePort, role: WorkerRole): Promise<void> {
  switch (role.role) {
    case "writer":
      return (await import("./sqlite/threads/writer-thread.ts")).runWriter(port, role);
    case "reader":
      return (await import("./sqlite/threads/reader-thread.ts")).runReader(port, role);
    case "backup":
      return (await import("./sqlite/threads/backup-thread.ts")).runBackup(port, role.order);
  }
}
