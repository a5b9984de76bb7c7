// Parts of files that a killed update left in the folder of the versions: 100 MB each, removed by
// the next one.

import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { makeCurrent, writeSwitch } from "../../../../src/app/control/versions.ts";
import { removeParts } from "../../../../src/ground/durable.ts";
import { foldersOfTests } from "../../../rig/folders.ts";

const newFolder = foldersOfTests();

test("a switch removes the parts of one that was killed, and nothing else", () => {
  const prefix = newFolder();
  mkdirSync(path.join(prefix, "versions"));
  symlinkSync("versions/1.0.0", path.join(prefix, "current.0123456789ab.part"));
  for (const name of ["update.json.0123456789ab.part", "current.part", "update.json.part"])
    writeFileSync(path.join(prefix, name), "left");
  writeSwitch(prefix, { id: "one", from: "1.0.0", to: "1.1.0", schema: 1 });
  makeCurrent(prefix, "1.1.0");
  const all = ["current", "current.part", "update.json", "update.json.part", "versions"];
  expect(readdirSync(prefix).sort()).toEqual(all);
});

test("the parts of a file are removed, and neither the file nor another's parts", () => {
  const folder = newFolder();
  const names = ["ballastd", "ballastd.0123456789ab.part", "other.0123456789ab.part"];
  for (const name of names) writeFileSync(path.join(folder, name), "");
  removeParts(path.join(folder, "ballastd"));
  expect(readdirSync(folder).sort()).toEqual([names[0], names[2]]);
});
