// Free disk space, defined once for all callers: the bytes that an ordinary user may still write,
// without the file system's reserve. And sizes as text.

import { statfsSync } from "node:fs";

/** Free bytes of the file system of `dir`. Throws if it can't be measured. */
export function freeBytes(dir: string): number {
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize;
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** A size with three digits, in units of 1024: `71.7 GiB`, `256 MiB`. */
export function printedSize(bytes: number): string {
  const place = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1);
  const value = bytes / 1024 ** place;
  return `${value < 1000 ? Number(value.toPrecision(3)) : Math.round(value)} ${UNITS[place]}`;
}
