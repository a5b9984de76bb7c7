// Backups and restores that were cut off, by a kill or a fault: what they left is removed, and what
// was there before is there still.

import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { BY_SELF } from "../../../../src/bwts/audit.ts";
import { DAY_MS } from "../../../../src/ground/clock.ts";
import { makeBackup } from "../../../../src/sqlite/care/backup.ts";
import { restoreBackup, trialFolder } from "../../../../src/sqlite/care/restore.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { foldersOfTests } from "../../../rig/folders.ts";

const openRig = rigsOfTests();
const newFolder = foldersOfTests();
const NOW_MS = Date.UTC(2026, 0, 1);
const token_file = "/dev/null/none";

function backedUp(token = token_file) {
  const { dir } = openRig();
  const output = path.join(newFolder(), "ballastd-BWTS-001-stick.db");
  const label = { made_ms: NOW_MS, version: "1.0.0", system_id: "BWTS-001", reason: "command" };
  makeBackup({ dir, output, label, token_file: token, floor_bytes: 0 });
  return { dir, output, label };
}

const order = { sha256: null, by: BY_SELF, now_ms: NOW_MS, floor_bytes: 0, takesDamaged: false };

test("a backup removes what one that was killed a day ago left, and nothing else", () => {
  const { dir, output, label } = backedUp();
  const part = `${path.basename(output)}.0123456789ab.part`;
  const names = [part, `${part}-journal`, "ballastd-BWTS-001-fresh.db.0123456789ab.part", "a.part"];
  for (const name of names) {
    const file = path.join(path.dirname(output), name);
    writeFileSync(file, "left");
    const age_ms = name.includes("fresh") ? DAY_MS / 2 : 2 * DAY_MS;
    utimesSync(file, (NOW_MS - age_ms) / 1000, (NOW_MS - age_ms) / 1000);
  }
  makeBackup({ dir, output, label, token_file, floor_bytes: 0 });
  const left = [path.basename(output), ...names.slice(2)].sort();
  expect(readdirSync(path.dirname(output)).sort()).toEqual(left);
});

test("a restore in the second of another keeps its data beside what that one kept", () => {
  const { output } = backedUp();
  const rig = openRig();
  rig.db.close();
  const { dir } = rig;
  const before = statSync(path.join(dir, "ballastd.db")).ino;
  const [first, second] = [0, 0].map(() =>
    restoreBackup({ ...order, file: output, dir, token_file }),
  );
  expect(second.kept).not.toBe(first.kept);
  expect(statSync(path.join(first.kept ?? "", "ballastd.db")).ino).toBe(before);
});

test("a restore that can't write the token leaves the database as it was", () => {
  const folder = newFolder();
  writeFileSync(path.join(folder, "token"), "secret");
  const { output } = backedUp(path.join(folder, "token"));
  const rig = openRig();
  rig.db.close();
  const database = path.join(rig.dir, "ballastd.db");
  const before = statSync(database).ino;
  expect(() => restoreBackup({ ...order, file: output, dir: rig.dir, token_file })).toThrow();
  expect(statSync(database).ino).toBe(before);
});

test("a trial removes the folder of one that was killed, and none of one that runs", () => {
  const dir = newFolder();
  const running = `trial-${process.ppid}`;
  for (const name of ["trial-999999999", running, "trial-x"]) mkdirSync(path.join(dir, name));
  const trial = trialFolder(dir);
  expect(readdirSync(dir).sort()).toEqual([running, `trial-${process.pid}`, "trial-x"].sort());
  trial.remove();
});
