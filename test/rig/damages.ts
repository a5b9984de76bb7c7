// Damage to a database file and its log on a ship's
// disk, at seeded random places.

import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Random } from "./random.ts";
import { COUNT, SEALED, type VoyageFolders } from "./voyage-folders.ts";

const PAGE = 4096;

export interface Damage {
  readonly title: string;
  /** The folder that is damaged, and the manner. */
  readonly of: "stopped" | "killed";
  readonly damage: (file: string, random: Random, folders: VoyageFolders) => void;
  /** True if a start must refuse it; null if that depends on the damaged place. */
  readonly isRefused: boolean | null;
  /** At most so many readings may be gone. */
  readonly lost_max: number;
}

/** Rewrites a file. */
export const changed = (file: string, change: (bytes: Buffer) => void) => {
  const bytes = readFileSync(file);
  change(bytes);
  writeFileSync(file, bytes);
};
const flip = (bytes: Buffer, random: Random, count: number) => {
  for (; count > 0; count -= 1)
    bytes[random.between(0, bytes.length - 1)] ^= random.between(1, 255);
};
const pageOf = (bytes: Buffer, random: Random) =>
  PAGE * random.between(0, Math.floor(bytes.length / PAGE) - 1);

export const DAMAGES: readonly Damage[] = [
  {
    title: "bytes flipped anywhere",
    of: "stopped",
    damage: (file, random) => changed(file, (bytes) => flip(bytes, random, random.between(1, 20))),
    isRefused: null,
    lost_max: COUNT,
  },
  {
    title: "bytes flipped anywhere while much is in the log",
    of: "killed",
    damage: (file, random) => changed(file, (bytes) => flip(bytes, random, random.between(1, 20))),
    isRefused: null,
    lost_max: COUNT,
  },
  {
    title: "a byte of the schema's text changed",
    of: "stopped",
    // Still a statement that can be read, of another column.
    damage: (file) =>
      changed(file, (bytes) => {
        const column = "received_ms integer not null";
        for (let at = bytes.indexOf(column); at >= 0; at = bytes.indexOf(column, at))
          bytes.write("Q", at);
      }),
    isRefused: true,
    lost_max: 0,
  },
  {
    title: "the record of migrations changed",
    of: "stopped",
    damage: (file) => changed(file, (bytes) => bytes.write("1", bytes.indexOf("01-first.sql"))),
    isRefused: true,
    lost_max: 0,
  },
  {
    title: "the page of the schema zeroed",
    of: "stopped",
    damage: (file) => changed(file, (bytes) => bytes.fill(0, 0, PAGE)),
    isRefused: true,
    lost_max: 0,
  },
  {
    title: "the file's header overwritten",
    of: "stopped",
    damage: (file) => changed(file, (bytes) => bytes.fill(0x55, 0, 100)),
    isRefused: true,
    lost_max: 0,
  },
  {
    title: "a page zeroed",
    of: "stopped",
    damage: (file, random) =>
      changed(file, (bytes) => {
        const at = pageOf(bytes, random);
        bytes.fill(0, at, at + PAGE);
      }),
    isRefused: null,
    lost_max: SEALED,
  },
  {
    title: "the file cut off in the middle",
    of: "stopped",
    damage: (file, random) => {
      const { size } = statSync(file);
      truncateSync(file, random.between(Math.floor(size / 2), size - 1));
    },
    isRefused: true,
    lost_max: COUNT,
  },
  {
    title: "the log cut off somewhere",
    of: "killed",
    damage: (file, random) => {
      const log = `${file}-wal`;
      truncateSync(log, random.between(0, statSync(log).size - 1));
    },
    isRefused: null,
    lost_max: COUNT,
  },
  {
    title: "the log missing",
    of: "killed",
    damage: (file) => rmSync(`${file}-wal`),
    isRefused: null,
    lost_max: COUNT,
  },
  {
    title: "a byte flipped in the midst of the log",
    of: "killed",
    damage: (file) =>
      changed(`${file}-wal`, (bytes) => {
        bytes[Math.floor(bytes.length / 4)] ^= 1;
      }),
    isRefused: null,
    lost_max: 1000,
  },
  {
    title: "the log of another database",
    of: "stopped",
    damage: (file, _random, { other }) =>
      copyFileSync(path.join(other, "data", "ballastd.db-wal"), `${file}-wal`),
    isRefused: true,
    lost_max: 0,
  },
  {
    title: "the file gone, its log there",
    of: "killed",
    damage: (file) => rmSync(file),
    isRefused: true,
    lost_max: COUNT,
  },
  {
    title: "an empty file",
    of: "stopped",
    damage: (file) => truncateSync(file, 0),
    isRefused: true,
    lost_max: COUNT,
  },
  {
    title: "a text",
    of: "stopped",
    damage: (file) => writeFileSync(file, "no database ".repeat(5000)),
    isRefused: true,
    lost_max: COUNT,
  },
];
