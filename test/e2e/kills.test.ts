// The kill loop in short: the built program killed at random instants under full ingest, as a
// process and as a machine whose disk forgets what wasn't synchronised. `npm run kills` is the long
// form. That the loop would see a loss is tried too, on a disk whose fsync does nothing.

import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { runKills } from "../../scripts/kills/loop.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { buildDisk, openDisk } from "../rig/forgetful-disk.ts";
import { PROGRAM } from "../rig/program.ts";
import { printedRandom } from "../rig/random.ts";
import { sized } from "../rig/scale.ts";

const newFolder = foldersOfTests();
const KILLS = sized(2, 6);

const kills = (title: string, { count, disk }: { count: number; disk: "keeps" | "forgets" }) =>
  runKills({
    program: PROGRAM,
    count,
    seed: printedRandom(title).between(1, 2 ** 31),
    disk,
    progress: () => null,
  });

const NOTHING_WRONG = { problems: [], lost: 0, counted_twice: 0, other: 0 };

test("a program killed at any instant loses nothing and counts nothing twice", async () => {
  const report = await kills("killed", { count: KILLS, disk: "keeps" });
  expect(report).toMatchObject({ ...NOTHING_WRONG, kills: KILLS });
  expect(report.acknowledged).toBeGreaterThan(0);
});

test("cuts of the power in a row lose nothing, whatever the disk forgets", async () => {
  const report = await kills("cut off", { count: KILLS, disk: "forgets" });
  expect(report).toMatchObject({ ...NOTHING_WRONG, kills: KILLS });
  expect(report.acknowledged).toBeGreaterThan(0);
});

/** The rows in a database of `synchronous` after 20 commits and a cut of the power. */
function rowsAfterCut(synchronous: "full" | "off"): number {
  const folder = newFolder();
  const data = path.join(folder, "data");
  mkdirSync(data);
  const file = path.join(data, "x.db");
  new Database(file).exec("pragma journal_mode = wal; create table t (x)").close();
  const disk = openDisk({ library: buildDisk(folder), data, aside: path.join(folder, "synced") });
  disk.settle();
  const script = path.join(folder, "write.cjs");
  const addon = createRequire(import.meta.url).resolve("better-sqlite3");
  writeFileSync(
    script,
    `const db = new (require(${JSON.stringify(addon)}))(${JSON.stringify(file)});
     db.exec("pragma synchronous = ${synchronous}");
     for (let x = 0; x < 20; x += 1) db.exec("insert into t values (1)");
     process.kill(process.pid, "SIGKILL");`,
  );
  spawnSync(process.execPath, [script], { env: { ...process.env, ...disk.env } });
  disk.cut("all lost", printedRandom("cut"));
  const db = new Database(file);
  const rows = db.prepare("select x from t").all();
  db.close();
  return rows.length;
}

test("the disk keeps what was synchronised and forgets the rest", () => {
  expect(rowsAfterCut("full")).toBe(20);
  expect(rowsAfterCut("off")).toBe(0);
});
