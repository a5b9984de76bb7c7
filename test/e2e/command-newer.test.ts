// A database that a newer ballastd wrote: commands that read it refuse it, whatever they print.

import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWriter } from "../../src/sqlite/file/open.ts";
import { startAppliance } from "../oracle/appliance.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { runProgram } from "../rig/program.ts";

const newFolder = foldersOfTests(afterAll);
let folder = "";
beforeAll(async () => {
  folder = newFolder();
  await using appliance = await startAppliance({ folder });
  await appliance.program.stop("SIGTERM");
  const db = openWriter(path.join(folder, "data", "ballastd.db"));
  db.exec("insert into schema_migration values (99, 'x', 'x', 0); pragma user_version = 99");
  db.close();
});

test.each([
  ["operations"],
  ["verify"],
  ["token", "list"],
  ["alarm", "list"],
  ["void", "list"],
  ["quarantine", "list"],
  ["ledger", "head"],
  ["inspection"],
  ["sql", "select 1"],
  ["export", "--output", "-"],
])("%s %s refuses it, with exit code 78", async (...args) => {
  const { code, stdout, stderr } = await runProgram({ args, folder });
  expect(stderr).toMatch(/database: schema 99 is newer than this program's \d+: install/);
  expect({ code, stdout }).toEqual({ code: 78, stdout: "" });
});
