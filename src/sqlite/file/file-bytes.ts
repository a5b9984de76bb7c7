// Reads a file in pieces at any position, with bounded memory: a database may be larger than a
// buffer can be (2 GiB).

import { closeSync, fstatSync, readSync } from "node:fs";
import { openFile } from "../../ground/durable.ts";

export interface FileBytes {
  readonly length: number;
  /** Reads `count` bytes from offset `at` on; bytes beyond the end are zero. */
  read(at: number, count: number): Buffer;
  /** Fills `into` from offset `at` on; returns the number of bytes read. */
  fill(into: Buffer, at: number): number;
  close(): void;
}

export function openBytes(file: string): FileBytes {
  const opened = openFile(file);
  return {
    length: fstatSync(opened).size,
    read(at, count) {
      const bytes = Buffer.alloc(count);
      readSync(opened, bytes, 0, count, at);
      return bytes;
    },
    fill: (into, at) => readSync(opened, into, 0, into.length, at),
    close: () => closeSync(opened),
  };
}
