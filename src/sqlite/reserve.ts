// A little space that is held for the next start. SQLite needs some to open a database at all (its
// shared memory, the lock's journal), and other programs may have filled the disk to the last byte:
// then the reserve is given up, what can be read is served, and it is laid by again when there is
// room. A start that needs space first was tried; it left a ship without its data.

import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import path from "node:path";
import { codeOf } from "../errors.ts";

/** The shared memory grows by 32 KiB for each 16 MiB of log; the rest is for checkpoints. */
const RESERVE_BYTES = 1024 * 1024;

const reserveFile = (dir: string): string => path.join(dir, "reserve");

/** Gives up the reserve: call it before the database is opened, or when nothing else helps. */
export function releaseReserve(dir: string): void {
  rmSync(reserveFile(dir), { force: true });
}

/** Lays the reserve by; where there isn't room for it, what room there is. */
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
    // A full or read-only disk: the next start takes what there is.
    if (codeOf(error) === null) throw error;
  }
}
