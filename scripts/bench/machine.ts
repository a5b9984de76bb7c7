// The machine that was measured on: figures without it say nothing. The time of an fsync is what
// decides how fast anything can be acknowledged, so it is measured too.

import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import Database from "better-sqlite3";
import { quantile } from "./measures.ts";

/** One line: processor, memory, disk, Node, SQLite, and how to repeat it. */
export function machineLine(folder: string): string {
  const [processor] = os.cpus();
  const memory_gb = Math.round(os.totalmem() / 2 ** 30);
  const database = new Database(":memory:");
  const sqlite = database.prepare("select sqlite_version()").pluck().get();
  database.close();
  return [
    `${processor?.model.trim() ?? "unknown processor"}, ${os.cpus().length} cores`,
    `${memory_gb} GB`,
    `fsync of 4 KiB in ${fsync_ms(folder).toFixed(2)} ms`,
    `Linux ${os.release()}`,
    `Node ${process.versions.node}`,
    `SQLite ${sqlite}`,
    `\`npm run bench -- ${process.argv.slice(2).join(" ")}\``.replace(" -- `", "`"),
  ].join("; ");
}

const BLOCK = Buffer.alloc(4096, 1);
const SYNCS = 50;

function fsync_ms(folder: string): number {
  const file = path.join(folder, "fsync");
  const handle = openSync(file, "w");
  const times = Float64Array.from({ length: SYNCS }, () => {
    const began = performance.now();
    writeSync(handle, BLOCK);
    fdatasyncSync(handle);
    return performance.now() - began;
  });
  closeSync(handle);
  rmSync(file);
  return quantile(times.sort(), 0.5);
}
