// A backup that was meant for a stick isn't made on the PC's own disk.

import { existsSync, mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { foldersOfTests } from "../rig/folders.ts";
import { runProgram } from "../rig/program.ts";

const newFolder = foldersOfTests();

test("a folder that isn't there is refused, not made, for a file or by itself", async () => {
  const folder = newFolder();
  const run = (...args: readonly string[]) => runProgram({ args, folder });
  expect(await run("token", "add", "--name", "x", "--role", "viewer")).toMatchObject({ code: 0 });
  const stick = path.join(folder, "stick");
  for (const target of [`${stick}/`, path.join(stick, "b.db")])
    expect(await run("backup", target)).toMatchObject({
      code: 73,
      stderr: `ballastd: ${stick}: there is no such folder; is it mounted?\n`,
    });
  expect(await run("backup", "--list", stick)).toMatchObject({ code: 73, stdout: "" });
  expect(existsSync(stick)).toBe(false);
  mkdirSync(stick);
  expect(await run("backup", `${stick}/`)).toMatchObject({ code: 0 });
  expect(readdirSync(stick)).toHaveLength(1);
});
