// The entry of every thread: a writer, a reader or a backup, according to its data. Here, as in
// cli/, parts meet that must not know each other: the writer gets the MQTT side's decoder.

import "./ground/node-version.ts";
import { parentPort, workerData } from "node:worker_threads";
import { decodeMessage } from "./payload/decode.ts";
import { decodeImported } from "./payload/import.ts";
import { openMap, oursFilter } from "./payload/map-rules.ts";
import { runBackup } from "./sqlite/threads/backup-thread.ts";
import type { WorkerRole } from "./sqlite/threads/calls.ts";
import { runReader } from "./sqlite/threads/reader-thread.ts";
import { runWriter } from "./sqlite/threads/writer-thread.ts";

const role: WorkerRole = workerData;
if (parentPort === null) throw new Error("worker: started as a program, expected as a thread");
if (role.role === "writer") {
  const map = openMap(role.map, oursFilter(role.store, { id: role.store.system_id }));
  runWriter(parentPort, role, {
    decode: (message, context) => decodeMessage(message, context, { map, note: null }),
    decodeImported,
  });
} else if (role.role === "reader") runReader(parentPort, role);
else runBackup(parentPort, role.order);
