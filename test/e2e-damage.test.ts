// The built program on a database of which a part is damaged: what a command that meets it says.

import { mkdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { DAY_MS, MINUTE_MS, printTime } from "../src/clock.ts";
import { startAppliance } from "./oracle/appliance.ts";
import { openRig, type Rig } from "./support/database.ts";
import { messageOf } from "./support/decoding.ts";
import { foldersOfTests } from "./support/folders.ts";
import { runProgram } from "./support/program.ts";

const newFolder = foldersOfTests();
const FROM_MS = Date.UTC(2026, 0, 1);
const COUNT = 300;

/** A data folder with five sealed hours, damaged by `damage`. */
function folderWith(damage: (rig: Rig) => void): string {
  const folder = newFolder();
  const dir = path.join(folder, "data");
  mkdirSync(dir);
  const rig = openRig({}, dir);
  const received_ms = FROM_MS + DAY_MS;
  const readings = Array.from({ length: COUNT }, (_, index) => ({
    timestamp: printTime(FROM_MS + index * MINUTE_MS),
    UVR_INTENSITY: 600 + index / 10,
  }));
  rig.store.commit([messageOf("telemetry", readings, { received_ms })]);
  while (rig.store.sealOld(received_ms + DAY_MS));
  damage(rig);
  rig.close();
  return folder;
}

/** Turns one bit in a cell of the first row. */
function flip({ db }: Rig, table: string, column: string): void {
  const cell = db.prepare<[], Buffer>(`select ${column} from ${table} limit 1`).pluck().get();
  if (cell === undefined) throw new Error(`${table}: is empty`);
  cell[cell.length >> 1] ^= 4;
  db.prepare(
    `update ${table} set ${column} = ? where rowid = (select min(rowid) from ${table})`,
  ).run(cell);
}

const ONE_LINE =
  /^ballastd: what is stored is damaged: segment 1 \(300 readings from 2026-01-01.*\): .*; stop ballastd and type `ballastd salvage`.*\n$/;

test("a command that meets damage ends with one line that names it and what to type", async () => {
  const folder = folderWith((rig) => flip(rig, "segment", "payload"));
  const range = ["--from", "2026-01-01T01:00Z", "--to", "2026-01-01T02:30Z"];
  const hide = ["void", ...range, "--reason", "a sensor was broken"];
  const alone = await runProgram({ args: ["export", ...range], folder });
  expect(alone.stderr).toMatch(ONE_LINE);
  expect(alone.code).toBe(74);
  const alsoAlone = await runProgram({ args: hide, folder });
  expect(alsoAlone.stderr).toMatch(ONE_LINE);
  expect(alsoAlone.code).toBe(74);
  await using appliance = await startAppliance({ folder });
  const beside = await runProgram({ args: hide, folder });
  expect(beside.stderr).toMatch(ONE_LINE);
  expect(beside.code).toBe(74);
  expect((await appliance.get("/readyz")).status).toBe(200);
}, 60_000);
