// The disk that forgets, from outside: builds the layer, notes what is synchronised before a start,
// and after a SIGKILL leaves in the folder what a cut of the power could leave. The library under
// the program is in forgetful-disk.c; a file system of its own (FUSE, device mapper) would need
// more rights than a test has.

import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import type { Random } from "./random.ts";

/** Unit that a disk writes as a whole or not at all. */
const SECTOR_BYTES = 512;
/** Names that were made since the folder was synchronised last, with what was synchronised. */
const NEW = ".new";

/** The state, after a cut, of bytes that were written and not synchronised. */
export type Cut = "all lost" | "torn" | "all kept";

export interface Disk {
  /** Notes that all of the folder is synchronised; call it before each start. */
  settle(): void;
  /** Environment of a program that runs on this disk. */
  readonly env: Readonly<Record<string, string>>;
  /** Leaves in the folder what the cut leaves. */
  cut(how: Cut, random: Random): void;
}

/** Compiles the layer into `folder`. Throws with the compiler's words. */
export function buildDisk(folder: string): string {
  const library = path.join(folder, "disk.so");
  const source = path.join(import.meta.dirname, "forgetful-disk.c");
  const options = ["-shared", "-fPIC", "-O1", "-Wall", "-Wno-format-truncation"];
  const { status, stderr, error } = spawnSync(
    "cc",
    [...options, "-o", library, source, "-ldl", "-lpthread"],
    { encoding: "utf8" },
  );
  if (status !== 0)
    throw new Error(`cc (Debian's gcc and libc6-dev): ${error?.message ?? stderr.trim()}`);
  return library;
}

/** A disk under `data`; `aside` is where it keeps what is synchronised. */
export function openDisk({
  library,
  data,
  aside,
}: {
  readonly library: string;
  readonly data: string;
  readonly aside: string;
}): Disk {
  return {
    settle() {
      rmSync(aside, { recursive: true, force: true });
      mkdirSync(path.join(aside, NEW), { recursive: true });
      mkdirSync(data, { recursive: true });
      for (const name of filesOf(data)) copyFileSync(path.join(data, name), path.join(aside, name));
    },
    env: { LD_PRELOAD: library, DISK_FOLDER: data, DISK_SYNCED: aside },
    cut(how, random) {
      if (how === "all kept") return;
      const picks = (): boolean => how === "torn" && random.chance(0.5);
      const unnamed = readdirSync(path.join(aside, NEW));
      const [synced, written] = [filesOf(aside), filesOf(data)];
      for (const name of new Set([...synced, ...written])) {
        const live = path.join(data, name);
        const newest = newestOf(unnamed, name);
        const kept = synced.includes(name)
          ? path.join(aside, name)
          : newest && path.join(aside, NEW, newest);
        // Its name was made, or taken away, and the folder wasn't synchronised since.
        const isNamed =
          synced.includes(name) === existsSync(live) ? synced.includes(name) : picks();
        if (!isNamed || kept === null) rmSync(live, { force: true });
        else writeFileSync(live, mixed(readFileSync(kept), bytesOf(live), picks));
      }
    },
  };
}

/** Each sector as it was synchronised, or as it was written. */
function mixed(kept: Buffer, written: Buffer, isWritten: () => boolean): Buffer {
  const size = isWritten() ? written.length : kept.length;
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += SECTOR_BYTES) {
    const end = Math.min(size, at + SECTOR_BYTES);
    const source = isWritten() ? written : kept;
    if (at < source.length) source.copy(bytes, at, at, Math.min(end, source.length));
  }
  return bytes;
}

function bytesOf(file: string): Buffer {
  return existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
}

/** SQLite's shared memory is made anew after a crash; sockets are no files. */
function filesOf(folder: string): readonly string[] {
  return readdirSync(folder).filter(
    (name) => !name.endsWith("-shm") && statSync(path.join(folder, name)).isFile(),
  );
}

/** They are numbered: `<number>-<name>`. */
function newestOf(unnamed: readonly string[], name: string): string | null {
  const same = unnamed.filter((file) => file.replace(/^\d+-/, "") === name);
  return (
    same.sort((one, other) => Number.parseInt(other, 10) - Number.parseInt(one, 10))[0] ?? null
  );
}
