// A small reserve of disk space for the next start. SQLite needs some space even to open a database
// (its shared memory, the lock's journal), and other programs may have filled the disk. Then the
// reserve is released, so that data can be read, and made again once there is room. A start that
// requires free space was tried; it left a ship without its data.

import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import path from "node:path";
import { codeOf } from "../../ground/errors.ts";

/**
 * Size of the reserve: shared memory grows by 32 KiB for each 16 MiB of log; the rest is for
 * checkpoints.
 */
const RESERVE_BYTES = 1024 * 1024;

const reserveFile = (dir: string): string => path.join(dir, "reserve");

/** Releases the reserve. Call it before the database is opened, or if nothing else helps. */
export function releaseReserve(dir: string): void {
  rmSync(reserveFile(dir), { force: true });
}

/** Makes the reserve, as large as the free space allows. */
export function layReserve(dir: string): void {
  const piece = Buffer.alloc(64 * 1024);
  try {
    const file = openSync(reserveFile(dir), "w", 0o600);
    try {
      for (let bytes = 0; bytes < RESERVE_BYTES; bytes += piece.length) writeSync(file, piece);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    // Ignored: the disk is full or read-only, and the next start uses the space that there is.
    if (codeOf(error) === null) throw error;
  }
}
